/* SPDX-License-Identifier: MIT */
/* Stubs of a procedure linkage table of RISC-V, which differ by the load of a word only. */
#ifndef ARCH_RISCV_PLT_H
#define ARCH_RISCV_PLT_H

#include "arch/analysis/plt.h"

/* As plt_decode_fn, for words of so many bytes. */
bool riscv_plt_decode(const struct plt_code *code, unsigned word_size, struct plt_stub *out);

#endif
