/* SPDX-License-Identifier: MIT */
/*
 * Checks that an argument of a call still has the value that debug information computes. LLVM (14
 * at least) computes the argument from registers as they are at the call, even if one of them has
 * changed after the instruction that made the argument:
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
    /* start of the calling function; end of the call instruction */
    uint64_t start_vaddr, return_vaddr;
    enum code_mode mode;
    uint8_t reg;    /* register that passes the argument */
    uint64_t parts; /* mask of the registers that it is computed from */
};

/*
 * Whether the code from the last instruction that writes `reg` to the call has no branch, and
 * writes none of `parts`. False also if the code cannot be decoded. Caches the answer in `code`.
 */
bool argument_holds(struct code *code, const struct argument_place *place);

#endif
