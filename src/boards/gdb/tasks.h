/* SPDX-License-Identifier: MIT */
/*
 * Finds the target's threads. The stub's own threads are a board's CPUs, or a program's threads.
 * Where an RTOS's layout is known (boards/rtos/rtos.h) the RTOS's tasks are threads as well; a task
 * that has a CPU stands for that CPU, which is no thread then. A task is known by the address of
 * its control block, and gets a thread number when it is first seen.
 */
#ifndef BOARDS_GDB_TASKS_H
#define BOARDS_GDB_TASKS_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

/*
 * Adds the target's threads, in the first halt. NOT_FOUND: the target has none of the threads that
 * the user asked for, as `diag` says.
 */
MUST_CHECK enum status gdb_tasks_begin(struct gdb_state *st, struct diag *diag);

/*
 * Adds the threads that are new in this halt, and notes ended ones for gdb_tasks_next_end; to be
 * called before the halt is reported to the core.
 */
void gdb_tasks_look(struct gdb_state *st);

/* Returns the next thread that has ended, each once; NULL: there are no more. */
struct target_thread *gdb_tasks_next_end(struct gdb_state *st);

/*
 * Gets the halted thread's registers, from the stub or from where its RTOS has saved them, into the
 * `regs` and `unknown` of its struct gdb_thread. FAULT: they cannot be read, or PC or SP is not
 * known; NOT_FOUND: the thread is gone; IO: the connection has failed.
 */
MUST_CHECK enum status gdb_tasks_registers(struct gdb_state *st, struct target_thread *thread);

/* Removes the thread from the lists of `st`, as the core is about to free it. */
void gdb_tasks_forget(struct gdb_state *st, const struct target_thread *thread);

#endif
