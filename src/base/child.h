/* SPDX-License-Identifier: MIT */
/*
 * Makes a forked helper process independent of its parent's descriptors, signals and job, so that
 * nobody who waits for the parent waits for the helper instead. (A pipe's reader sees the end only
 * when all copies of the writing end are closed.)
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>

/*
 * To be called in the child right after fork(2). Closes all descriptors except the `count` ones in
 * `keep` (0 to 2 as well), moves to a process group of its own, and ignores SIGHUP, SIGINT,
 * SIGQUIT, SIGTERM, SIGPIPE, SIGIO and the signals of job control. Also SIGXFSZ: a write beyond
 * RLIMIT_FSIZE fails with EFBIG instead of ending the process.
 */
void child_begin(const int *keep, size_t count);

#endif
