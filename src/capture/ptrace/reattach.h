/* SPDX-License-Identifier: MIT */
/*
 * Detaches threads between their samples, as each signal stops a traced thread. The functions with
 * `state` are the backend's leave, reattach and list_threads; see
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

#endif
