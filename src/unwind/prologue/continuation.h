/* SPDX-License-Identifier: MIT */
/*
 * Finds the code that makecontext makes a return address of, where a context's first function
 * returns to and the stack ends:
 *
 *     mov x0, x19; cbnz x0, setcontext; b exit             AArch64
 *     lea (%esp,%ebx,4), %esp; ...; call exit; hlt         i386, amid makecontext
 *     mv a0, s2; beqz s2, 1f; jal setcontext; 1: j exit    RISC-V, behind the function's first call
 *
 * What makecontext left in a callee-saved register becomes the first argument, or SP where calls
 * push the return address: where a function begins that register means nothing. No way returns. One
 * ends in what never returns; where the return address is in LR, several lead to other functions,
 * and one of these never returns or switches stacks. To leave for longjmp alone is no end.
 */
#ifndef UNWIND_PROLOGUE_CONTINUATION_H
#define UNWIND_PROLOGUE_CONTINUATION_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/prologue/prologue.h"

struct continuation_place {
    uint64_t vaddr;                  /* where it may begin */
    uint64_t start_vaddr, end_vaddr; /* of the function that holds it */
    enum code_mode mode;
};

/*
 * Whether such code begins at the place; `callee` and `context` as in struct prologue_input. False
 * also where that takes more than 64 instructions.
 */
bool continuation_at(struct code *code, prologue_callee_fn *callee, void *context,
                     const struct continuation_place *place);

#endif
