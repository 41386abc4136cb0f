/* SPDX-License-Identifier: MIT */
/*
 * Checks that an argument of a call still has the value that debug information computes. LLVM (14
 * at least) computes the argument from registers as they are at the call, even if one of them has
 * changed behind the instruction that made the argument:
 *
 *     lea 5(%rbx), %esi      "rsi is rbx + 5"
 *     add $7, %ebx
 *     call f
 */
#ifndef UNWIND_CODE_ARGUMENT_H
#define UNWIND_CODE_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"

struct argument_place {
    uint64_t start_vaddr, return_vaddr; /* start of the calling function; end of the call */
    enum code_mode mode;
    uint8_t reg;    /* the argument's */
    uint64_t parts; /* mask of the registers from which it is computed */
};

/*
 * Does the code from the last instruction that writes `reg` to the call run straight, and write
 * none of `parts`? False also if the code cannot be decoded. Caches the answer.
 */
bool argument_holds(struct code *code, const struct argument_place *place);

#endif
