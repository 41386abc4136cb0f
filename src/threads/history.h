/* SPDX-License-Identifier: MIT */
/*
 * Records what each thread did when: spans of time in which samples found it in one state, with one
 * chain, waiting for one thing. Built from a snapshot's events, before names are looked up.
 *
 * Memory grows with the number of spans, of which at most HISTORY_SPANS_MAX are kept.
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
 * A stretch of time in which all samples of a thread agree. A blocked thread that has run between
 * two samples gets a new span, even in the same chain and wait.
 *
 *     sample  sample  sample          another state, chain or wait
 *     start_ns        seen_ns         end_ns = start_ns of the next span
 *
 * A thread's last span ends with its last sample, or when the thread ends. What happened between
 * two samples is not known.
 */
struct span {
    uint64_t start_ns, end_ns; /* the snapshot's clock; start <= end */
    uint64_t cpu_ns;           /* CPU time of its samples: each one's since the sample before it */
    uint64_t cpu_before_ns;    /* the first sample's part of cpu_ns: used before start_ns */
    uint32_t samples;          /* with repeats */
    uint32_t chain;            /* in the profile */
    uint32_t wait;             /* in waits, or WAIT_NONE */
    uint64_t seen_ns;          /* time of the last sample in it, at most end_ns */
    uint64_t read_ns;          /* when the memory that tells `wait` was last read; 0: never */
    char state;                /* letter of /proc/PID/stat, or SNAP_STATE_READY; 0: not known */
    bool goes_on;              /* the thread has not run since the span before */
};

/*
 * From when on a thread was blocked for certain in its last span. A sample's time is the request to
 * stop the thread; a first repeat's is the beginning of a round that found it blocked, perhaps
 * again. So at the time of the second repeat it was blocked. At the time of a held sample it was
 * stopped, hence blocked, too.
 */
struct span_proof {
    uint32_t repeats;         /* since the thread's last sample that is no repeat; at most 2 */
    uint64_t sure_ns;         /* blocked from here to seen_ns; 0: not known */
    uint64_t earlier_read_ns; /* the span's read_ns before the present one; 0: none */
    struct wait_now now;      /* of the last sample */
};

/* An RTOS's words about a thread, from its last sample that has them. */
struct history_task {
    bool is_known;
    bool low_first; /* smaller numbers are higher priorities */
    uint8_t state;  /* enum snap_task_state */
    int32_t priority, own_priority;
    uint64_t stack_size;      /* bytes; 0: not known */
    uint64_t stack_used;      /* bytes ever used of stack_size; 0: not known */
    uint64_t tick, wake_tick; /* the RTOS's clock; when the wait times out; 0: not known */
};

struct history_thread {
    uint32_t pid, tid;
    uint32_t process;        /* in processes */
    uint32_t before;         /* private: the thread of its process found before; HISTORY_NONE */
    char *name;              /* owned; the last one */
    uint64_t found_ns;       /* when it was found, or was made if that was seen */
    uint64_t end_ns;         /* when it ended; 0: not seen to end */
    uint64_t start_ticks;    /* clock ticks since boot; 0: not known */
    bool is_main;            /* the first thread of its process; false for all of a board */
    bool is_cpu;             /* on a board: stands for a CPU, is no task */
    bool found_running;      /* it was there when the capture began */
    bool cpu_unknown;        /* its CPU time is not known if its first sample has none */
    uint32_t maker;          /* in threads; HISTORY_NONE: not seen */
    uint32_t creation_chain; /* in the profile; HISTORY_NONE: not seen */
    uint64_t samples, cpu_ns;
    struct span *spans; /* owned */
    size_t span_count, span_cap;
    struct span_proof proof; /* of its last span */
    struct history_task task;
    uint64_t task_context; /* private: hash of a blocked task's registers and stack; 0: no such */
    /* The stack, as far as samples saw it: */
    uint64_t stack_used;       /* bytes from the deepest SP to its mapping's end; 0: not known */
    uint64_t stack_sp;         /* the deepest SP */
    uint32_t stack_used_chain; /* the chain with that SP; HISTORY_NONE: no sample */
    uint64_t stack_mapped;     /* bytes of its mapping, may hold other stacks; 0: not known */
    uint64_t stack_begin_sp;   /* SP in the frame that the thread began in; 0: not known */
    size_t depth;              /* frames of the longest chain */
    uint32_t depth_chain;      /* the longest chain; HISTORY_NONE: no sample */
};

struct history_process {
    uint32_t pid, parent_pid;
    struct program_name program; /* owned */
    const char *exe;             /* path, in `program`; "": not known */
    uint64_t time_ns;            /* when it was found, or ran this program */
    uint64_t first_ns, last_ns;  /* private: of its snapshot's samples, if is_over */
    bool is_over;                /* private: its snapshot has ended, and had samples */
    uint64_t zero_ns;            /* private: of its snapshot, if has_zero */
    bool has_zero;               /* private: its snapshot has ended, and zero_ns is known */
    uint32_t last_thread;        /* private: the one found last in it; HISTORY_NONE */
    bool one_moment;             /* from a core: all threads and memory are of one moment */
    bool whole;                  /* all its threads are here */
    bool is_board;               /* a board without Linux: its threads are tasks or CPUs */
    uint32_t snapshot;           /* number of the input: each has tids and a clock of its own */
};

struct history {                    /* read by others, changed by the functions below only */
    struct history_thread *threads; /* as they were found; with those that have ended */
    size_t thread_count, thread_cap;
    struct history_process *processes; /* one for each program that a process ran */
    size_t process_count, process_cap;
    const struct arch *arch;
    struct waits *waits;        /* borrowed */
    bool one_moment;            /* set by the caller: what is read next is a core */
    struct window window;       /* set by the caller: the part of the capture that is shown */
    uint64_t first_ns, last_ns; /* of all samples; for one snapshot: history_first_ns */
    bool has_samples;
    uint64_t zero_ns; /* the first sample of all, shown or not; at most first_ns */
    bool has_zero;
    bool is_apart; /* some samples were not held: threads were seen at different moments */
    uint64_t span_count;
    uint64_t spans_max; /* HISTORY_SPANS_MAX, or fewer */
    bool full;          /* spans_max was reached: later spans are missing */
    /* By the profile's thread: index into threads, plus 1, of the last that was it; 0: none. */
    uint32_t *by_profile_thread; /* owned */
    size_t profile_thread_count, profile_thread_cap;
    /* Private: */
    bool begun;                /* the snapshot being read has had a sample, shown or not */
    uint64_t snapshot_zero_ns; /* if begun: the time of its first sample */
    bool sampled;              /* the snapshot being read has had a sample that is shown */
    uint64_t snapshot_first_ns, snapshot_last_ns; /* if sampled: of those samples */
    size_t snapshot_process;                      /* index of its first process */
    uint32_t snapshot_count;                      /* snapshots that have ended */
    uint64_t before_ns;                           /* the sum of their lengths */
    struct map live;                              /* tid -> index into threads, of live ones */
    struct map programs; /* pid -> index into processes, of its present program */
};

/* `waits` may be NULL: then no span has a wait. Both pointers are borrowed. */
void history_init(struct history *history, struct waits *waits, const struct arch *arch);
void history_deinit(struct history *history);

/*
 * Take one event each, as the members of struct ingest_sink of the same names say. Samples, ends
 * and creations of threads that are not known are ignored. Fail only with NO_MEMORY.
 */
MUST_CHECK enum status history_begin(struct history *history, uint64_t time_ns);
MUST_CHECK enum status history_process(struct history *history, const struct snap_process *process);
MUST_CHECK enum status history_thread(struct history *history, const struct snap_thread *thread);
MUST_CHECK enum status history_thread_end(struct history *history,
                                          const struct snap_thread *thread);
MUST_CHECK enum status history_sample(struct history *history, const struct ingest_sample *sample);
MUST_CHECK enum status history_creation(struct history *history,
                                        const struct ingest_creation *creation);

/* Returns a sink that fills the history, which has to outlive the sink. */
struct ingest_sink history_sink(struct history *history);

/* Ends a snapshot: later events are of another one, with tids and a clock of its own. */
void history_end(struct history *history);

/* Return the time of the first and the last sample of a process's snapshot, on its own clock. */
uint64_t history_first_ns(const struct history *history, uint32_t process);
uint64_t history_last_ns(const struct history *history, uint32_t process);

/*
 * Returns the time from which times of a process's snapshot are counted: its first sample, shown or
 * not.
 */
uint64_t history_zero_ns(const struct history *history, uint32_t process);

/* Returns time_ns - history_zero_ns; 0 for earlier times. */
uint64_t history_since_zero(const struct history *history, uint32_t process, uint64_t time_ns);

/* Returns the sum of the snapshots' lengths, each from its first sample to its last. */
uint64_t history_length_ns(const struct history *history);

/* Whether spans are missing, as spans_max was reached; then fills `diag` with that and a hint. */
bool history_is_cut(const struct history *history, struct diag *diag);

/*
 * Whether a thread was sampled more than once. Else, as for a core or a capture of one round, no
 * durations are known.
 */
bool history_has_times(const struct history *history);

/*
 * Whether there are samples, and none has a state or a wait, as from a target behind a stub for
 * gdb. False if a process is from a core.
 */
bool history_lacks_states(const struct history *history);

/* Returns the base name of its program, as it was started (program_name.h); "": not known. */
const char *history_process_name(const struct history_process *process);

/* Returns the thread's name; for the first thread of a process that has a title, the title. */
const char *history_thread_name(const struct history *history, const struct history_thread *thread);

/* Returns the index of the live thread with this tid, or HISTORY_NONE. */
uint32_t history_find(const struct history *history, uint32_t tid);

#endif
