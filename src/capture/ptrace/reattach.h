/* SPDX-License-Identifier: MIT */
/*
 * Detaches threads between their samples, as each signal stops a traced thread. The functions with
 * `state` are the backend's leave, reattach, list_threads and program; see
 * capture/target/backend.h.
 *
 * Open descriptors show whether a left (detached) thread is still the same. A descriptor of a file
 * in /proc/PID/task/TID gives this thread's data, or ESRCH once the thread has ended, also if its
 * number was given to another; the first thread's descriptor also gives the data of a thread that
 * called exec and became the first. A descriptor of /proc/PID/mem shows whether the program is the
 * same: it stays that of the memory at its opening, of which nothing can be read after an exec.
 */
#ifndef CAPTURE_PTRACE_REATTACH_H
#define CAPTURE_PTRACE_REATTACH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "capture/ptrace/tracees.h"
#include "capture/target/backend.h"

enum status reattach_leave(void *state, struct target_thread *thread);
enum status reattach_thread(void *state, struct target_thread *thread);
size_t reattach_list(void *state, struct target_process *process);
enum target_program reattach_program(void *state, const struct target_process *process);

/*
 * Whether this thread's stop must be reported as an exec: the process runs another program than
 * before, and the thread is its first, or the first has ended. Only for processes of which a thread
 * was left (ptrace_was_left).
 */
bool reattach_tells_program(struct ptrace_state *st, const struct target_thread *thread);

/*
 * Closes the descriptor of the old program's memory; to be called when an exec was reported, or the
 * process is forgotten.
 */
void reattach_forget_program(struct target_process *process);

#endif
