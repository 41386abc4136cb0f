/* SPDX-License-Identifier: MIT */
/*
 * Decodes instructions that Capstone 4 and Capstone 5 decode differently, or that one of them does
 * not know. Private to arch/x86.
 */
#ifndef ARCH_X86_CAPSTONE_COMPAT_H
#define ARCH_X86_CAPSTONE_COMPAT_H

#include <stdint.h>

#include "arch/x86/insn.h"

/*
 * Result of x86_decode_compat. COMPAT_NOT: Capstone is to decode the instruction. COMPAT_DECODED:
 * `out` is filled. COMPAT_REFUSED: the bytes count as no instruction: processors differ, too, or
 * they have no meaning, and no compiler emits them.
 */
enum compat { COMPAT_NOT, COMPAT_DECODED, COMPAT_REFUSED };

enum compat x86_decode_compat(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                              struct insn *out);

#endif
