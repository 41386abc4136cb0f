/* SPDX-License-Identifier: MIT */
/*
 * Tells tasks from CPUs where a debug server knows an RTOS itself (OpenOCD's -rtos, J-Link's
 * plug-ins, pyOCD) and lists the RTOS's tasks as the stub's threads. One task runs, which a stop
 * reply names, and has the CPU's registers; the server takes the registers of the others from their
 * stacks. Where boards/rtos/rtos.h knows the RTOS, that is used instead, as it tells more.
 *
 * Nothing in the protocol says whether a thread is a task or a CPU. CPUs are counted from 1 (QEMU,
 * OpenOCD's hwthread for several CPUs). Tasks mostly have the addresses of their control blocks as
 * numbers; otherwise the text for people (qThreadExtraInfo) tells of blocking or a priority.
 */
#ifndef BOARDS_GDB_SERVED_H
#define BOARDS_GDB_SERVED_H

#include "boards/gdb/state.h"

/* Most bytes of a thread's text for people (qThreadExtraInfo), with its NUL. */
#define GDB_EXTRA_MAX 128u

/*
 * Whether the `count` threads of the stub, in the first halt, are tasks. False: they are CPUs or a
 * program's threads, or a single one.
 */
bool gdb_served_are_tasks(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count);

/* Says by a thread's text for people, `extra`, whether it is a task or a CPU. */
enum gdb_served_kind { GDB_SERVED_UNKNOWN, GDB_SERVED_TASK, GDB_SERVED_CPU };
enum gdb_served_kind gdb_served_kind_of(const char *extra);

/* Extracts a task's name from its text: "Name: blink, State: Running" gives blink. */
void gdb_served_name(const char *extra, char out[PROC_NAME_SIZE]);

/* Asks the stub for the thread's text for people; "": it has none, or does not answer. */
void gdb_served_extra(struct gdb_state *st, const struct gdb_thread_id *id,
                      char out[GDB_EXTRA_MAX]);

/*
 * Returns the thread that the last stop reply names, else the thread that the stub calls current
 * (qC); tid 0: neither tells.
 */
struct gdb_thread_id gdb_served_running(struct gdb_state *st);

#endif
