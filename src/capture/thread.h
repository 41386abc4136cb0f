/* SPDX-License-Identifier: MIT */
/* The core's data of a thread of the target. Internal to capture/. */
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

struct thread {
    struct target_thread target; /* must be the first member: thread_of */
    struct process *process;     /* borrowed */
    struct thread *next;         /* in the same bucket of capture.by_tid */

    char name[PROC_NAME_SIZE];
    uint64_t start_ticks;        /* begin of the thread, in clock ticks since boot */
    uint64_t found_ns, named_ns; /* times: found, or last exec; its name was last read */

    /* the thread's life, and its records that are in the snapshot */
    bool announced;   /* a THREAD record was written, for the thread's present program */
    bool ended;       /* the thread is gone; the struct is freed after end_written */
    bool end_written; /* the record of the thread's end was written */
    bool replaced;    /* ended by another thread's exec: PROCESS implies it, no THREAD_END */
    bool sampled;     /* a SAMPLE record was written */
    bool made;        /* the thread's CREATION record was written */
    bool maker_due;   /* new: the event of the thread that made this thread has not come yet */
    bool left;        /* the thread is not traced until its next sample */

    bool due; /* the thread is to be asked to stop in this round, for a sample */
    /* the thread was asked to stop: it is sampled in its next stop, whatever causes the stop */
    bool asked;
    bool held;           /* the thread is stopped, and kept so until all asked threads are */
    bool held_by_signal; /* the stop of a held thread came with a signal */
    uint64_t asked_ns;   /* when the thread was asked to stop */
    uint64_t held_since_ns, held_ns; /* earliest time of the present stop; when the stop was seen */
    struct pace_round round;         /* the round in which the thread was asked to stop */
    uint32_t rounds_missed;          /* number of rounds since `round` while it has not stopped */
    uint64_t missed_ns;              /* begin of the last round that was missed */
    struct activity before;          /* the thread's state before the last request to stop */

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
    bool same;                 /* the last round found that it had not run since its last sample */
    bool dormant;              /* has not run for a second: is looked at together with others */
    uint64_t ran_ns;           /* when the thread was last found to have run; 0: never so far */

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
 * memory, and the session has failed.
 */
struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid);
/* Returns the live thread with this number; NULL: there is none. */
struct thread *thread_find(const struct capture *cap, pid_t tid);
/* Returns the latest thread that had this number, ended or not; NULL: none, or it was freed. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid);
/* Marks the thread as ended; record.c writes its end later, and session_sweep frees it. */
void thread_ended(struct capture *cap, struct thread *thread);
/* Resets the thread after an exec, as for a new program, and reads its name and start time. */
void thread_begin_anew(struct capture *cap, struct thread *thread);

/* Clears thread->asked and counts it in cap->asked no more, as it has stopped or ended. */
void thread_answered(struct capture *cap, struct thread *thread);

/* Frees the thread, and its data in the backend; does not remove it from process->threads. */
void thread_free(struct capture *cap, struct thread *thread);

#endif
