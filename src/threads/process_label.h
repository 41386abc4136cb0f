/* SPDX-License-Identifier: MIT */
/* Labels threads by their processes, for graphs by process. */
#ifndef THREADS_PROCESS_LABEL_H
#define THREADS_PROCESS_LABEL_H

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"

/*
 * Sets the profile's by_process, and labels its threads "nginx (pid 4711)", or by the process's
 * title "nginx: worker process (pid 4712)"; on a board by its program, or "board". So are entries
 * labelled that stand for a process's CPU time without a sample. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status processes_label_threads(const struct history *history,
                                               struct profile *profile);

#endif
