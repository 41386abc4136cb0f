# SPDX-License-Identifier: MIT
# RISC-V of 64 bits: what Debian calls riscv64, RV64GC.
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(cg_deb_arch riscv64)
set(cg_musl riscv64-linux-musl)
set(cg_gcc riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/musl.cmake)
