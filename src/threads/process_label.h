/* SPDX-License-Identifier: MIT */
/* Labels threads by their processes, for graphs by process. */
#ifndef THREADS_PROCESS_LABEL_H
#define THREADS_PROCESS_LABEL_H

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"

/*
 * Sets profile->by_process to true, and labels its threads by their process: "nginx (pid 4711)",
 * with a title "nginx: worker process (pid 4712)", on a board its program or "board". Entries for
 * CPU time of a process without samples get such labels, too. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status processes_label_threads(const struct history *history,
                                               struct profile *profile);

#endif
