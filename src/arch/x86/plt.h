/* SPDX-License-Identifier: MIT */
/* Decodes PLT stubs of x86. Those of 64 and of 32 bits differ in how they reach their GOT word. */
#ifndef ARCH_X86_PLT_H
#define ARCH_X86_PLT_H

#include "arch/analysis/plt.h"

/*
 * Decodes the stub at the beginning of `code`, whose words have `word_size` bytes (4 or 8). False:
 * it begins with no known stub.
 */
bool x86_plt_decode(const struct plt_code *code, unsigned word_size, struct plt_stub *out);

#endif
