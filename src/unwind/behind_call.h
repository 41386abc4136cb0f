/* SPDX-License-Identifier: MIT */
/* Has the thread just come out of a system call, or is it in one? */
#ifndef UNWIND_BEHIND_CALL_H
#define UNWIND_BEHIND_CALL_H

#include <stdbool.h>

#include "arch/arch.h"
#include "unwind/chain.h"

/*
 * Does an instruction that makes a system call end where the innermost frame is? Read in the file
 * that it is in; false where there is none.
 */
bool chain_is_behind_call(const struct arch *arch, const struct chain *chain);

#endif
