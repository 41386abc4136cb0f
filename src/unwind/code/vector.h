/* SPDX-License-Identifier: MIT */
/*
 * Recognizes tables of jumps by which processors enter exception handlers (RISC-V's vectored
 * mtvec):
 *
 *     j exceptions
 *     j unexpected        often an endless loop
 *     j unexpected
 *     j timer             a handler that returns from the exception: so this is such a table
 */
#ifndef UNWIND_CODE_VECTOR_H
#define UNWIND_CODE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"

/*
 * Is the instruction at `vaddr` an entry of such a table? *target is the jump's target, set also if
 * a jump of 4 bytes is none; always false, and not set, on processors without such tables.
 */
bool code_is_vector(struct code *code, uint64_t vaddr, enum code_mode mode, uint64_t *target);

#endif
