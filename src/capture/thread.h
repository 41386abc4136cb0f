/* SPDX-License-Identifier: MIT */
/*
 * The core's data of a thread of the target, and its phase. Internal to capture/.
 *
 *           choose        ask            a stop
 *     RUNS ────────► DUE ──────► ASKED ────────► RUNS, or LEFT
 *      ▲ attach       ▲ attach     └──► HELD ──────▲ stops_release
 *     LEFT ───────► LEFT_DUE ───► LEFT
 *           choose       cannot attach
 *
 *     any of these ───► ENDED ──────────► END_WRITTEN ───► freed
 *          exec of another └─► REPLACED ──────▲
 *
 * sampler.c chooses, attaches and asks; stops.c does the rest of the upper part; record.c writes
 * ends, capture.c forgets threads whose ends cannot be written any more, session_sweep frees both.
 */
#ifndef CAPTURE_THREAD_H
#define CAPTURE_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/backend.h"
#include "capture/delta.h"
#include "capture/pace.h"
#include "capture/pointee_record.h"

struct capture;
struct process;

/* The memory of the lock that a sleeping thread waits for, as it was last written. */
struct lock {
    uint64_t addr, hash; /* run-time address; hash of the bytes */
    uint32_t size;       /* bytes; 0: the thread waits for no lock */
};

enum thread_phase {
    THREAD_RUNS,        /* traced */
    THREAD_LEFT,        /* not traced until its next sample */
    THREAD_LEFT_DUE,    /* LEFT, and to be attached to in this round, for a sample */
    THREAD_DUE,         /* to be asked to stop in this round, for a sample */
    THREAD_ASKED,       /* is sampled in its next stop, whatever causes the stop */
    THREAD_HELD,        /* ASKED, has stopped, and is kept so until all asked threads are */
    THREAD_ENDED,       /* gone; its end is not written */
    THREAD_REPLACED,    /* ENDED by another thread's exec: PROCESS implies it, no THREAD_END */
    THREAD_END_WRITTEN, /* to be freed */
};

/* The last kind of record of the thread's present program that is in the snapshot, in order. */
enum thread_record { RECORD_NONE, RECORD_THREAD, RECORD_CREATION, RECORD_SAMPLE };

/* Whether the thread has run since its last sample. */
enum thread_rest {
    REST_NONE,    /* it has, or may have */
    REST_ROUND,   /* it has not, as the last round found */
    REST_DORMANT, /* nor for a second: it is looked at together with others */
};

struct thread_stop {
    uint64_t since_ns, seen_ns; /* earliest time at which it can have begun; when it was seen */
    bool by_signal;             /* the stop came with a signal */
};

struct thread {
    struct target_thread target; /* must be the first member: thread_of */
    struct process *process;     /* borrowed */
    struct thread *next;         /* in the same bucket of capture.by_tid */

    char name[PROC_NAME_SIZE];
    uint64_t start_ticks;        /* begin of the thread, in clock ticks since boot */
    uint64_t found_ns, named_ns; /* times: found, or last exec; its name was last read */

    enum thread_phase phase;
    enum thread_record record;
    /* new: not sampled until then, unless the event of the thread that made it comes; else 0 */
    uint64_t maker_until_ns;

    uint64_t asked_ns;       /* when the thread was asked to stop */
    struct thread_stop stop; /* in which it was sampled last, or is to be sampled */
    struct pace_round round; /* the round in which the thread was asked to stop */
    uint32_t rounds_missed;  /* number of rounds since `round` while it has not stopped */
    uint32_t rounds_lost;    /* of an ended thread: for which a sample was due, with `round` */
    uint64_t missed_ns;      /* begin of the last round that was missed */
    struct activity before;  /* the thread's state before the last request to stop */

    /* the thread's usage at its last sample or exec, or when it began */
    struct proc_schedstat used;
    bool used_known;  /* `used` is known; not for a thread older than the capture without sample */
    bool short_turns; /* pace_turns_are_long was false for the last sample */

    struct proc_schedstat now; /* the thread's usage when last read */
    bool read;                 /* `now` was read in this round */
    bool quiet;                /* the last sample is to be repeated in this round */
    uint64_t sample_ns;        /* time of the thread's last SAMPLE record */
    uint64_t thread_pointer;   /* in the thread's last stop; 0: not known, or none */
    uint64_t scheduler_addr;   /* Go: address of the thread's g0; 0: not known, or none */
    enum thread_rest rest;
    uint64_t ran_ns; /* when the thread was last found to have run; 0: never so far */

    struct lock lock;    /* the lock that the thread waited for at its last sample */
    unsigned wait_count; /* number of WAIT records since the last sample or repeat */

    struct delta_base base;
    struct pointee_base pointees;
#if CAPTURE_BOARDS
    uint64_t task_hash; /* hash of the last TASK record, without times; 0: none was written */
#endif
};

static inline struct thread *thread_of(struct target_thread *target)
{
    return (struct thread *)target;
}

/*
 * Adds a thread to `process`, which owns it, and reads its name and start time. NULL: out of
 * memory.
 */
struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid);
/* Returns the live thread with this number; NULL: there is none. */
struct thread *thread_find(const struct capture *cap, pid_t tid);
/* Returns the latest thread that had this number, ended or not; NULL: none, or it was freed. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid);

static inline bool thread_has_ended(const struct thread *thread)
{
    return thread->phase >= THREAD_ENDED;
}

static inline bool thread_is_left(const struct thread *thread)
{
    return thread->phase == THREAD_LEFT || thread->phase == THREAD_LEFT_DUE;
}

/* Whether the thread is counted in cap->asked. */
static inline bool thread_is_asked(const struct thread *thread)
{
    return thread->phase == THREAD_ASKED || thread->phase == THREAD_HELD;
}

/* RUNS becomes DUE, LEFT becomes LEFT_DUE. */
void thread_choose(struct thread *thread);
/* The thread is traced again: LEFT becomes RUNS, LEFT_DUE becomes DUE. */
void thread_attached(struct thread *thread);
/* The thread is traced no more: DUE becomes LEFT_DUE, the others LEFT. */
void thread_left(struct thread *thread);
/* The thread was asked to stop: ASKED, and counted in cap->asked and cap->awaited. */
void thread_asked(struct capture *cap, struct thread *thread);
/* Becomes RUNS and is counted in cap->asked no more, as its stop is answered; if it was asked. */
void thread_answered(struct capture *cap, struct thread *thread);
/* Marks the thread as ended; record.c writes its end later, and session_sweep frees it. */
void thread_ended(struct capture *cap, struct thread *thread);
/* Marks the thread as ended by another's exec, also if its end was seen, and is not written yet. */
void thread_replaced(struct capture *cap, struct thread *thread);
/* Resets the thread after an exec, as for a new program, and reads its name and start time. */
void thread_begin_anew(struct capture *cap, struct thread *thread);

/* Frees the thread, and its data in the backend; does not remove it from process->threads. */
void thread_free(struct capture *cap, struct thread *thread);

#endif
