/* SPDX-License-Identifier: MIT */
/* Tells whether a thread is in a system call or has just returned from one. */
#ifndef UNWIND_BEHIND_CALL_H
#define UNWIND_BEHIND_CALL_H

#include <stdbool.h>

#include "arch/arch.h"
#include "unwind/chain.h"

/*
 * Whether a system call instruction ends at the PC of the chain's innermost frame, by the module's
 * file. False also if the file is not open.
 */
bool chain_is_behind_call(const struct arch *arch, const struct chain *chain);

#endif
