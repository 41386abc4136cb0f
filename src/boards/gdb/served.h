/* SPDX-License-Identifier: MIT */
/*
 * Tells tasks from CPUs where a debug server knows an RTOS itself (OpenOCD's -rtos, J-Link's
 * plug-ins, pyOCD) and lists its tasks as the stub's threads. One of them runs, which a stop names,
 * and has the CPU's registers; the server takes the registers of the others from their stacks.
 * Where our own walk knows the RTOS (boards/rtos/rtos.h), it is used instead, as it tells more.
 *
 * Nothing in the protocol says what a thread is. CPUs are counted from 1 (QEMU, OpenOCD's hwthread
 * for several CPUs). Tasks mostly have the addresses of their control blocks as numbers; otherwise
 * the text for people (qThreadExtraInfo) tells of blocking or a priority.
 */
#ifndef BOARDS_GDB_SERVED_H
#define BOARDS_GDB_SERVED_H

#include "boards/gdb/state.h"

/* Size of the text for people, with its NUL. */
#define GDB_EXTRA_MAX 128u

/* In the first halt: are the stub's threads tasks, and not CPUs? */
bool gdb_served_are_tasks(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count);

/* Does a thread's text say that it is a task, or a CPU? */
enum gdb_served_kind { GDB_SERVED_UNKNOWN, GDB_SERVED_TASK, GDB_SERVED_CPU };
enum gdb_served_kind gdb_served_kind_of(const char *extra);

/* Extracts the name: "Name: blink, State: Running" gives blink. */
void gdb_served_name(const char *extra, char out[PROC_NAME_SIZE]);

/* Asks for the thread's text; "": none. */
void gdb_served_extra(struct gdb_state *st, const struct gdb_thread_id *id,
                      char out[GDB_EXTRA_MAX]);

/* Returns the thread that the stop names, or that the stub says is current; tid 0: none. */
struct gdb_thread_id gdb_served_running(struct gdb_state *st);

#endif
