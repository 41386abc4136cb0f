/* SPDX-License-Identifier: MIT */
/*
 * Keeps a process's mappings known without reading them more than it is worth: at most
 * 0.5 % of a CPU and 50 ms, unless a sample's PC lies where nothing is known to be mapped.
 */
#ifndef CAPTURE_MAPPINGS_H
#define CAPTURE_MAPPINGS_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/session.h"

/*
 * Reads them through the live thread `tid`; does not write. They stay as they were when that fails.
 */
void mappings_read(struct capture *cap, struct process *process, pid_t tid);

/*
 * Something ran in the process: reads the mappings again if the address space's size says that they
 * changed (or something else did), and if it is time.
 */
void mappings_check(struct capture *cap, struct process *process, pid_t tid);

/* Makes sure that the mapping of a sample's PC is known, if there is one. */
void mappings_explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/*
 * The same while the thread is stopped, so that what it runs in cannot be gone: where code came or
 * went lately, also for the code that is not the PC's. Not where reading takes long.
 */
void mappings_explain_held(struct capture *cap, struct process *process, pid_t tid, uint64_t pc);

/* Finds out, by its file's notes, whether the process is a Go program. May wait for the file. */
void mappings_find_go(struct capture *cap, struct process *process, pid_t tid);

/* Writes MAP records for what was read. */
MUST_CHECK enum status mappings_write(struct capture *cap, struct process *process, pid_t tid);

#endif
