# SPDX-License-Identifier: MIT
# All programs and tests, built for another machine to run on, by Debian's cross compiler:
#
#     cmake --preset host-arm64       # CG_HOST=arm64; or armhf, i386, riscv64; amd64-trixie, which
#                                       is Debian 13, here
#
# The libraries are those of a directory that scripts/debian-package --sysroot has filled; what runs
# of them, as tests do, runs in qemu-user, or here where the kernel can. docs/dev/hosts.md.
#
# Debian's cross compilers bring a C library of their own, which may be another than the sysroot's:
# so headers, start files and libraries are named.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CG_HOST)
set(CMAKE_SYSTEM_NAME Linux)
if(CG_HOST STREQUAL "arm64")
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(cg_gcc aarch64-linux-gnu)
  set(cg_qemu qemu-aarch64)
elseif(CG_HOST STREQUAL "armhf")
  set(CMAKE_SYSTEM_PROCESSOR armv7l)
  set(cg_gcc arm-linux-gnueabihf)
  set(cg_qemu qemu-arm)
elseif(CG_HOST STREQUAL "i386")
  set(CMAKE_SYSTEM_PROCESSOR i686)
  set(cg_gcc i686-linux-gnu)
  set(cg_multiarch i386-linux-gnu)
  set(cg_qemu qemu-i386)
elseif(CG_HOST STREQUAL "riscv64")
  set(CMAKE_SYSTEM_PROCESSOR riscv64)
  set(cg_gcc riscv64-linux-gnu)
  set(cg_qemu qemu-riscv64)
elseif(CG_HOST STREQUAL "amd64-trixie")
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
  set(cg_gcc x86_64-linux-gnu)
else()
  message(FATAL_ERROR "CG_HOST is arm64, armhf, i386, riscv64 or amd64-trixie, not '${CG_HOST}'")
endif()
if(NOT cg_multiarch)
  set(cg_multiarch ${cg_gcc})
endif()
set(CMAKE_C_COMPILER ${cg_gcc}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${cg_multiarch})

# CG_CACHE in the environment is what scripts/debian-package goes by, too.
set(cg_cache "$ENV{CG_CACHE}")
if(NOT cg_cache)
  set(cg_cache "$ENV{HOME}/.cache/cg-debian")
endif()
set(CMAKE_SYSROOT ${cg_cache}/${CG_HOST}/sysroot)
set(cg_lib ${CMAKE_SYSROOT}/usr/lib/${cg_multiarch})
if(NOT EXISTS ${cg_lib}/libc.so)
  message(FATAL_ERROR "no ${cg_lib}/libc.so: tests/hosts/run makes it")
endif()
execute_process(COMMAND ${cg_gcc}-gcc -print-file-name=include
                OUTPUT_VARIABLE cg_gcc_include OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CMAKE_C_FLAGS_INIT
    "-nostdinc -isystem ${cg_gcc_include} -isystem ${CMAKE_SYSROOT}/usr/include/${cg_multiarch} \
    -isystem ${CMAKE_SYSROOT}/usr/include")
set(cg_link "-B${cg_lib} -L${cg_lib} -Wl,-rpath-link,${cg_lib}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${cg_link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${cg_link}")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "${cg_link}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${cg_lib}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
if(cg_qemu)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${cg_qemu} -L ${CMAKE_SYSROOT})
else()
  set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_SYSROOT}/lib64/ld-linux-x86-64.so.2
      --library-path ${cg_lib})
endif()
