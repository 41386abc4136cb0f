/* SPDX-License-Identifier: MIT */
/*
 * The state of a capture that the parts of capture/ share. Internal to this folder; the interface
 * is capture.h.
 *
 * Two rules keep the target alive whatever happens to the output:
 *
 *   - Answering a stop (stops.c) never writes to the snapshot. It changes the state below and
 *     copies samples to `pending`; record.c writes down what has happened, afterwards.
 *   - While the output takes nothing, stops are answered all the same: `output_blocked` is set, and
 *     they are not sampled.
 */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/budget.h"
#include "capture/capture.h"
#include "capture/delta.h"
#include "capture/pace.h"
#include "capture/pending_sample.h"
#include "capture/process.h"
#include "capture/target/stack.h"
#include "capture/thread.h"
#include "snapshot/writer.h"

#define TID_BUCKETS 1024u

struct capture {
    struct capture_options options;
    struct target target;
    struct backend_host host;
    struct snap_writer *writer; /* NULL until capture_run, as the pump is */
    struct pump *pump;          /* borrowed */
    struct guard *guard;
    struct capture_result result;
    enum status status; /* the first failure */
    struct diag diag;

    struct process **processes; /* owned */
    size_t process_len, process_cap;
    struct thread *by_tid[TID_BUCKETS];
    size_t asked;   /* threads with an interrupt under way */
    size_t awaited; /* of them, those that were asked in the last round */
    uint8_t spin_skip, spin_backoff;
    size_t runners;        /* threads that the round found runnable */
    struct thread *runner; /* one of them, at random; while the round lasts */

    struct pending_sample *pending; /* owned */
    size_t pending_len, pending_cap;
    struct stack_arena arena;
    struct delta delta;
    struct pace pace;
    struct budget budget;
    uint64_t held_ns;    /* for samples: threads that would have run */
    uint64_t others_ns;  /* what stops for nothing of ours have taken */
    uint64_t signals_ns; /* for signals: of our time, and threads that would have run */
    uint64_t signal_stops;

    bool has_clock;          /* the backend's ticks: ticks.h */
    bool ticking;            /* it runs, */
    bool ticked;             /* and has ticked since its period was drawn */
    uint64_t tick_period_ns; /* of which that is near */
    bool dirty;              /* processes or threads came, changed or went: to be written down */
    bool sweepable;          /* the end of some was */
    bool output_blocked;     /* the snapshot cannot be written right now: no samples */
    bool was_blocked;        /* it could not be since rounds were last counted */
    uint64_t clear_ns;       /* at this time no thread had stopped that was not seen */
    uint32_t losses[SNAP_LOSS_REASONS]; /* samples not taken, to be written down */
    bool lossy;                         /* there are some */
    bool holding;                       /* stopped threads are held until all have stopped */
    bool detaching;                     /* each stop is the last */
    bool leaving;                       /* threads that were stopped are left until a sample */
    bool listing;                       /* those that are found now are left, too */
    bool started;                       /* the first process was added */
    bool adding;                        /* whoever is found is wanted */
    bool look_again;                    /* for more processes */
    bool more_events;                   /* some were left, to be answered soon */
    bool suspend;                       /* SIGTSTP came */
    bool suspending;                    /* and is pending until all are let go */
    unsigned signals;                   /* SIGINT and the like that came; */
    int signal;                         /* the last of them, */
    uint64_t signal_ns;                 /* and when */
    sigset_t end_set;                   /* those */
    uint64_t period_ns;
    uint64_t flushed_ns, trimmed_ns;    /* when the output was flushed, and memory given back, */
    uint64_t watched_ns;                /* and the watch told */
    uint64_t usage_ns, usage_period_ns; /* when USAGEs were written, and of which period */
    uint64_t begin_ns;                  /* when the first round was due */
    uint32_t progress;                  /* the output's, as it was last seen */
    uint64_t moving_ns;                 /* when that had changed, or there was no hurry */
    struct symbol_output symbol_output;
};

/* Keeps the first failure, with printf-like text for `diag`. */
void session_fail(struct capture *cap, enum status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/*
 * Frees the threads whose end is written down, and the processes without threads. Not while
 * somebody walks over them, and when no pending sample refers to them.
 */
void session_sweep(struct capture *cap);

/* Waits until `until_ns` for something to happen, or one of the signals, and answers it. */
void session_wait(struct capture *cap, const sigset_t *signals, uint64_t until_ns);
/* The same, while signals are left for later. */
void session_wait_for_events(struct capture *cap, uint64_t until_ns);

void session_deinit(struct capture *cap);

/* What has become of it since a thread was left, and no event has told yet. */
static inline enum target_program session_program(const struct capture *cap,
                                                  const struct process *process)
{
    const struct target *target = &cap->target;

    return cap->leaving ? target->backend->program(target->state, &process->target) : PROGRAM_SAME;
}

static inline bool session_has_other_program(const struct capture *cap,
                                             const struct process *process)
{
    return session_program(cap, process) != PROGRAM_SAME;
}

/* Are there to be several processes? */
static inline bool session_is_family(const struct capture *cap)
{
    const struct capture_options *options = &cap->options;

    return options->more_count || options->children || options->cgroup;
}

/* Are all threads of the target stopped for a sample, at one time? */
static inline bool session_stops_all(const struct capture *cap)
{
    return cap->options.together || !target_can(&cap->target, BACKEND_STOPS_ONE_THREAD);
}

#endif
