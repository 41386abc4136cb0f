/* SPDX-License-Identifier: MIT */
/*
 * The processes and threads that the capture has: adds those that the backend finds, if they are
 * wanted (enum capture_wanted). Internal to capture/.
 */
#ifndef CAPTURE_TARGETS_H
#define CAPTURE_TARGETS_H

#include "capture/session.h"

/* Functions of struct backend_host (target/backend.h); `context` is the struct capture. */
struct target_process *targets_add_process(void *context, pid_t pid, pid_t tid);
struct target_thread *targets_add_thread(void *context, struct target_process *process, pid_t tid,
                                         bool made);
struct target_thread *targets_find_thread(void *context, pid_t tid);

/*
 * For its maker's event: adds the new thread `tid`, whose first stop may be yet to come, as
 * CREATION needs it known. If it was killed and is gone already, nothing would report its end: not
 * added.
 */
void targets_adopt(struct capture *cap, pid_t tid);

/* Reads the mappings of the processes of which none were read yet. */
void targets_read_maps(struct capture *cap);

/* Looks for new processes of the family; frees processes, so call it when books are settled. */
void targets_find_more(struct capture *cap);

#endif
