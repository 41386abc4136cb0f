/* SPDX-License-Identifier: MIT */
/*
 * A process that writes an output for us. Disks fill their queues, file systems freeze, servers
 * vanish: whoever writes then stands still, for seconds or for good, and a tracer must not.
 *
 *     we  -- a pipe that never blocks us, up to 1 MiB -->  the pump  -- write(2) -->  output
 *
 * When we die, however that comes about, it writes what the pipe has, and ends.
 */
#ifndef SNAPSHOT_PUMP_H
#define SNAPSHOT_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct pump;

/*
 * Called by the pump when the first byte is to be written to `fd`: whatever the output's file
 * system has to do for that. 0, or an errno, which ends the pump.
 */
typedef int pump_begin_fn(void *context, int fd);

/*
 * Starts it, for output `fd`, of which it has its own copy: the caller closes its own before it
 * holds anything, as to close a file can take for ever, too. `begin` may be NULL. The caller
 * ignores SIGPIPE; SIGCHLD comes when the pump ends. NO_MEMORY; IO: no process can be made.
 */
MUST_CHECK enum status pump_start(int fd, const char *name, pump_begin_fn *begin, void *context,
                                  struct pump **out, struct diag *diag);

/* From now on SIGIO says that a full pipe may have room again. It is blocked, to be waited for. */
void pump_watch(struct pump *pump);

/* Is the output a regular file? */
bool pump_is_file(const struct pump *pump);

/* Where to write to: EAGAIN is a full pipe, EPIPE that the pump has ended: see pump_is_over. */
int pump_fd(const struct pump *pump);

/* Changes whenever the output has taken something. */
uint32_t pump_progress(const struct pump *pump);

/* Has it written all, and closes the output? On some file systems that takes its time. */
bool pump_is_closing(const struct pump *pump);

/* The CPU time that it has used, in nanoseconds. */
uint64_t pump_usage(const struct pump *pump);

/* Nothing more is to come: when all is written, and a TCP peer has it, the output is closed. */
void pump_end(struct pump *pump);

/*
 * Has the pump ended? *error: 0, when all was written; an errno of the output's; ECHILD: the
 * pump was killed.
 */
bool pump_is_over(struct pump *pump, int *error);

/* What was not written by now is lost. */
void pump_destroy(struct pump *pump);

#endif
