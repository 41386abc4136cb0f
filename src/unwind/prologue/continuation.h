/* SPDX-License-Identifier: MIT */
/*
 * Finds code that only a made return address leads to, and that ends its stack: makecontext's.
 *
 *     mov x0, x19; cbnz x0, setcontext; b exit             AArch64
 *     lea (%esp,%ebx,4), %esp; ...; call exit; hlt         i386, amid makecontext
 *     mv a0, s2; beqz s2, 1f; jal setcontext; 1: j exit    RISC-V, behind the function's first call
 *
 * It uses what a callee-saved register holds, which means nothing where a function begins, and it
 * does not return.
 */
#ifndef UNWIND_PROLOGUE_CONTINUATION_H
#define UNWIND_PROLOGUE_CONTINUATION_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/prologue/prologue.h"

/*
 * Whether such code begins at `vaddr`; `callee` and `context` as in struct prologue_input. False
 * also where that takes more than 64 instructions.
 */
bool continuation_at(struct code *code, prologue_callee_fn *callee, void *context, uint64_t vaddr,
                     enum code_mode mode);

#endif
