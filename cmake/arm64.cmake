# SPDX-License-Identifier: MIT
# AArch64.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(cg_deb_arch arm64)
set(cg_musl aarch64-linux-musl)
set(cg_gcc aarch64-linux-gnu)
set(cg_flags "-mno-outline-atomics")
# Pages may have 64 KiB: what is read-only would end at a multiple of that, in the file as well.
set(cg_relro "-z,norelro,-z,now")
# The erratum 843419 is avoided by adr, which reaches all of so small a program: the other way
# takes a page of its own.
set(cg_link_flags ",--fix-cortex-a53-843419=adr")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
