/* SPDX-License-Identifier: MIT */
/*
 * A thread of the target, as the core knows it: what it is called, what is due of it, and what was
 * written of it. Internal to capture/.
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

/* A lock that a sleeping thread waits for, and what was last written of it. */
struct lock {
    uint64_t addr, hash;
    uint32_t size; /* 0: there is none */
};

struct thread {
    struct target_thread target; /* the first member: thread_of */
    struct process *process;     /* borrowed */
    struct thread *next;         /* with the same hash */

    char name[PROC_NAME_SIZE];
    uint64_t start_ticks;
    uint64_t found_ns, named_ns; /* when it or its program was found, its name last looked at */

    /* Its life, and how much of that is in the file. */
    bool announced;   /* its THREAD record is written */
    bool ended;       /* gone; its struct lives until that is written down */
    bool end_written; /* that was written down */
    bool replaced;    /* it ended by an exec: PROCESS says so, THREAD_END need not */
    bool sampled;     /* it has a SAMPLE in the file */
    bool made;        /* it has a CREATION there */
    bool maker_due;   /* its first stop came before its maker's event */
    bool left;        /* the backend has let it go, until its next sample */

    bool due; /* it is to be asked to stop, for a sample */
    /* A sample is due and taken at the thread's next stop, for which we asked. */
    bool asked;
    bool held;           /* it has stopped, until all have */
    bool held_by_signal; /* that stop came with a signal */
    uint64_t asked_ns;
    uint64_t held_since_ns, held_ns; /* it stopped not before; when that was seen */
    struct pace_round round;         /* in which that was */
    uint32_t rounds_missed;          /* due rounds that have passed meanwhile */
    uint64_t missed_ns;              /* when the last of them began */
    struct activity before;

    /* What it had used at its last sample, or when it was made; not known: it was there before. */
    struct proc_schedstat used;
    bool used_known;
    bool short_turns; /* as of that sample */

    struct proc_schedstat now; /* as of the last round that looked at it */
    bool read;                 /* by this one */
    bool quiet;                /* its sample is to be repeated in this round */
    uint64_t sample_ns;        /* time of its last SAMPLE */
    uint64_t thread_pointer;   /* as of its last stop; 0: not known, or it has none */
    uint64_t scheduler_addr;   /* of a Go program's: its g0; 0: not known, or it has none */
    bool same;                 /* it had not run in the last round */
    bool dormant;              /* nor for a while: it is looked at together with others */
    uint64_t ran_ns; /* when it was last found to have run; 0: not since it was attached to */

    struct lock lock;    /* that it waited for in its last sample */
    unsigned wait_count; /* WAIT records since the last sample or repeat */

    struct delta_base base;
    struct pointee_base pointees;
#if CAPTURE_BOARDS
    uint64_t task_hash; /* of what was last written of the RTOS's task */
#endif
};

static inline struct thread *thread_of(struct target_thread *target)
{
    return (struct thread *)target;
}

/* Reads the thread's name and start time. NULL: out of memory, and the session has failed. */
struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid);
/* The live thread with this number, or NULL. */
struct thread *thread_find(const struct capture *cap, pid_t tid);
/* The last that had this number, also if it has ended; NULL: it is forgotten. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid);
/* Marks it; record.c frees it when that is written down. */
void thread_ended(struct capture *cap, struct thread *thread);
/* After exec: forgets what was known of its earlier program, and reads its name. */
void thread_begin_anew(struct capture *cap, struct thread *thread);

/* The thread has nothing to wait for any more; keeps the count of those asked. */
void thread_answered(struct capture *cap, struct thread *thread);

/* Frees it, and what the backend keeps of it. */
void thread_free(struct capture *cap, struct thread *thread);

#endif
