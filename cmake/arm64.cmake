# AArch64.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(cg_deb_arch arm64)
set(cg_musl aarch64-linux-musl)
set(cg_gcc aarch64-linux-gnu)
set(cg_flags "-mno-outline-atomics")
# Pages may have 64 KiB; the data follows the code in the file all the same, not 4 KiB further.
set(cg_link_flags ",-z,common-page-size=65536")
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
