/* SPDX-License-Identifier: MIT */
/*
 * A child process that writes an output. Disks fill their queues, file systems freeze, servers
 * vanish: a process that writes to them may stand still for seconds or for ever, and a tracer must
 * not.
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
 * Called in the pump before the first byte is written to the output `fd`, for preparations that may
 * take long. Returns 0, or an errno, which ends the pump.
 */
typedef int pump_begin_fn(void *context, int fd);

/*
 * Starts a pump for output `fd`, which the pump inherits. The caller has to close its own `fd`
 * before it stops any thread, as closing a file can take for ever, too, and to ignore SIGPIPE. It
 * gets SIGCHLD when the pump ends. `name` is for messages; `begin` (NULL: none) gets `context`.
 * NO_MEMORY; IO: no process can be made; both with `diag` filled.
 */
MUST_CHECK enum status pump_start(int fd, const char *name, pump_begin_fn *begin, void *context,
                                  struct pump **out, struct diag *diag);

/*
 * From now on the process gets SIGIO when a full pipe may have room again. Blocks SIGIO, so that
 * the caller can wait for it (sigtimedwait, signalfd).
 */
void pump_watch(struct pump *pump);

/* Returns whether the output is a regular file. */
bool pump_is_file(const struct pump *pump);

/*
 * Returns the descriptor of the pipe, to write to; -1 after pump_end. write(2) fails with EAGAIN
 * when the pipe is full, with EPIPE when the pump has ended (pump_is_over).
 */
int pump_fd(const struct pump *pump);

/* Returns a counter that changes whenever the output has accepted bytes. */
uint32_t pump_progress(const struct pump *pump);

/* Whether all is written and the output is being closed, which may take long. */
bool pump_is_closing(const struct pump *pump);

/* Returns the pump's CPU time in ns; 0: not known. */
uint64_t pump_usage(const struct pump *pump);

/*
 * Closes the pipe, and returns at once. The pump writes the rest, waits until a TCP peer has
 * acknowledged all, closes the output and ends.
 */
void pump_end(struct pump *pump);

/*
 * Returns whether the pump has ended. If so, *error is 0 if all was written, an errno if the output
 * failed, or ECHILD if the pump was killed.
 */
bool pump_is_over(struct pump *pump, int *error);

/*
 * Kills the pump if it still runs, which loses bytes not written yet, and frees it. NULL is
 * ignored.
 */
void pump_destroy(struct pump *pump);

#endif
