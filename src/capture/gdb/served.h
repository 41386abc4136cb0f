/* SPDX-License-Identifier: MIT */
/*
 * Debug servers that know an RTOS themselves (OpenOCD's -rtos, J-Link's plug-ins, pyOCD) list its
 * tasks as the stub's threads. One of them runs, which a stop names, and has the CPU's registers;
 * those of the others the server takes from their stacks. Where our own walk knows the RTOS
 * (rtos/rtos.h), it is used, as it tells more, and the server's list is not.
 *
 * Nothing in the protocol says what a thread is. CPUs are counted from 1 (QEMU, OpenOCD's hwthread
 * for several CPUs); tasks mostly have the addresses of their control blocks, and else what is said
 * of them for people (qThreadExtraInfo) is of a task: that it is blocked, or has a priority.
 */
#ifndef CAPTURE_GDB_SERVED_H
#define CAPTURE_GDB_SERVED_H

#include "capture/gdb/state.h"

/* What people are told of a thread, at most; with a NUL. */
#define GDB_EXTRA_MAX 128u

/* In the first halt: are the stub's threads tasks, and not CPUs? */
bool gdb_served_are_tasks(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count);

/* Does what is said of a thread say that it is a task, or that it is a CPU? */
enum gdb_served_kind { GDB_SERVED_UNKNOWN, GDB_SERVED_TASK, GDB_SERVED_CPU };
enum gdb_served_kind gdb_served_kind_of(const char *extra);

/* The name in it: "Name: blink, State: Running" is of blink. */
void gdb_served_name(const char *extra, char out[PROC_NAME_SIZE]);

/* What is said of the thread; "" if nothing is. */
void gdb_served_extra(struct gdb_state *st, const struct gdb_thread_id *id,
                      char out[GDB_EXTRA_MAX]);

/* The one that the stop names, or the stub says is the current one; tid 0: none. */
struct gdb_thread_id gdb_served_running(struct gdb_state *st);

#endif
