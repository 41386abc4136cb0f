/* SPDX-License-Identifier: MIT */
/*
 * Lets a target run, and stops it. Knows the target's state, as far as its stub has told, how long
 * it has been halted, and when it may be halted again.
 *
 *        interrupt             a stop reply
 *     RUNNING ---> STOPPING ---------------> STOPPED ---> RUNNING ...    ENDED: for good
 *        `-------------------------------------^  by itself              LEFT: let go by us
 *
 * A board that does not stop is asked again. A program is asked once: each request becomes a
 * SIGINT, and the program would get a second one when it goes on, which ends most programs. So the
 * SIGINT of a request is waited for, also if another signal comes first, and never handed on. Where
 * the line may lose bytes the program is asked again, and several SIGINTs may come.
 *
 * Emulators of user mode read nothing from their socket while the program runs (QEMU before 9.0),
 * and gdbserver sends SIGINT to the program's process group, which the program need not lead. There
 * this module itself sends the program SIGINT, if it runs on this machine; the stub stops it for
 * this signal, which is not handed on.
 */
#ifndef BOARDS_GDB_CONTROL_H
#define BOARDS_GDB_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/process_ref.h"
#include "base/status.h"
#include "boards/gdb/client.h"
#include "boards/gdb/halt_budget.h"
#include "boards/gdb/stop_reply.h"

/* ENDED: the target or the connection; LEFT: the capture's end cut the connection off */
enum gdb_run { GDB_RUNNING, GDB_STOPPING, GDB_STOPPED, GDB_ENDED, GDB_LEFT };

struct gdb_control {
    struct gdb_client *client;    /* borrowed */
    enum gdb_run run;             /* the target's state */
    bool has_vcont;               /* the stub knows vCont;c and vCont;C */
    bool passes_signals;          /* the target is a program, which gets its own signals */
    struct gdb_stop stop;         /* the last stop reply */
    uint8_t pass;                 /* signal (gdb's number) to hand to the program; 0: none */
    bool is_halted;               /* the target is halted, as far as known; also after a failure */
    bool is_asked;                /* the target was asked to stop; no stop reply has come yet */
    bool was_asked;               /* the last stop came after a request */
    unsigned asked;               /* a program: requests to stop that no stop has answered yet */
    uint64_t late_ns;             /* until then, SIGINTs of answered requests may still come */
    bool asks_once;               /* about to detach: repeats no request, as late SIGINTs stay */
    bool answers_by_signal;       /* a SIGINT was the answer to a request before */
    unsigned other_answers;       /* stops by other signals that counted as answers */
    uint64_t asked_ns, again_ns;  /* time of the request to stop; time of the next */
    uint64_t halted_ns;           /* begin of the halt, at the latest (CLOCK_MONOTONIC) */
    unsigned own_stops;           /* stops in a row that nobody asked for */
    struct process_ref signalled; /* process that gets SIGINT as a request; none: \x03; owned */
    struct halt_budget budget;
};

/*
 * Initialises `control` for a target that has been stopped since `since_ns` (CLOCK_MONOTONIC).
 * `share`: the part of the time for which it may be halted, as for halt_budget_init.
 */
void gdb_control_init(struct gdb_control *control, struct gdb_client *client, uint32_t share,
                      uint64_t since_ns);

void gdb_control_deinit(struct gdb_control *control);

/*
 * Sets `signalled` if requests over the connection do not reach the program (number: `program`): to
 * the emulator that runs it, or to the program itself under a gdbserver on this machine.
 */
void gdb_control_find_signalled(struct gdb_control *control, pid_t program);

/*
 * Asks a running target to stop, and does not wait; OK also if it was asked before or is stopped.
 * IO: the connection has failed, or the target has ended or was let go.
 */
MUST_CHECK enum status gdb_control_interrupt(struct gdb_control *control);

/* Takes the stop replies that have come, and at again_ns repeats the request. Does not wait. */
void gdb_control_poll(struct gdb_control *control);

/*
 * Sets control->run if the connection has failed: to GDB_LEFT if the capture's end cut it off, else
 * to GDB_ENDED.
 */
void gdb_control_look(struct gdb_control *control);

/*
 * Returns the time (CLOCK_MONOTONIC, ns) at which gdb_control_poll is to be called if nothing comes
 * before; UINT64_MAX: only when something comes.
 */
uint64_t gdb_control_due(const struct gdb_control *control);

/*
 * Waits for a stop until `until_ns` (CLOCK_MONOTONIC), or shortly after the capture's end. True:
 * the target is stopped.
 */
bool gdb_control_await(struct gdb_control *control, uint64_t until_ns);

/* Lets a stopped target go on, with the signal `pass`, and adds the halt to `budget`. */
void gdb_control_continue(struct gdb_control *control);
/* Notes that the target was detached (GDB_LEFT), and adds the halt to `budget`. */
void gdb_control_leave(struct gdb_control *control);

/*
 * Lets a stopped program run and stop again until no SIGINT of a request to stop can come any more,
 * so that it does not get one after it was let go; until `until_ns` (CLOCK_MONOTONIC) at the
 * latest.
 */
void gdb_control_settle(struct gdb_control *control, uint64_t until_ns);

#endif
