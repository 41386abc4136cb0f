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
 * Whether the instruction at `vaddr` is an entry of a table of jumps to exception handlers. Sets
 * *target to the target of the 4-byte jump at `vaddr`, also if that jump is no such entry. Always
 * false, with *target not set, on processors without such tables.
 */
bool code_is_vector(struct code *code, uint64_t vaddr, enum code_mode mode, uint64_t *target);

#endif
