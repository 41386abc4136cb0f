# SPDX-License-Identifier: MIT
# The same input gives the same bytes on every host, so a double has to have the same value
# everywhere: no 80 bits in the registers of the x87 (i386), no multiplication and addition that are
# rounded once (AArch64, RISC-V). tests/hosts/run compares.
include(CheckSymbolExists)

check_symbol_exists(__i386__ stddef.h CG_I386)
if(CG_I386) # a Pentium 4 or later
  add_compile_options(-msse2 -mfpmath=sse)
endif()
add_compile_options(-ffp-contract=off)
