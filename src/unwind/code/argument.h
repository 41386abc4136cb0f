/* SPDX-License-Identifier: MIT */
/*
 * Is an argument still what debug information says that it is made of? LLVM (14 at least) tells it
 * by registers as they are at the call, also where one of them is changed behind the instruction
 * that made the argument:
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
    uint64_t start_vaddr, return_vaddr; /* of the function that calls; behind the call */
    enum code_mode mode;
    uint8_t reg;    /* the argument's */
    uint64_t parts; /* a mask of the registers that it is told by */
};

/*
 * Does nothing write these between the last instruction that writes the argument's register and the
 * call, in one straight line? False also where that cannot be found out. An answer is kept.
 */
bool argument_holds(struct code *code, const struct argument_place *place);

#endif
