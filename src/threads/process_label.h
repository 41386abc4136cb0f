/* SPDX-License-Identifier: MIT */
/* What threads are called where processes are told apart: their process. */
#ifndef THREADS_PROCESS_LABEL_H
#define THREADS_PROCESS_LABEL_H

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"

/*
 * "nginx (pid 4711)", or its title, "nginx: worker process (pid 4712)", becomes the label of each
 * of the profile's threads that was seen, and of the process's CPU time without a sample.
 */
MUST_CHECK enum status processes_label_threads(const struct history *history,
                                               struct profile *profile);

#endif
