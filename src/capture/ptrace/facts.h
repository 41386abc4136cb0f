/* SPDX-License-Identifier: MIT */
/*
 * Reads the facts about processes and threads in a snapshot from /proc. All functions are those of
 * the same names of struct capture_backend (capture/target/backend.h); `state` is a struct
 * ptrace_state.
 */
#ifndef CAPTURE_PTRACE_FACTS_H
#define CAPTURE_PTRACE_FACTS_H

#include "capture/ptrace/tracees.h"

bool facts_identify(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                    uint64_t *start_ticks);
uint32_t facts_inner_tid(void *state, const struct target_thread *thread);
void facts_describe(void *state, const struct target_process *process, struct process_facts *out);
enum status facts_read_maps(void *state, const struct target_process *process, pid_t tid,
                            struct maps *out);
/* Implements the backend's maps_size: returns the address space's size in pages. */
uint64_t facts_maps_size(void *state, struct target_process *process, pid_t tid, uint64_t last);
bool facts_read_fd(void *state, const struct target_thread *thread, uint32_t fd, char *link,
                   size_t size);

#endif
