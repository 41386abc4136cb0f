/* SPDX-License-Identifier: MIT */
/* A thread of the target, as the core knows it. Internal to capture/. */
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

/* The lock that a sleeping thread waits for: address, size and hash of the memory written last. */
struct lock {
    uint64_t addr, hash;
    uint32_t size; /* 0: none */
};

struct thread {
    struct target_thread target; /* the first member: thread_of */
    struct process *process;     /* borrowed */
    struct thread *next;         /* in the same bucket of by_tid */

    char name[PROC_NAME_SIZE];
    uint64_t start_ticks;
    uint64_t found_ns, named_ns; /* when it was found or called exec; when its name was last read */

    /* Its life, and which records of it are in the file. */
    bool announced;   /* THREAD is written */
    bool ended;       /* gone; the struct is freed when its end is written */
    bool end_written; /* its end is written */
    bool replaced;    /* ended by another thread's exec: PROCESS implies it, no THREAD_END */
    bool sampled;     /* a SAMPLE is written */
    bool made;        /* its CREATION is written */
    bool maker_due;   /* made, and its maker's event has not come yet */
    bool left;        /* not traced until its next sample */

    bool due; /* to be asked to stop in this round, for a sample */
    /* Asked to stop: the due sample is taken at its next stop, whatever causes that. */
    bool asked;
    bool held;           /* stopped, and held until the others have */
    bool held_by_signal; /* this stop came with a signal */
    uint64_t asked_ns;
    uint64_t held_since_ns, held_ns; /* lower bound of the time of the stop; when it was seen */
    struct pace_round round;         /* in which it was asked */
    uint32_t rounds_missed;          /* rounds that passed while it was asked */
    uint64_t missed_ns;              /* begin of the last of these */
    struct activity before;          /* its last sample's */

    /* Usage at its last sample or exec, or when made; used_known false: it was there before. */
    struct proc_schedstat used;
    bool used_known;
    bool short_turns; /* as of the last sample: pace_turns_are_long was false */

    struct proc_schedstat now; /* usage, as of the last round that read it */
    bool read;                 /* `now` is of this round */
    bool quiet;                /* its last sample is to be repeated in this round */
    uint64_t sample_ns;        /* time of its last SAMPLE */
    uint64_t thread_pointer;   /* as of its last stop; 0: not known, or none */
    uint64_t scheduler_addr;   /* Go: address of its g0; 0: not known, or none */
    bool same;                 /* it had not run in the last round */
    bool dormant;              /* not for a second: checked together with others */
    uint64_t ran_ns;           /* when last found to have run; 0: not since it was attached to */

    struct lock lock;    /* that it waited for at its last sample */
    unsigned wait_count; /* WAIT records since the last sample or repeat */

    struct delta_base base;
    struct pointee_base pointees;
#if CAPTURE_BOARDS
    uint64_t task_hash; /* hash of the last TASK written */
#endif
};

static inline struct thread *thread_of(struct target_thread *target)
{
    return (struct thread *)target;
}

/* Adds a thread, with its name and start time. NULL: out of memory, and the session has failed. */
struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid);
/* The live thread with this number; NULL: none. */
struct thread *thread_find(const struct capture *cap, pid_t tid);
/* The latest thread that had this number, ended or not; NULL: none is left. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid);
/* Marks it as ended; record.c writes that, and session_sweep frees it. */
void thread_ended(struct capture *cap, struct thread *thread);
/* After exec: forgets what was known of the earlier program; reads name and start time. */
void thread_begin_anew(struct capture *cap, struct thread *thread);

/* Ends the wait for the thread's stop: it counts as asked no more. */
void thread_answered(struct capture *cap, struct thread *thread);

/* Frees it, and what the backend keeps of it; does not take it out of its process. */
void thread_free(struct capture *cap, struct thread *thread);

#endif
