/* SPDX-License-Identifier: MIT */
/*
 * Finds how deep the stacks of an RTOS's tasks were ever used: kernels fill them with one byte, and
 * what still has this byte, from the far end on, was not used. Reading all of it at once is dear
 * over a probe: each halt reads a little, and goes on where the last one stopped. Stacks are looked
 * at again and again: a later pass finds what was used after it was read.
 */
#ifndef BOARDS_GDB_PAINT_H
#define BOARDS_GDB_PAINT_H

#include "boards/gdb/state.h"

/* In a halt, when its tasks are known: reads the next part of their stacks, for some 0.5 ms. */
void gdb_paint_look(struct gdb_state *st);

/* Returns where the used part of the task's stack begins; 0: not known yet, or not painted. */
uint64_t gdb_paint_used(const struct gdb_thread *own);

#endif
