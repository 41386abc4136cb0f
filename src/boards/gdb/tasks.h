/* SPDX-License-Identifier: MIT */
/*
 * Finds the target's threads. A stub's own are a board's CPUs, or a program's threads. Where an
 * RTOS's layout is known (boards/rtos/rtos.h) its tasks are threads as well; a task that has a CPU
 * stands for that CPU, which is no thread then. A task is known by the address of its control
 * block, and gets a number when it is first seen.
 */
#ifndef BOARDS_GDB_TASKS_H
#define BOARDS_GDB_TASKS_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

/* In the first halt: adds the threads. NOT_FOUND: none of those asked for, as `diag` says. */
MUST_CHECK enum status gdb_tasks_begin(struct gdb_state *st, struct diag *diag);

/* In a halt, before it is reported: adds new threads, and notes ends for gdb_tasks_next_end. */
void gdb_tasks_look(struct gdb_state *st);

/* Returns a thread that has ended, each once; NULL: no more. */
struct target_thread *gdb_tasks_next_end(struct gdb_state *st);

/*
 * In a halt: reads the thread's registers, or takes them from where its RTOS has saved them. FAULT:
 * unreadable; NOT_FOUND: the thread is gone. IO.
 */
MUST_CHECK enum status gdb_tasks_registers(struct gdb_state *st, struct target_thread *thread);

void gdb_tasks_forget(struct gdb_state *st, const struct target_thread *thread);

#endif
