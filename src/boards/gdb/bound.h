/* SPDX-License-Identifier: MIT */
/*
 * Bounds all waits for a stub: by the time that an operation may take, and by the capture's end,
 * which is its limit (-d) or a signal that ends it (SIGINT, SIGTERM, SIGHUP). These signals are
 * blocked and only looked at here: the core takes them, by the backend's `wait`. All else in this
 * folder waits by gdb_bound_wait.
 *
 *        the capture's end      ASK later           OVER later
 *      ---------+-------------------+--------------------+-------------->
 *               |  the halt that    |  no questions:     |  no waiting: a last packet may
 *               |  lasts is used    |  the target is     |  be sent, and the connection is
 *               |                   |  let go            |  closed
 *
 * Operations nest: a request in an object that is read in parts, the object in the whole beginning.
 * The earliest end counts.
 */
#ifndef BOARDS_GDB_BOUND_H
#define BOARDS_GDB_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* Later than any time; only far smaller times are added to it. */
#define GDB_BOUND_NEVER (UINT64_MAX / 2)

struct gdb_bound {
    int signal_fd;     /* owned; readable while a signal that ends the capture is pending */
    uint64_t until_ns; /* end of the operation (CLOCK_MONOTONIC); NEVER: none lasts */
    uint64_t end_ns;   /* end of the capture; NEVER: not known */
    bool is_leaving;   /* the target is being let go */
};

/* Starts with signals as the only bound. IO: too many files are open. */
MUST_CHECK enum status gdb_bound_init(struct gdb_bound *bound, struct diag *diag);
void gdb_bound_deinit(struct gdb_bound *bound);

/* Begins an operation that may take `ns`; returns what gdb_bound_end needs. */
MUST_CHECK uint64_t gdb_bound_begin(struct gdb_bound *bound, uint64_t ns);
void gdb_bound_end(struct gdb_bound *bound, uint64_t outer_ns);

/* Bring the capture's end forward: to `end_ns`; to now, if the taken signal ends captures. */
void gdb_bound_limit(struct gdb_bound *bound, uint64_t end_ns);
void gdb_bound_took(struct gdb_bound *bound, int signal_number);
/* Begins to let the target go: this may take `ns` from now on, also if the capture ended before. */
void gdb_bound_leave(struct gdb_bound *bound, uint64_t ns);

/* Has the capture's end come? */
bool gdb_bound_is_ending(struct gdb_bound *bound);
/* Until when the stub may be asked more, and be waited for without a question. */
uint64_t gdb_bound_asks_until(struct gdb_bound *bound);
bool gdb_bound_may_ask(struct gdb_bound *bound);
/* Is the capture's end so long ago that nothing is waited for any more (OVER)? */
bool gdb_bound_is_cut(struct gdb_bound *bound);
/* Is that so, or has the operation's time passed? gdb_bound_left returns the ns until then. */
bool gdb_bound_is_over(struct gdb_bound *bound);
uint64_t gdb_bound_left(struct gdb_bound *bound);

/*
 * Waits until the descriptor (-1: none) is ready for `events`, `until_ns` has come, time is over,
 * or a signal that ends the capture comes (once for each). False: a time had passed before, and it
 * did not wait.
 */
bool gdb_bound_wait(struct gdb_bound *bound, int fd, short events, uint64_t until_ns);

#endif
