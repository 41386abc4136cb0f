/* SPDX-License-Identifier: MIT */
/*
 * Bounds all waits for a stub: by the time that an operation may take, and by the capture's end,
 * which is its limit (-d) or a signal that ends it (SIGINT, SIGTERM, SIGHUP). These signals are
 * blocked; this module only sees that they are pending, and the capture's core takes them, by the
 * backend's `wait`. All else in this folder waits by gdb_bound_wait.
 *
 *        the capture's end      ASK later           OVER later
 *      ---------+-------------------+--------------------+-------------->
 *               |  the halt that    |  no questions:     |  no waiting: a last packet may
 *               |  lasts is used    |  the target is     |  be sent, and the connection is
 *               |                   |  let go            |  closed
 *
 * Operations nest: a request is part of reading an object in parts, and that of attaching. The
 * earliest end counts.
 */
#ifndef BOARDS_GDB_BOUND_H
#define BOARDS_GDB_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* A time (CLOCK_MONOTONIC, ns) later than any other; adding real durations does not overflow. */
#define GDB_BOUND_NEVER (UINT64_MAX / 2)

struct gdb_bound {
    int signal_fd;     /* owned; readable while a signal that ends the capture is pending */
    uint64_t until_ns; /* end of the operation (CLOCK_MONOTONIC); GDB_BOUND_NEVER: none lasts */
    uint64_t end_ns;   /* end of the capture (CLOCK_MONOTONIC); GDB_BOUND_NEVER: not known */
    bool is_leaving;   /* the target is being let go */
};

/*
 * Initialises `bound`, so that only signals end waits. IO: `diag` says why (too many open files).
 */
MUST_CHECK enum status gdb_bound_init(struct gdb_bound *bound, struct diag *diag);
void gdb_bound_deinit(struct gdb_bound *bound);

/*
 * Begins an operation that may take `ns`, or less if an outer operation ends earlier. Returns the
 * outer operation's end, for gdb_bound_end.
 */
MUST_CHECK uint64_t gdb_bound_begin(struct gdb_bound *bound, uint64_t ns);
void gdb_bound_end(struct gdb_bound *bound, uint64_t outer_ns);

/*
 * Bring the capture's end forward: gdb_bound_limit to `end_ns` (CLOCK_MONOTONIC); gdb_bound_took to
 * now, if the signal `signal_number`, which the core took, ends captures.
 */
void gdb_bound_limit(struct gdb_bound *bound, uint64_t end_ns);
void gdb_bound_took(struct gdb_bound *bound, int signal_number);
/*
 * Begins to let the target go, which may take `ns` from now on, also if the capture's end has come.
 */
void gdb_bound_leave(struct gdb_bound *bound, uint64_t ns);

/* Whether the capture's end has come: its time, or a signal. */
bool gdb_bound_is_ending(struct gdb_bound *bound);
/*
 * Returns the time (CLOCK_MONOTONIC, ns) up to which new requests may be sent to the stub and stops
 * be waited for; gdb_bound_may_ask: whether that time is still to come.
 */
uint64_t gdb_bound_asks_until(struct gdb_bound *bound);
bool gdb_bound_may_ask(struct gdb_bound *bound);
/* Whether the capture's end is so long ago that nothing is waited for any more. */
bool gdb_bound_is_cut(struct gdb_bound *bound);
/*
 * gdb_bound_is_over: whether gdb_bound_is_cut, or the operation's time has passed. gdb_bound_left:
 * the ns until then; 0: over.
 */
bool gdb_bound_is_over(struct gdb_bound *bound);
uint64_t gdb_bound_left(struct gdb_bound *bound);

/*
 * Waits until `fd` (-1: none) is ready for `events` (poll(2)), the time `until_ns` has come,
 * gdb_bound_is_over, or the first signal that ends the capture comes. False: `until_ns` had come,
 * or time was over, before the call, and it did not wait.
 */
bool gdb_bound_wait(struct gdb_bound *bound, int fd, short events, uint64_t until_ns);

#endif
