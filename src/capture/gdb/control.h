/* SPDX-License-Identifier: MIT */
/*
 * Letting a target run, and stopping it: what state it is in, as far as its stub has told, how long
 * it has been halted, and whether it may be halted again.
 *
 *        interrupt             a stop reply
 *     RUNNING ---> STOPPING ---------------> STOPPED ---> RUNNING …      ENDED: for good
 *        `-------------------------------------^  by itself              LEFT: we have let go of it
 *
 * A board that is asked to stop and does not is asked again. A program is asked once: what comes of
 * each request is a SIGINT, and the second would be taken for one of its own when it goes on, which
 * ends most programs. So a SIGINT that is owed is waited for, also if another signal comes first,
 * and never handed on. Where the line may lose bytes it is asked again, and as many may come.
 *
 * Emulators of user mode read nothing from their socket while the program runs (QEMU before 9.0),
 * and gdbserver sends SIGINT to the program's process group, also where the program leads none.
 * There a signal from us has it stop, if it runs on this machine; the program is not told of it.
 */
#ifndef CAPTURE_GDB_CONTROL_H
#define CAPTURE_GDB_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/process_ref.h"
#include "base/status.h"
#include "capture/gdb/client.h"
#include "capture/gdb/halt_budget.h"
#include "capture/gdb/stop_reply.h"

enum gdb_run { GDB_RUNNING, GDB_STOPPING, GDB_STOPPED, GDB_ENDED, GDB_LEFT };

struct gdb_control {
    struct gdb_client *client; /* borrowed */
    enum gdb_run run;
    bool has_vcont;               /* the stub knows vCont;c and vCont;C */
    bool passes_signals;          /* of a program: those that are not ours are handed on */
    struct gdb_stop stop;         /* the last */
    uint8_t pass;                 /* the signal that is handed on when it goes on; 0: none */
    bool is_halted;               /* as far as is known, also when the connection has failed */
    bool is_asked;                /* it was asked to stop, and has not told that it did */
    bool was_asked;               /* the last stop was one that was asked for */
    unsigned asked;               /* so often, of a program, since it last stopped for that */
    uint64_t late_ns;             /* SIGINTs of requests may come until then, though none is owed */
    bool asks_once;               /* we are to go: a signal that comes later would stay */
    bool answers_by_signal;       /* what was asked for came as SIGINT before */
    unsigned other_answers;       /* taken for what was asked for, though not SIGINT */
    uint64_t asked_ns, again_ns;  /* when it was asked to stop; when to ask again */
    uint64_t halted_ns;           /* since when it is halted, at the latest */
    unsigned own_stops;           /* in a row, that nobody had asked for */
    struct process_ref signalled; /* who is sent a signal; owned */
    struct halt_budget budget;
};

/* It is stopped, since `since_ns`. */
void gdb_control_init(struct gdb_control *control, struct gdb_client *client, uint32_t share,
                      uint64_t since_ns);

void gdb_control_deinit(struct gdb_control *control);

/* Of a program: looks for who has to be sent signals, as Ctrl-C does not reach the program. */
void gdb_control_find_signalled(struct gdb_control *control, pid_t program);

/* IO: the connection has failed. Does nothing unless it is running. */
MUST_CHECK enum status gdb_control_interrupt(struct gdb_control *control);

/* Takes what the stub has sent by itself, and asks again when it is time. Does not wait. */
void gdb_control_poll(struct gdb_control *control);

/* The connection may have failed: then it has ENDED; or been cut, by our end: then it is LEFT. */
void gdb_control_look(struct gdb_control *control);

/* When gdb_control_poll has something to do, at the latest; UINT64_MAX: when something comes. */
uint64_t gdb_control_due(const struct gdb_control *control);

/* Has it stopped when `until_ns` has come, or the end of the capture, at the latest? */
bool gdb_control_await(struct gdb_control *control, uint64_t until_ns);

/* Lets it go on. */
void gdb_control_continue(struct gdb_control *control);
/* It was told to go on, and that we go: nothing more comes of it. */
void gdb_control_leave(struct gdb_control *control);

/*
 * Of a program that is stopped: if it owes a stop, lets it run into that, so that it does not get
 * the signal when it is let go. Until `until_ns`, at the latest.
 */
void gdb_control_settle(struct gdb_control *control, uint64_t until_ns);

#endif
