# SPDX-License-Identifier: MIT
# As armhf, in A32 code.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(cg_deb_arch armhf)
set(cg_musl arm-linux-musleabihf)
set(cg_gcc arm-linux-gnueabihf)
# What makes the smaller code.
set(cg_flags "-marm -fno-move-loop-invariants -fno-inline-small-functions -fno-tree-loop-im \
    -fno-expensive-optimizations -fno-tree-ch -fno-tree-sra -fno-section-anchors -fno-shrink-wrap \
    -fno-tree-tail-merge -fno-forward-propagate -fno-tree-pta -fno-tree-fre \
    -fno-optimize-sibling-calls -frename-registers \
    -DCG_STAYS_ATTACHED") # session.h
# A page has 4 KiB wherever there is ARM code; binutils leaves room in the file for 64.
set(cg_link_flags ",-z,max-page-size=4096")
set(cg_hardened ON)
set(cg_canaries -fstack-protector) # where there are arrays of 8 characters or more
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
