/* SPDX-License-Identifier: MIT */
/*
 * Leaving threads alone between their samples, as each signal stops a thread that is traced. The
 * functions are the backend's; see capture/target/backend.h.
 *
 * That a thread is still the one that was left is told by what is kept open of it: what is read
 * through a descriptor of a file in /proc/PID/task/TID is that thread's, or ESRCH once it has
 * ended, whoever has its number then; of the first thread it is also that of one that has called
 * exec and become the first. That its program is still the same is told by /proc/PID/mem:
 * a descriptor stays that of the memory that the process had when it was opened, of which nothing
 * can be read any more once exec has replaced it.
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
 * Of a process of which a thread was left (ptrace_was_left):
 *
 * Is it this thread's stop that tells of another program: is it the first thread, or has that one
 * ended before it was attached to again?
 */
bool reattach_tells_program(struct ptrace_state *st, const struct target_thread *thread);

/* An exec was told, or the process is forgotten. */
void reattach_forget_program(struct target_process *process);

#endif
