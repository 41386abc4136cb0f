/* SPDX-License-Identifier: MIT */
/*
 * Finds the registers that a function without calls changes. The others keep their values, even
 * those that the ABI lets calls change: hand-written code keeps the return address in such a
 * register across calls of its own helpers.
 */
#ifndef UNWIND_CODE_LEAF_H
#define UNWIND_CODE_LEAF_H

#include <stdint.h>

#include "unwind/code/code.h"

/*
 * Returns a mask of the registers that the function at `vaddr` may change. All registers: it calls,
 * jumps to an unknown address, never returns, or has more than 512 instructions. Caches the answer.
 */
uint64_t leaf_changes(struct code *code, uint64_t vaddr, enum code_mode mode);

#endif
