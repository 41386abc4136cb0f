# SPDX-License-Identifier: MIT
# ARMv7 with hardware floating point, T32 code: what Debian calls armhf.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(cg_deb_arch armhf)
set(cg_musl arm-linux-musleabihf)
set(cg_gcc arm-linux-gnueabihf)
set(cg_flags "-mthumb")
# A page has 4 KiB wherever there is ARM code; binutils leaves room in the file for 64.
set(cg_link_flags ",-z,max-page-size=4096")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
