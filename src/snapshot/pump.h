/* SPDX-License-Identifier: MIT */
/*
 * A child process that writes an output. Disks fill their queues, file systems freeze, servers
 * vanish: whoever writes to them may stand still for seconds or for good, and a tracer must not.
 *
 *     tracer  -- a pipe that never blocks it, up to 1 MiB -->  pump  -- write(2) -->  output
 *
 * When the tracer dies, for whatever reason, the pump writes the pipe's contents and ends.
 */
#ifndef SNAPSHOT_PUMP_H
#define SNAPSHOT_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct pump;

/*
 * Called in the pump before the first byte is written to `fd`, for whatever the output's file
 * system has to do first. Returns 0, or an errno, which ends the pump.
 */
typedef int pump_begin_fn(void *context, int fd);

/*
 * Starts a pump for output `fd`, which it inherits. The caller closes its own `fd` before it holds
 * any thread stopped, as closing a file can take for ever, too. `name` is for messages; `begin` may
 * be NULL. The caller ignores SIGPIPE; SIGCHLD comes when the pump ends. NO_MEMORY; IO: no process
 * can be made; both with `diag` filled.
 */
MUST_CHECK enum status pump_start(int fd, const char *name, pump_begin_fn *begin, void *context,
                                  struct pump **out, struct diag *diag);

/* Has SIGIO sent when a full pipe may have room again; blocks it, for the caller to wait for. */
void pump_watch(struct pump *pump);

/* Returns whether the output is a regular file. */
bool pump_is_file(const struct pump *pump);

/*
 * Returns the descriptor to write to; -1 after pump_end. write fails with EAGAIN when the pipe is
 * full, with EPIPE when the pump has ended (pump_is_over).
 */
int pump_fd(const struct pump *pump);

/* Returns a counter that changes whenever the output has taken something. */
uint32_t pump_progress(const struct pump *pump);

/* Returns whether all is written and the output being closed, which takes time on some systems. */
bool pump_is_closing(const struct pump *pump);

/* Returns the pump's CPU time in ns; 0: not known. */
uint64_t pump_usage(const struct pump *pump);

/*
 * Closes the pipe. The pump writes what is left, waits until a TCP peer has acknowledged it, closes
 * the output and ends.
 */
void pump_end(struct pump *pump);

/*
 * Returns whether the pump has ended. Then *error is 0 if all was written, an errno of the output,
 * or ECHILD if the pump was killed.
 */
bool pump_is_over(struct pump *pump, int *error);

/* Kills the pump if it still runs: bytes that it has not written are lost. NULL is ignored. */
void pump_destroy(struct pump *pump);

#endif
