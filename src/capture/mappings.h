/* SPDX-License-Identifier: MIT */
/*
 * Keeps a process's mappings (process->maps) up to date. Reading them costs at most 0.5 % of a CPU,
 * with up to 50 ms saved up, except where a sample's PC lies in no known mapping.
 */
#ifndef CAPTURE_MAPPINGS_H
#define CAPTURE_MAPPINGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/session.h"

/* Reads the mappings through the live thread `tid`, or leaves them as they were. No record. */
void mappings_read(struct capture *cap, struct process *process, pid_t tid);

/*
 * To be called when something ran in the process. Reads the mappings again if they are marked
 * stale, the address space's size has changed, or the last reading is 2 s old; unless less than
 * half of the credit is left.
 */
void mappings_check(struct capture *cap, struct process *process, pid_t tid);

/*
 * Reads the mappings again if `pc` lies in no known executable mapping. A page that stayed unknown
 * is tried again after 2 s, or when the address space's size has changed.
 */
void mappings_explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/*
 * mappings_explain in the stop of thread `tid`, when the code it runs in cannot go away. If code
 * came or went within the last 2 s, also reads again when the address space's size has changed:
 * callers may lie in new code. Does nothing if the last reading took more than 5 ms, or no credit
 * is left.
 */
void mappings_explain_held(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/*
 * Sets process->is_go and go_version, by the notes of the lowest executable mapping's file and the
 * memory of thread `tid`. May block on the file.
 */
void mappings_find_go(struct capture *cap, struct process *process, pid_t tid);

/*
 * Writes MAP, UNMAP and CODE records for what was read and not written yet, and then drops the
 * paths. NO_MEMORY: to be tried again; or the writer's error.
 */
MUST_CHECK enum status mappings_write(struct capture *cap, struct process *process, pid_t tid);

#endif
