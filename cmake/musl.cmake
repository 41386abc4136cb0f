# SPDX-License-Identifier: MIT
# A static program with musl, made with Debian's gcc for the target: gcc brings the compiler's own
# headers and libgcc, the package musl-dev of the target's architecture everything else.
# scripts/deps test unpacks that below ~/.cache/cg-debian, so that nothing is installed.
#
# Set before: cg_deb_arch (Debian's name), cg_musl (musl's triplet), cg_gcc (gcc's), cg_flags;
# cg_link_flags may be, what the linker is given besides; and cg_hardened, for canaries, an address
# that is not known in advance and relocations that are read-only: where 150 KiB have room for them.
# Instead of canaries in all functions with arrays, cg_canaries may ask for fewer.
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

if(NOT cg_canaries)
  set(cg_canaries -fstack-protector-strong)
endif()
if(cg_hardened)
  set(cg_pie "-fPIE ${cg_canaries}")
  set(cg_static "-static-pie")
  # gcc for ARM forgets that a static program has no interpreter.
  set(cg_relro "-z,relro,-z,now,--no-dynamic-linker")
  set(cg_start rcrt1.o)
else()
  set(cg_pie "-fno-pie")
  set(cg_static "-static -no-pie")
  set(cg_relro "-z,norelro")
  set(cg_start crt1.o)
endif()
set(CMAKE_C_FLAGS_INIT
    "${cg_flags} -nostdinc -isystem ${cg_include} -isystem ${cg_gcc_include} \
    ${cg_pie} -ffunction-sections \
    -fno-asynchronous-unwind-tables -fno-unwind-tables")
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "${cg_static} -s -Wl,--gc-sections,-z,noseparate-code,${cg_relro},--build-id${cg_link_flags} \
    -nostartfiles -nodefaultlibs ${cg_lib}/${cg_start} ${cg_lib}/crti.o")
set(CMAKE_C_STANDARD_LIBRARIES "${cg_lib}/libc.a -lgcc ${cg_lib}/libc.a ${cg_lib}/crtn.o")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
