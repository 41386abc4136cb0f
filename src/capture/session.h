/* SPDX-License-Identifier: MIT */
/*
 * The state of a capture, shared by the parts of capture/. Internal to this folder; the interface
 * is capture.h.
 *
 * Two rules keep the target alive whatever happens to the output:
 *
 *   - Answering a stop (stops.c) never writes to the snapshot, but changes the state below and
 *     copies samples to `pending`; record.c writes them afterwards.
 *   - While the output takes nothing (OUTPUT_BLOCKED), stops are answered, but not sampled.
 *
 * The phase says what becomes of a thread that stops:
 *
 *     STARTS ──► RUNS ◄──► HOLDS       capture.c ends the start; sampler.c begins to hold for a
 *                │  ◄────► SUSPENDS      round, stops_release ends that; suspend.c: from SIGTSTP
 *                └───────► ENDS          until the target is attached to again; capture.c: at last
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

enum capture_phase {
    CAPTURE_STARTS,   /* threads go on: none was asked to stop */
    CAPTURE_RUNS,     /* threads that were asked are sampled, and go on */
    CAPTURE_HOLDS,    /* asked threads are held until all of them have stopped */
    CAPTURE_SUSPENDS, /* threads are detached until cgsnap goes on after SIGTSTP */
    CAPTURE_ENDS,     /* threads are detached for good */
};

/* Which processes and threads the backend may add: those of followed forks always, and */
enum capture_wanted {
    WANT_FIRST,  /* the next process, whatever its number */
    WANT_MADE,   /* no others */
    WANT_FAMILY, /* those that the user asked for: the backend looks for them */
    WANT_LEFT,   /* no other processes; threads, which are left ones: the backend lists them */
};

enum capture_output {
    OUTPUT_TAKES,
    OUTPUT_BLOCKED,     /* takes nothing now: no samples are taken */
    OUTPUT_WAS_BLOCKED, /* since skipped rounds were last counted */
};

/* The clock of the CPUs (ticks.h). */
enum capture_ticking { NO_CLOCK, CLOCK_HALTED, CLOCK_RUNS };

struct capture {
    struct capture_options options; /* constant, as period_ns and end_set, once it runs */
    enum capture_phase phase;
    enum capture_wanted wanted;
    struct target target;
    struct backend_host host;
    struct snap_writer *writer; /* owned; NULL until capture_run */
    struct pump *pump;          /* borrowed; NULL until capture_run */
    struct guard *guard;
    struct capture_result result;
    enum status status; /* the first failure */
    struct diag diag;   /* reason of the first failure */

    struct process **processes; /* owned */
    size_t process_len, process_cap;
    struct thread *by_tid[TID_BUCKETS];
    size_t asked;                    /* number of threads with an interrupt under way */
    size_t awaited;                  /* number of asked threads that were asked in the last round */
    uint8_t spin_skip, spin_backoff; /* rounds that do not spin for stops: yet to come, next time */
    size_t runners;                  /* number of threads that the last round found runnable */
    struct thread *runner;           /* one of the runners, at random; valid until the round ends */

    struct pending_sample *pending; /* owned; taken, not written yet */
    size_t pending_len, pending_cap;
    struct stack_arena arena; /* bytes of `pending` */
    struct delta delta;
    struct pace pace;
    struct budget budget;
    uint64_t held_ns;      /* sum of stops for samples of threads that would have run */
    uint64_t others_ns;    /* cgsnap's time for answering stops that it did not ask for */
    uint64_t signals_ns;   /* sum of stops for signals, from a thread's stop until it goes on */
    uint64_t signal_stops; /* number of stops for signals */

    enum capture_ticking clock;
    bool ticked;             /* the clock has ticked since its period was last set */
    uint64_t tick_period_ns; /* the rounds' period when the clock's was last set */
    bool dirty;              /* processes or threads came, changed or ended: not written yet */
    bool sweepable;          /* ends were written: session_sweep has something to free */
    enum capture_output output;
    uint64_t clear_ns;                  /* a time at which all stops so far had been seen */
    uint32_t losses[SNAP_LOSS_REASONS]; /* number of lost samples not written as LOSS yet */
    bool leaving;       /* threads are left (not traced) between their samples: for good */
    bool look_again;    /* find_more is to be called soon */
    bool more_events;   /* some events are not answered yet: do not sleep */
    bool suspend;       /* SIGTSTP came: cgsnap is to be suspended */
    unsigned signals;   /* number of signals of end_set that came */
    int signal;         /* the last signal of end_set that came */
    uint64_t signal_ns; /* when `signal` came */
    sigset_t end_set;   /* signals that end a capture, and SIGTSTP; blocked */
    uint64_t period_ns; /* distance of rounds that the user asked for */
    uint64_t flushed_ns, trimmed_ns;    /* when output was last flushed, memory last given back */
    uint64_t watched_ns;                /* when options.watch was last called */
    uint64_t usage_ns, usage_period_ns; /* last USAGE records: time, rounds' period */
    uint64_t begin_ns;                  /* when the first round was due, plus suspended time */
    uint32_t progress;                  /* the output's progress when last seen */
    uint64_t moving_ns;                 /* when `progress` last changed, or there was no hurry */
    struct symbol_output symbol_output;
};

/* Sets the session's status and `diag` (printf-like), unless it has failed before. */
void session_fail(struct capture *cap, enum status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/*
 * Frees threads whose end is written, and processes without threads. Not to be called in a loop
 * over threads or processes, or while cap->pending refers to such a thread.
 */
void session_sweep(struct capture *cap);

/*
 * Returns whether the process has ended or called exec (PROGRAM_OTHER) since a thread was left and
 * no event has told of it; PROGRAM_SAME also if threads are never left.
 */
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

/* Whether each thread that stops is let go. */
static inline bool session_detaches(const struct capture *cap)
{
    return cap->phase == CAPTURE_SUSPENDS || cap->phase == CAPTURE_ENDS;
}

/* Whether the user asked for several processes, descendants, or a cgroup. */
static inline bool session_is_family(const struct capture *cap)
{
    const struct capture_options *options = &cap->options;

    return options->more_count || options->children || options->cgroup;
}

/* Whether all threads are sampled while all are stopped: --together, or the backend cannot else. */
static inline bool session_stops_all(const struct capture *cap)
{
    return cap->options.together || !target_can(&cap->target, BACKEND_STOPS_ONE_THREAD);
}

#endif
