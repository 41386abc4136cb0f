/* SPDX-License-Identifier: MIT */
/*
 * How deep the stacks of an RTOS's tasks were ever used: kernels fill them with one byte, and what
 * still has it, from the far end on, was not. To read all of that at once is dear over a probe, so
 * each halt reads a little, and goes on where the last one has left. What was painted when it was
 * read and is used soon after is found by the next pass, as stacks are looked at again and again.
 */
#ifndef CAPTURE_GDB_PAINT_H
#define CAPTURE_GDB_PAINT_H

#include "capture/gdb/state.h"

/* In a halt, when its tasks are known: the next part of their stacks. */
void gdb_paint_look(struct gdb_state *st);

/* Where the part of its stack begins that was ever used; 0: not known yet, or it is not painted. */
uint64_t gdb_paint_used(const struct gdb_thread *own);

#endif
