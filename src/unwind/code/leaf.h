/* SPDX-License-Identifier: MIT */
/*
 * What code that calls nothing changes. Its caller may rely on the rest, whatever the ABI says of
 * calls: hand-written code keeps the return address in a register that calls may change, across
 * calls of its own helpers.
 */
#ifndef UNWIND_CODE_LEAF_H
#define UNWIND_CODE_LEAF_H

#include <stdint.h>

#include "unwind/code/code.h"

/*
 * A mask of the registers that the function at `vaddr` may change; all: it calls, jumps to where
 * nobody knows, never returns, or is too large. An answer is kept.
 */
uint64_t leaf_changes(struct code *code, uint64_t vaddr, enum code_mode mode);

#endif
