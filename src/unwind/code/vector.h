/* SPDX-License-Identifier: MIT */
/*
 * Tables of jumps by which processors enter handlers of exceptions (RISC-V's vectored mtvec):
 *
 *     j exceptions
 *     j unexpected        a loop without an end, as often as not
 *     j unexpected
 *     j timer             one that returns to what was interrupted tells what the table is
 */
#ifndef UNWIND_CODE_VECTOR_H
#define UNWIND_CODE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"

/*
 * Is the instruction at `vaddr` an entry of such a table? *target is where it leads; it is filled
 * wherever the instruction is a jump of an entry's size.
 */
bool code_is_vector(struct code *code, uint64_t vaddr, enum code_mode mode, uint64_t *target);

#endif
