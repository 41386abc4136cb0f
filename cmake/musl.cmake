# SPDX-License-Identifier: MIT
# A static program with musl, made with Debian's gcc for the target: gcc brings the compiler's own
# headers and libgcc, the package musl-dev of the target's architecture everything else.
# scripts/deps test unpacks that below ~/.cache/cg-debian, so that nothing is installed.
#
# Set before: cg_deb_arch (Debian's name), cg_musl (musl's triplet), cg_gcc (gcc's). May be set:
# cg_flags for the compiler; cg_link_flags for the linker; cg_relro, instead of -z relro.
#
# Agents have canaries, an address that is not known in advance, and relocations that are read-only.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${cg_gcc}-gcc)
set(CMAKE_STRIP ${cg_gcc}-strip)

# CG_CACHE in the environment is what scripts/debian-package goes by, too.
set(cg_cache "$ENV{CG_CACHE}")
if(NOT cg_cache)
  set(cg_cache "$ENV{HOME}/.cache/cg-debian")
endif()
set(cg_include ${cg_cache}/${cg_deb_arch}/musl-dev/usr/include/${cg_musl})
set(cg_lib ${cg_cache}/${cg_deb_arch}/musl-dev/usr/lib/${cg_musl})
if(NOT EXISTS ${cg_lib}/libc.a)
  message(FATAL_ERROR "no ${cg_lib}/libc.a: run scripts/deps test first")
endif()
execute_process(COMMAND ${cg_gcc}-gcc -print-file-name=include
                OUTPUT_VARIABLE cg_gcc_include OUTPUT_STRIP_TRAILING_WHITESPACE)

if(NOT cg_relro)
  set(cg_relro "-z,relro,-z,now")
endif()
set(CMAKE_C_FLAGS_INIT
    "${cg_flags} -nostdinc -isystem ${cg_include} -isystem ${cg_gcc_include} \
    -fPIE -fstack-protector-strong -ffunction-sections \
    -fno-asynchronous-unwind-tables -fno-unwind-tables")
# gcc for ARM forgets that a static program has no interpreter.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-static-pie -s -Wl,--gc-sections,-z,noseparate-code,${cg_relro},--build-id${cg_link_flags} \
    -Wl,--no-dynamic-linker -nostartfiles -nodefaultlibs ${cg_lib}/rcrt1.o ${cg_lib}/crti.o")
set(CMAKE_C_STANDARD_LIBRARIES "${cg_lib}/libc.a -lgcc ${cg_lib}/libc.a ${cg_lib}/crtn.o")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
