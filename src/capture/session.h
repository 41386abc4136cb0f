/* SPDX-License-Identifier: MIT */
/*
 * The state of a capture, shared by the parts of capture/. Internal to this folder; the interface
 * is capture.h.
 *
 * Two rules keep the target alive whatever happens to the output:
 *
 *   - Answering a stop (stops.c) never writes to the snapshot. It changes the state below and
 *     copies samples to `pending`; record.c writes them afterwards.
 *   - While the output takes nothing, `output_blocked` is set: stops are answered, but not sampled.
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
    struct snap_writer *writer; /* NULL until capture_run, like `pump` */
    struct pump *pump;          /* borrowed */
    struct guard *guard;
    struct capture_result result;
    enum status status; /* the first failure */
    struct diag diag;

    struct process **processes; /* owned */
    size_t process_len, process_cap;
    struct thread *by_tid[TID_BUCKETS];
    size_t asked;   /* threads with an interrupt under way */
    size_t awaited; /* of these, the ones asked in the last round */
    uint8_t spin_skip, spin_backoff;
    size_t runners;        /* threads that the last round found runnable */
    struct thread *runner; /* one of them, at random; valid until the round ends */

    struct pending_sample *pending; /* owned */
    size_t pending_len, pending_cap;
    struct stack_arena arena;
    struct delta delta;
    struct pace pace;
    struct budget budget;
    uint64_t held_ns;    /* sum of stops for samples of threads that would have run */
    uint64_t others_ns;  /* time spent on stops that cgsnap did not ask for */
    uint64_t signals_ns; /* sum of these stops, if for signals, from the thread's stop on */
    uint64_t signal_stops;

    bool has_clock;          /* the backend's clock was started: ticks.h */
    bool ticking;            /* the clock runs */
    bool ticked;             /* it has ticked since its period was last set */
    uint64_t tick_period_ns; /* the period that the clock's own is drawn near to */
    bool dirty;              /* processes or threads came, changed or ended: not written yet */
    bool sweepable;          /* ends were written: session_sweep has something to free */
    bool output_blocked;     /* the output takes nothing right now: no samples */
    bool was_blocked;  /* it took nothing at some time since skipped rounds were last counted */
    uint64_t clear_ns; /* at this time all stops had been seen */
    uint32_t losses[SNAP_LOSS_REASONS]; /* samples not taken, not written as LOSS yet */
    bool lossy;                         /* some of `losses` is not 0 */
    bool holding;       /* threads that stop are held until all asked have stopped */
    bool detaching;     /* each stopped thread is detached */
    bool leaving;       /* threads are left (not traced) between their samples */
    bool listing;       /* list_threads runs: the threads it adds are left ones */
    bool started;       /* the first process was added, and others have to be asked for */
    bool adding;        /* find_more, or the start of several, adds processes that were asked for */
    bool look_again;    /* call find_more soon */
    bool more_events;   /* events are unanswered yet: do not sleep */
    bool suspend;       /* SIGTSTP came: to be suspended */
    bool suspending;    /* threads are being let go for that */
    unsigned signals;   /* count of signals that end a capture; */
    int signal;         /* the last of them, */
    uint64_t signal_ns; /* and when it came */
    sigset_t end_set;   /* these signals, which are blocked */
    uint64_t period_ns;
    uint64_t flushed_ns, trimmed_ns;    /* when last: the output was flushed, memory given back, */
    uint64_t watched_ns;                /* the watch called */
    uint64_t usage_ns, usage_period_ns; /* of the last round of USAGEs: time, period */
    uint64_t begin_ns;                  /* when the first round was due */
    uint32_t progress;                  /* the output's progress when last seen */
    uint64_t moving_ns;                 /* when the progress last changed, or there was no hurry */
    struct symbol_output symbol_output;
};

/* Sets the session's status and `diag` (printf-like), unless it has failed before. */
void session_fail(struct capture *cap, enum status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/*
 * Frees threads whose end is written, and processes without threads. Not to be called while these
 * are iterated over, or while a pending sample refers to them.
 */
void session_sweep(struct capture *cap);

/* Waits until `until_ns` for an event or one of `signals`; answers events, counts signals. */
void session_wait(struct capture *cap, const sigset_t *signals, uint64_t until_ns);
/* session_wait without signals: they stay pending. */
void session_wait_for_events(struct capture *cap, uint64_t until_ns);

void session_deinit(struct capture *cap);

/* Returns what the process has become since a thread was left, if no event has told yet. */
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

/* Was the capture asked for several processes? */
static inline bool session_is_family(const struct capture *cap)
{
    const struct capture_options *options = &cap->options;

    return options->more_count || options->children || options->cgroup;
}

/* Are all threads sampled in one stop of the whole target? */
static inline bool session_stops_all(const struct capture *cap)
{
    return cap->options.together || !target_can(&cap->target, BACKEND_STOPS_ONE_THREAD);
}

#endif
