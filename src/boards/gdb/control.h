/* SPDX-License-Identifier: MIT */
/*
 * Lets a target run, and stops it. Knows its state, as far as its stub has told, how long it has
 * been halted, and when it may be halted again.
 *
 *        interrupt             a stop reply
 *     RUNNING ---> STOPPING ---------------> STOPPED ---> RUNNING ...    ENDED: for good
 *        `-------------------------------------^  by itself              LEFT: let go by us
 *
 * A board that does not stop is asked again. A program is asked once: each request becomes a
 * SIGINT, and a second would be the program's own when it goes on, which ends most programs. So a
 * SIGINT that is owed is waited for, also if another signal comes first, and never handed on. Where
 * the line may lose bytes it is asked again, and several may come.
 *
 * Emulators of user mode read nothing from their socket while the program runs (QEMU before 9.0),
 * and gdbserver sends SIGINT to the program's process group, which the program need not lead. There
 * a signal from us stops it, if it runs on this machine; the program is not told of it.
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

enum gdb_run { GDB_RUNNING, GDB_STOPPING, GDB_STOPPED, GDB_ENDED, GDB_LEFT };

struct gdb_control {
    struct gdb_client *client; /* borrowed */
    enum gdb_run run;
    bool has_vcont;               /* the stub knows vCont;c and vCont;C */
    bool passes_signals;          /* a program: its own signals are handed on */
    struct gdb_stop stop;         /* the last stop */
    uint8_t pass;                 /* signal to hand on when it goes on; 0: none */
    bool is_halted;               /* as far as known, also when the connection has failed */
    bool is_asked;                /* asked to stop, and no stop reply yet */
    bool was_asked;               /* the last stop was asked for */
    unsigned asked;               /* a program: requests since it last stopped for one */
    uint64_t late_ns;             /* SIGINTs of requests may come until then, though none is owed */
    bool asks_once;               /* we are about to leave: ask once, as a late signal would stay */
    bool answers_by_signal;       /* requests were answered by SIGINT before */
    unsigned other_answers;       /* stops taken for an answer though not SIGINT */
    uint64_t asked_ns, again_ns;  /* when it was asked to stop; when to ask again */
    uint64_t halted_ns;           /* halted since then or before */
    unsigned own_stops;           /* stops in a row that nobody asked for */
    struct process_ref signalled; /* the process that is sent signals; owned */
    struct halt_budget budget;
};

/* Begins with a target that is stopped since `since_ns`. `share`: halt_budget.h. */
void gdb_control_init(struct gdb_control *control, struct gdb_client *client, uint32_t share,
                      uint64_t since_ns);

void gdb_control_deinit(struct gdb_control *control);

/* For a program that Ctrl-C over the connection does not reach: finds the process to signal. */
void gdb_control_find_signalled(struct gdb_control *control, pid_t program);

/* Asks a running target to stop. IO: the connection has failed, or the target is gone. */
MUST_CHECK enum status gdb_control_interrupt(struct gdb_control *control);

/* Takes the stop replies that have come, and asks again when it is time. Does not wait. */
void gdb_control_poll(struct gdb_control *control);

/* Sets `run` after a failure of the connection: LEFT if our end cut it, else ENDED. */
void gdb_control_look(struct gdb_control *control);

/* Until when gdb_control_poll has to be called; UINT64_MAX: when something comes. */
uint64_t gdb_control_due(const struct gdb_control *control);

/* Waits for a stop until `until_ns` or the capture's end. True: it is stopped. */
bool gdb_control_await(struct gdb_control *control, uint64_t until_ns);

/* Lets a stopped target go on, with its signal, and accounts for the halt. */
void gdb_control_continue(struct gdb_control *control);
/* The target was detached: nothing more comes of it. Accounts for the halt. */
void gdb_control_leave(struct gdb_control *control);

/*
 * For a stopped program that owes a stop: lets it run into it, so that it does not get our SIGINT
 * when it is let go. Until `until_ns` at the latest.
 */
void gdb_control_settle(struct gdb_control *control, uint64_t until_ns);

#endif
