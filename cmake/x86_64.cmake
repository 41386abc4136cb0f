# SPDX-License-Identifier: MIT
# x86-64.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(cg_deb_arch amd64)
set(cg_musl x86_64-linux-musl)
set(cg_gcc x86_64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
