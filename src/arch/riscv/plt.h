/* SPDX-License-Identifier: MIT */
/* PLT stubs of RISC-V. Those for 64 and for 32 bits differ only in the load of a word. */
#ifndef ARCH_RISCV_PLT_H
#define ARCH_RISCV_PLT_H

#include "arch/analysis/plt.h"

/* As plt_decode_fn, for words of `word_size` bytes. */
bool riscv_plt_decode(const struct plt_code *code, unsigned word_size, struct plt_stub *out);

#endif
