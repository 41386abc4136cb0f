/* SPDX-License-Identifier: MIT */
/*
 * Finds the registers that a function without calls changes. The other registers keep their values,
 * even those that the ABI lets calls change: hand-written code keeps the return address in one of
 * these across calls of its own helpers.
 */
#ifndef UNWIND_CODE_LEAF_H
#define UNWIND_CODE_LEAF_H

#include <stdint.h>

#include "unwind/code/code.h"

/*
 * Returns a mask of the registers that the function at `vaddr` may change (bit n: register n).
 * UINT64_MAX: not known, as the function calls, jumps to an unknown address, never returns, or has
 * more than 512 instructions. Caches the answer in `code`.
 */
uint64_t leaf_changes(struct code *code, uint64_t vaddr, enum code_mode mode);

#endif
