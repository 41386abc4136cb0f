# SPDX-License-Identifier: MIT
# As armhf, in A32 code.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(cg_deb_arch armhf)
set(cg_musl arm-linux-musleabihf)
set(cg_gcc arm-linux-gnueabihf)
set(cg_flags "-marm")
# A page has 4 KiB wherever there is ARM code; binutils leaves room in the file for 64.
set(cg_link_flags ",-z,max-page-size=4096")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
