/* SPDX-License-Identifier: MIT */
/*
 * Copying the stacks of a thread of a halted target: as much as is needed, and no more than that.
 *
 *          SP                                       initial SP, or the end of the task's stack
 *          v first piece    next …                  v
 *     ---- |===============|===============|========| ----
 *                                          ^ what did not change since the last sample is taken
 *                                            from there
 *
 * Where a stack ends: as its RTOS says; of ARM's main stack at the initial SP; of a Linux program's
 * first thread by its auxiliary vector. Else nobody knows: it is followed while there are addresses
 * of code in what was read last, for GDB_STACK_GUESS bytes, or --stack-size.
 *
 * What did not change. To read on costs a round trip for each piece. Where that is more than what
 * GDB_STACK_CHEAP_NS allows, and the outer GDB_STACK_SAME bytes of what was read are what the last
 * sample had there, the rest is taken to be so, too, GDB_STACK_REUSES times in a row at most. That
 * can be wrong, where a program has called the same functions from another place meanwhile;
 * docs/decisions/0046-gdb-protocol.md says what was weighed.
 */
#ifndef CAPTURE_GDB_STACKS_H
#define CAPTURE_GDB_STACKS_H

#include "base/status.h"
#include "capture/gdb/state.h"
#include "capture/target/stack.h"

#define GDB_STACK_GUESS    ((uint64_t)16 << 10)
#define GDB_STACK_PIECE    1024u
#define GDB_STACK_SAME     512u
#define GDB_STACK_CHEAP_NS UINT64_C(400000)
#define GDB_STACK_REUSES   15u

/*
 * Of the thread with the registers that were read in this halt, to the arena; of a handler of ARM's
 * M-profile the process stack, too. FAULT: nothing could be read at SP. NO_MEMORY: the arena is
 * full.
 */
MUST_CHECK enum status gdb_stacks_copy(struct gdb_state *st, struct target_thread *thread,
                                       struct stack_arena *arena, struct stack_copy *out);

#endif
