/* SPDX-License-Identifier: MIT */
/*
 * Copies the stacks of a halted target's thread: as much as is needed, and no more.
 *
 *          SP                                       initial SP, or the end of the task's stack
 *          v first piece    next ...                v
 *     ---- |===============|===============|========| ----
 *                                          ^ from here on, the bytes may be taken from the
 *                                            thread's last sample instead
 *
 * The end of a stack: an RTOS tells that of its tasks; ARM's main stack ends at the initial SP; the
 * auxiliary vector tells that of a Linux program's first stack. Other stacks are followed until
 * more than GDB_STACK_WITHOUT_CODE pieces in a row have no address of code, as a frame may be
 * larger than a piece; for GDB_STACK_GUESS bytes, or --stack-size.
 *
 * Unread bytes. Each piece costs a round trip. If the rest would take longer than
 * GDB_STACK_CHEAP_NS, and the outer GDB_STACK_SAME of the bytes read are as in the last sample, the
 * rest is taken from the last sample, at most GDB_STACK_REUSES times in a row. This can be wrong,
 * if the program has called the same functions from another place meanwhile:
 * docs/decisions/0046-gdb-protocol.md.
 */
#ifndef BOARDS_GDB_STACKS_H
#define BOARDS_GDB_STACKS_H

#include "base/status.h"
#include "boards/gdb/state.h"
#include "capture/target/stack.h"

#define GDB_STACK_GUESS        ((uint64_t)16 << 10)
#define GDB_STACK_PIECE        1024u
#define GDB_STACK_WITHOUT_CODE 4u
#define GDB_STACK_SAME         512u
#define GDB_STACK_CHEAP_NS     UINT64_C(400000)
#define GDB_STACK_REUSES       15u

/*
 * Copies the thread's stack into `arena` and describes it in *out, by the thread's registers in
 * this halt; for a handler of ARM's M-profile also the process stack. FAULT: nothing could be read
 * at SP (for a board's CPU: OK, with an empty region). NO_MEMORY: the arena is full.
 */
MUST_CHECK enum status gdb_stacks_copy(struct gdb_state *st, struct target_thread *thread,
                                       struct stack_arena *arena, struct stack_copy *out);

#endif
