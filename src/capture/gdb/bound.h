/* SPDX-License-Identifier: MIT */
/*
 * Bounds the waits for a stub: by the time that an operation may take, and by the end of the
 * capture, which is its limit (-d) or a signal that ends it (SIGINT, SIGTERM, SIGHUP). Those are
 * blocked, and only looked at here: the core takes them, by the backend's `wait`. All else in this
 * folder that waits does it by gdb_bound_wait.
 *
 *        the capture's end      ASK later           OVER later
 *      ---------+-------------------+--------------------+-------------->
 *               |  the halt that    |  no questions:     |  no waiting: a last packet may
 *               |  lasts is used    |  the target is     |  be sent, and the connection is
 *               |                   |  let go            |  closed
 *
 * Operations are within one another: that of a request in that of an object that is read in parts,
 * that in the whole beginning. The one that ends first counts.
 */
#ifndef CAPTURE_GDB_BOUND_H
#define CAPTURE_GDB_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* After each time, and never added to but by what is far less. */
#define GDB_BOUND_NEVER (UINT64_MAX / 2)

struct gdb_bound {
    int signal_fd;     /* owned; ready while a signal is pending that ends the capture */
    uint64_t until_ns; /* the operation's end, CLOCK_MONOTONIC as all times; NEVER: none lasts */
    uint64_t end_ns;   /* the capture's; NEVER: not known */
    bool is_leaving;   /* the target is being let go */
};

/* Nothing bounds it but signals. IO: there are too many files open. */
MUST_CHECK enum status gdb_bound_init(struct gdb_bound *bound, struct diag *diag);
void gdb_bound_deinit(struct gdb_bound *bound);

/* An operation begins, which may take so long. What it returns is for gdb_bound_end. */
MUST_CHECK uint64_t gdb_bound_begin(struct gdb_bound *bound, uint64_t ns);
void gdb_bound_end(struct gdb_bound *bound, uint64_t outer_ns);

/* The capture ends at that time, at the latest; or now, if this signal that was taken is such. */
void gdb_bound_limit(struct gdb_bound *bound, uint64_t end_ns);
void gdb_bound_took(struct gdb_bound *bound, int signal_number);
/* The target is to be let go: that may take `ns` from now on, also if the capture ended before. */
void gdb_bound_leave(struct gdb_bound *bound, uint64_t ns);

/* Has the capture's end come? */
bool gdb_bound_is_ending(struct gdb_bound *bound);
/* So long the stub may be asked more, and be waited for without having been asked. */
uint64_t gdb_bound_asks_until(struct gdb_bound *bound);
bool gdb_bound_may_ask(struct gdb_bound *bound);
/* Is the capture's end that long ago that nothing is waited for any more? */
bool gdb_bound_is_cut(struct gdb_bound *bound);
/* Is it, or has the time of the operation passed? How long it is until then. */
bool gdb_bound_is_over(struct gdb_bound *bound);
uint64_t gdb_bound_left(struct gdb_bound *bound);

/*
 * Waits until the descriptor (-1: none) is ready for `events`, `until_ns` has come, it is over, or
 * a signal comes, of which this returns once. False: it did not wait, as one of the times has
 * passed.
 */
bool gdb_bound_wait(struct gdb_bound *bound, int fd, short events, uint64_t until_ns);

#endif
