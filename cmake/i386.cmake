# SPDX-License-Identifier: MIT
# 32-bit x86, from the Pentium Pro on. Nothing here needs a stack at multiples of more than four
# bytes, and code that keeps it so is larger. So is code in which large functions are one: there are
# few registers.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(cg_deb_arch i386)
set(cg_musl i386-linux-musl)
set(cg_gcc i686-linux-gnu)
set(cg_flags "-mpreferred-stack-boundary=2 -fno-inline-functions-called-once")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
