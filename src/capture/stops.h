/* SPDX-License-Identifier: MIT */
/*
 * Asks threads to stop, and decides what becomes of a thread that has stopped. Takes samples in
 * stops, for record.c to write later. Never writes to the snapshot. Internal to capture/.
 */
#ifndef CAPTURE_STOPS_H
#define CAPTURE_STOPS_H

#include "capture/session.h"

/* The fate of a thread that has stopped. */
enum stop_end {
    STOP_GO_ON,  /* it runs */
    STOP_LEAVE,  /* it is detached until its next sample; if that fails, it goes on */
    STOP_DETACH, /* it is detached for good */
    STOP_HOLD,   /* it stays stopped until stops_release */
};

/* Whose cost a stop is. */
enum stop_cost {
    COST_NONE,   /* nobody's: the thread was asleep, or has not gone on yet */
    COST_SAMPLE, /* the capture's: the thread would have run, and was asked */
    COST_OWN,    /* the target's: the thread was not asked */
    COST_SIGNAL, /* the target's, by a signal */
};

/* The answer to a stop, to be carried out by stops_act. */
struct stop_action {
    enum stop_end end;
    enum stop_cost cost;
    uint64_t since_ns; /* earliest begin of the pause, which ends now; 0: it is not counted */
    pid_t made;        /* the thread or process that the thread has made, to be adopted; 0: none */
};

/*
 * Answer the stop of a thread, or of the whole target, that `event` reports or was seen at
 * `seen_ns`: take the due samples, and change the states of threads.
 */
struct stop_action stops_answer(struct capture *cap, struct thread *thread,
                                const struct backend_event *event);
struct stop_action stops_answer_whole(struct capture *cap, uint64_t seen_ns);

/* Lets the stopped thread (NULL: the whole target) go as `action` says, and counts its pause. */
void stops_act(struct capture *cap, struct thread *thread, const struct stop_action *action);

/*
 * Asks the thread to stop for a sample, and counts it in cap->asked until it stops. (Where the
 * whole target stops, only counts it: sampler_round asks the target once.)
 */
void stops_ask(struct capture *cap, struct thread *thread);

/* Adds the rounds of the thread's due sample, 1 + rounds_missed, to cap->losses[reason] (LOSS). */
void stops_lose(struct capture *cap, const struct thread *thread, enum snap_loss reason);

/*
 * Attaches to a left thread again, and returns the status of the backend's reattach. NOT_FOUND: the
 * thread has ended, and is marked so (thread_ended). After another failure it is still left.
 */
enum status stops_reattach(struct capture *cap, struct thread *thread);

/* Marks a thread that has not stopped for long as ended, if the backend says that it is gone. */
void stops_check(struct capture *cap, struct thread *thread);

/* Marks an asked thread, which has stopped, as HELD until stops_release. */
void stops_hold(struct thread *thread, const struct thread_stop *stop);

/* Takes samples of all held threads, and lets them go on. */
void stops_release(struct capture *cap);

#endif
