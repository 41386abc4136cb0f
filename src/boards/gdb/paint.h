/* SPDX-License-Identifier: MIT */
/*
 * Finds how deep the stacks of an RTOS's tasks were ever used: kernels fill stacks with one byte
 * (paint), and the part that still has this byte, from the far end on, was not used. Reading all of
 * it at once takes long over a probe: each halt reads a little, and goes on where the last halt
 * stopped. Each stack is read again and again, so that later use is found, too.
 */
#ifndef BOARDS_GDB_PAINT_H
#define BOARDS_GDB_PAINT_H

#include "boards/gdb/state.h"

/*
 * Reads the next part of the tasks' stacks, for some 0.5 ms; to be called in a halt whose tasks are
 * known.
 */
void gdb_paint_look(struct gdb_state *st);

/*
 * Returns the lowest address of the task's stack that was ever used; 0: not known yet, or the stack
 * is not painted.
 */
uint64_t gdb_paint_used(const struct gdb_thread *own);

#endif
