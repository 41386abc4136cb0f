/* SPDX-License-Identifier: MIT */
/*
 * Keeps a process's mappings (process->maps) up to date. Reading them may cost 0.5 % of a CPU; up
 * to 50 ms of CPU time that were not used are saved up as credit. Only readings for a sample's PC
 * that lies in no known mapping may cost more.
 */
#ifndef CAPTURE_MAPPINGS_H
#define CAPTURE_MAPPINGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/session.h"

/*
 * Reads the process's mappings through its live thread `tid`; if that fails, they stay as they
 * were. Writes no record.
 */
void mappings_read(struct capture *cap, struct process *process, pid_t tid);

/* Reads them as mappings_read, unless no credit is left; false: they are as they were. */
bool mappings_renew(struct capture *cap, struct process *process, pid_t tid);

/* As mappings_renew, in a stop; not if the last reading took more than 5 ms of CPU time. */
bool mappings_renew_held(struct capture *cap, struct process *process, pid_t tid);

/*
 * Reads the mappings again through the live thread `tid` if they are marked stale, the address
 * space's size has changed, or the last reading is 2 s old; but not if less than 25 ms of credit
 * are left. To be called when a thread of the process has run.
 */
void mappings_check(struct capture *cap, struct process *process, pid_t tid);

/*
 * Reads the mappings again through the live thread `tid` if `pc` lies in no known executable
 * mapping; for a page for which the last such reading found none, only after 2 s, or when the
 * address space's size has changed.
 */
void mappings_explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/*
 * Calls mappings_explain in a stop of thread `tid` at `pc`, in which its code cannot go away. If
 * the executable mappings changed within the last 2 s, also reads the mappings again when the
 * address space's size has changed, as callers may lie in new code. Does nothing if the last
 * reading took more than 5 ms of CPU time, or no credit is left.
 */
void mappings_explain_held(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/*
 * Sets process->is_go and go_version by the file of the lowest executable mapping that has one, the
 * program, and by the memory of thread `tid`. May wait for the file (files.h).
 */
void mappings_find_go(struct capture *cap, struct process *process, pid_t tid);

/*
 * Writes MAP, UNMAP and CODE records for the mappings that were read and not written yet, and then
 * frees their paths. NO_MEMORY: the rest is written by the next call. Or the writer's error.
 */
MUST_CHECK enum status mappings_write(struct capture *cap, struct process *process, pid_t tid);

/*
 * Asks again for files that did not answer in time (files.h), of each process whose mappings were
 * last read a second ago or earlier, and writes what they answer: a process that sleeps has no
 * samples to ask for them.
 */
void mappings_ask_due(struct capture *cap, uint64_t now);

#endif
