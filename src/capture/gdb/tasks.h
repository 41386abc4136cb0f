/* SPDX-License-Identifier: MIT */
/*
 * Threads. A stub's own are the CPUs of a board, or the threads of a program. Where the layout of
 * an RTOS is known (rtos/rtos.h) its tasks are threads as well: the one that has a CPU is what that
 * runs, so that the CPU itself is none while it has a task. A task is known by the address of its
 * control block, and gets a number when it is first seen.
 */
#ifndef CAPTURE_GDB_TASKS_H
#define CAPTURE_GDB_TASKS_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/state.h"

/* In the first halt: adds the stub's threads. NOT_FOUND: `diag` says which were not. NO_MEMORY. */
MUST_CHECK enum status gdb_tasks_begin(struct gdb_state *st, struct diag *diag);

/* In a halt, before it is reported: who came, and who ended, which gdb_tasks_next_end tells. */
void gdb_tasks_look(struct gdb_state *st);

/* A thread that has ended, once; NULL: there is none any more. */
struct target_thread *gdb_tasks_next_end(struct gdb_state *st);

/*
 * In a halt: has the thread's registers read, or taken from where its RTOS has saved them. FAULT:
 * they cannot be; NOT_FOUND: it is not there any more. IO.
 */
MUST_CHECK enum status gdb_tasks_registers(struct gdb_state *st, struct target_thread *thread);

void gdb_tasks_forget(struct gdb_state *st, const struct target_thread *thread);

#endif
