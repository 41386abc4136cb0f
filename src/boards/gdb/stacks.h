/* SPDX-License-Identifier: MIT */
/*
 * Copies the stacks of a halted target's thread: as much as is needed, and no more.
 *
 *          SP                                       initial SP, or the end of the task's stack
 *          v first piece    next ...                v
 *     ---- |===============|===============|========| ----
 *                                          ^ from here on, what did not change since the last
 *                                            sample is taken from that
 *
 * Where a stack ends: as its RTOS says; ARM's main stack at the initial SP; a Linux program's first
 * stack by its auxiliary vector. Otherwise it is followed while the last piece has addresses of
 * code, for GDB_STACK_GUESS bytes, or --stack-size.
 *
 * What did not change. Each piece costs a round trip. If the rest would take longer than
 * GDB_STACK_CHEAP_NS, and the outer GDB_STACK_SAME bytes of what was read are as in the last
 * sample, the rest is taken to be the same, at most GDB_STACK_REUSES times in a row. This can be
 * wrong, if the program has called the same functions from another place meanwhile:
 * docs/decisions/0046-gdb-protocol.md.
 */
#ifndef BOARDS_GDB_STACKS_H
#define BOARDS_GDB_STACKS_H

#include "base/status.h"
#include "boards/gdb/state.h"
#include "capture/target/stack.h"

#define GDB_STACK_GUESS    ((uint64_t)16 << 10)
#define GDB_STACK_PIECE    1024u
#define GDB_STACK_SAME     512u
#define GDB_STACK_CHEAP_NS UINT64_C(400000)
#define GDB_STACK_REUSES   15u

/*
 * Copies into the arena the stack of the thread, by its registers in this halt; for a handler of
 * ARM's M-profile the process stack, too. FAULT: nothing could be read at SP (of a board's CPU the
 * region is empty then, and it is OK). NO_MEMORY: the arena is full.
 */
MUST_CHECK enum status gdb_stacks_copy(struct gdb_state *st, struct target_thread *thread,
                                       struct stack_arena *arena, struct stack_copy *out);

#endif
