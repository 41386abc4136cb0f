/* SPDX-License-Identifier: MIT */
/*
 * What each thread did when: the spans of time in which it was found in one state, in one chain,
 * waiting for one thing. Made from a snapshot's events, before names are known.
 *
 * Memory grows with the changes that samples saw, at most HISTORY_SPANS_MAX of them.
 */
#ifndef THREADS_HISTORY_H
#define THREADS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/status.h"
#include "graph/ingest.h"
#include "graph/program_name.h"
#include "threads/waits/wait.h"
#include "threads/window.h"

#define HISTORY_NONE      UINT32_MAX
#define HISTORY_SPANS_MAX (UINT32_C(1) << 25)

/*
 * From the first sample that found the thread so until the next that found it otherwise; of the
 * last one until its last sample. What happened between two samples is not known.
 */
struct span {
    uint64_t start_ns, end_ns; /* the snapshot's clock; start <= end */
    uint64_t cpu_ns;           /* used within, as the samples that end in it say */
    uint64_t cpu_before_ns;    /* of it, before start_ns: since the sample before the first */
    uint32_t samples;          /* with repeats */
    uint32_t chain;            /* in the profile */
    uint32_t wait;             /* in waits, or WAIT_NONE */
    uint64_t seen_ns;          /* time of the last sample in it, at most end_ns */
    uint64_t read_ns;          /* the memory behind `wait` was last as it says; 0: none was read */
    char state;                /* as in /proc/PID/stat; 0: not known */
    bool goes_on; /* begins with a repeat: the thread has not run since the one before */
};

/*
 * What is known for certain of a span in which a thread is blocked. The time of a sample is that at
 * which the thread was asked to stop, and the first repeat's that at which a round began in which
 * it was found blocked again, perhaps anew: at the time of the second one it was blocked. At the
 * time of a held sample it was stopped, and blocked then.
 */
struct span_proof {
    uint32_t repeats;         /* of the thread's last sample, two at the most */
    uint64_t sure_ns;         /* from here to seen_ns it was blocked; 0: that is not known */
    uint64_t earlier_read_ns; /* the last time before read_ns, both with the same outcome; or 0 */
    struct wait_now now;      /* as the last sample tells */
};

/* What an RTOS said of a thread when that was last sampled. */
struct history_task {
    bool is_known;
    bool low_first; /* smaller numbers are higher priorities */
    uint8_t state;  /* enum snap_task_state */
    int32_t priority, own_priority;
    uint64_t stack_size;      /* bytes; 0: not known */
    uint64_t stack_used;      /* of these, that were ever used; 0: not known */
    uint64_t tick, wake_tick; /* now, and when it will have waited long enough; 0: not known */
};

struct history_thread {
    uint32_t pid, tid;
    uint32_t process;        /* in processes */
    uint32_t before;         /* private: the one of its process that was found before; or NONE */
    char *name;              /* owned; its last one */
    uint64_t found_ns;       /* when it was found, or was made */
    uint64_t end_ns;         /* when it ended; 0: it was there at the end, or nothing tells */
    uint64_t start_ticks;    /* clock ticks since boot; 0: not known */
    bool is_main;            /* the first of its process; of a board none is */
    bool is_cpu;             /* of a board: no task, but what a CPU runs */
    bool found_running;      /* it was there when the capture began */
    bool cpu_unknown;        /* by an older cgsnap: if its first sample tells of no CPU time */
    uint32_t maker;          /* in threads; HISTORY_NONE: not seen */
    uint32_t creation_chain; /* in the profile; HISTORY_NONE: not seen */
    uint64_t samples, cpu_ns;
    struct span *spans; /* owned */
    size_t span_count, span_cap;
    struct span_proof proof; /* of its last span */
    struct history_task task;
    uint64_t task_context; /* private: a hash of what its RTOS had saved of it; 0: it was not so */
    /* The stack, as far as samples saw it: */
    uint64_t stack_used;       /* bytes from SP to its mapping's end, at the most; 0: not known */
    uint64_t stack_sp;         /* SP then */
    uint32_t stack_used_chain; /* where that was; HISTORY_NONE: no sample */
    uint64_t stack_mapped;     /* bytes of its mapping, which may hold others'; 0: not known */
    uint64_t stack_begin_sp;   /* SP in the frame that the thread began in; 0: not known */
    size_t depth;              /* frames, at the most */
    uint32_t depth_chain;      /* where that was */
};

struct history_process {
    uint32_t pid, parent_pid;
    struct program_name program; /* owned */
    const char *exe;             /* its path: "" when it is not known */
    uint64_t time_ns;
    uint64_t first_ns, last_ns; /* private: of its snapshot's samples, once that has ended */
    bool is_over;               /* private: it has */
    uint64_t zero_ns;           /* private: of its snapshot, once that has ended */
    bool has_zero;              /* private: it had a sample */
    uint32_t last_thread;       /* private: that was found in it; HISTORY_NONE */
    bool one_moment;            /* all its threads and memory are of one moment: of a core */
    bool whole;                 /* all its threads are here */
    bool is_board;              /* a board without Linux, which has tasks, or CPUs alone */
    uint32_t snapshot;          /* counts the inputs: each has tids and a clock of its own */
};

struct history {                    /* to be read by others, changed by the functions below only */
    struct history_thread *threads; /* in the order in which they were found; of ended ones, too */
    size_t thread_count, thread_cap;
    struct history_process *processes; /* one for each program that a process ran */
    size_t process_count, process_cap;
    const struct arch *arch;
    struct waits *waits;        /* borrowed */
    bool one_moment;            /* to be set: what comes is of a core */
    struct window window;       /* to be set: the part that samples are of */
    uint64_t first_ns, last_ns; /* of all samples; of several snapshots history_first_ns tells */
    bool has_samples;
    uint64_t zero_ns; /* when the first snapshot begins, shown or not; first_ns is no earlier */
    bool has_zero;
    bool is_apart; /* a sample is held with no others: what samples say is of different moments */
    uint64_t span_count;
    uint64_t spans_max; /* HISTORY_SPANS_MAX, or fewer */
    bool full;          /* that many were reached: what came after is not in it */
    /* By the profile's thread: index into threads, plus 1, of the last that was it; 0: of none. */
    uint32_t *by_profile_thread; /* owned */
    size_t profile_thread_count, profile_thread_cap;
    /* Private: */
    bool begun;                /* the snapshot that is being read has had a sample, shown or not */
    uint64_t snapshot_zero_ns; /* then: when that was */
    bool sampled;              /* it has had one that is shown */
    uint64_t snapshot_first_ns, snapshot_last_ns; /* then: of its samples */
    size_t snapshot_process;                      /* the first one of its processes */
    uint32_t snapshot_count;                      /* that have ended */
    uint64_t before_ns;                           /* the length of those that have ended */
    struct map live;                              /* tid -> index into threads, of live ones */
    struct map programs; /* pid -> index into processes, of what it runs now */
};

/* `waits` may be NULL: then nothing is known of waits. */
void history_init(struct history *history, struct waits *waits, const struct arch *arch);
void history_deinit(struct history *history);

/* One for each member of struct ingest_sink. They fail only for memory. */
MUST_CHECK enum status history_begin(struct history *history, uint64_t time_ns);
MUST_CHECK enum status history_process(struct history *history, const struct snap_process *process);
MUST_CHECK enum status history_thread(struct history *history, const struct snap_thread *thread);
MUST_CHECK enum status history_thread_end(struct history *history,
                                          const struct snap_thread *thread);
MUST_CHECK enum status history_sample(struct history *history, const struct ingest_sample *sample);
MUST_CHECK enum status history_creation(struct history *history,
                                        const struct ingest_creation *creation);

/* The history as a consumer of an ingest's samples; it has to be there as long as the sink. */
struct ingest_sink history_sink(struct history *history);

/* The snapshot has ended; what comes is of another, whose clock is another. */
void history_end(struct history *history);

/* When the samples of a process's snapshot begin and end: each snapshot has its own clock. */
uint64_t history_first_ns(const struct history *history, uint32_t process);
uint64_t history_last_ns(const struct history *history, uint32_t process);

/*
 * What times of a process's snapshot are counted from: its first sample, which need not be shown.
 */
uint64_t history_zero_ns(const struct history *history, uint32_t process);

/* How long after that a time of the process's snapshot is; 0: before. */
uint64_t history_since_zero(const struct history *history, uint32_t process, uint64_t time_ns);

/* How long the snapshots are, taken together. */
uint64_t history_length_ns(const struct history *history);

/* False: nothing is missing; else `diag` says what is. */
bool history_is_cut(const struct history *history, struct diag *diag);

/*
 * A thread was seen more than once: else, as of a core or a capture of one round, no time is known.
 */
bool history_has_times(const struct history *history);

/*
 * No sample tells whether its thread ran, or what it waited for: as of a program behind a stub for
 * gdb. Of a core, registers would.
 */
bool history_lacks_states(const struct history *history);

/* Base name of its program, as it was started (program_name.h); "" when it is not known. */
const char *history_process_name(const struct history_process *process);

/* What a thread is called: its name, of a first one the title that its process has. */
const char *history_thread_name(const struct history *history, const struct history_thread *thread);

/* The thread that has this tid now, or HISTORY_NONE. */
uint32_t history_find(const struct history *history, uint32_t tid);

#endif
