# SPDX-License-Identifier: MIT
# AArch64.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(cg_deb_arch arm64)
set(cg_musl aarch64-linux-musl)
set(cg_gcc aarch64-linux-gnu)
# gcc keeps frame pointers on AArch64 unless it is told not to: 3 % of the code.
set(cg_flags "-DCG_STAYS_ATTACHED -mno-outline-atomics -fomit-frame-pointer")
# Pages may have 64 KiB; the data follows the code in the file all the same, not 4 KiB further.
# The erratum 843419 is avoided by adr, which reaches all of so small a program: the other way
# takes a page of its own.
set(cg_link_flags ",-z,common-page-size=65536,--fix-cortex-a53-843419=adr")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
