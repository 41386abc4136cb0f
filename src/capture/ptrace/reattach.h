/* SPDX-License-Identifier: MIT */
/*
 * Leaves threads alone between their samples, as each signal stops a traced thread. The functions
 * are the backend's; see capture/target/backend.h.
 *
 * Open descriptors show whether a left thread is still the same. What is read through a descriptor
 * of a file in /proc/PID/task/TID is this thread's, or ESRCH once it has ended, whoever has its
 * number then; for the first thread it is also that of a thread that called exec and became the
 * first. A descriptor of /proc/PID/mem shows whether the program is the same: it stays that of the
 * memory at its opening, of which nothing can be read once exec has replaced it.
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
 * Only for processes of which a thread was left (ptrace_was_left).
 *
 * Must this thread's stop be reported as an exec? True if the process runs another program and this
 * is its first thread, or the first thread has ended.
 */
bool reattach_tells_program(struct ptrace_state *st, const struct target_thread *thread);

/* Closes the memory of the old program: an exec was reported, or the process is forgotten. */
void reattach_forget_program(struct target_process *process);

#endif
