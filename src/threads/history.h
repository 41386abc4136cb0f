/* SPDX-License-Identifier: MIT */
/*
 * Records what each thread did when: spans of time in which samples found it in one state, with one
 * chain, waiting for one thing. The events of one or several snapshots fill a history, before names
 * are looked up.
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
#include "graph/ingest_sinks.h"
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
    uint64_t start_ns, end_ns; /* on the snapshot's clock; start_ns <= end_ns */
    /* CPU time used between each of its samples and the thread's sample before that */
    uint64_t cpu_ns;
    uint64_t cpu_before_ns; /* part of cpu_ns that was used before start_ns */
    uint32_t samples;       /* number of samples in the span, repeats included */
    uint32_t chain;         /* the chain of its samples: index in the profile */
    uint32_t wait;          /* its wait: index in the history's waits, or WAIT_NONE */
    uint64_t seen_ns;       /* time of the last sample in it, at most end_ns */
    uint64_t read_ns;       /* when the memory that tells `wait` was last read; 0: never */
    char state;             /* letter of /proc/PID/stat, or SNAP_STATE_READY; 0: not known */
    bool goes_on;           /* the thread has not run since the span before */
};

/*
 * Tells from when on a thread was blocked for certain in its last span. A repeat is a sample of a
 * thread found not to have run since its sample before. A sample's time is the request to stop the
 * thread; a first repeat's time is the beginning of a round that found it blocked, perhaps again.
 * So at the time of the second repeat it was blocked for certain. At the time of a held sample the
 * thread was stopped, hence blocked, too.
 */
struct span_proof {
    uint32_t repeats; /* repeats since the last sample that is none; counted up to 2 */
    uint64_t sure_ns; /* blocked for certain from sure_ns to the span's seen_ns; 0: not known */
    uint64_t earlier_read_ns; /* the span's read_ns before its last change; 0: none */
    struct wait_now now;      /* the wait at the thread's last sample */
};

/* A thread's state by the RTOS's own data, as of its last sample that has them. */
struct history_task {
    bool is_known;
    bool low_first; /* the smaller number is the higher priority */
    uint8_t state;  /* enum snap_task_state: what the task does by the RTOS */
    int32_t priority, own_priority;
    uint64_t stack_size; /* bytes of the task's stack; 0: not known */
    uint64_t stack_used; /* the most bytes of stack_size ever used; 0: not known */
    /* the RTOS's clock then, and when its wait times out, in ticks; 0: not known */
    uint64_t tick, wake_tick;
};

struct history_thread {
    uint32_t pid, tid;
    uint32_t process;     /* its process: index in the history's `processes` */
    uint32_t before;      /* private: index of its process's thread found before it; HISTORY_NONE */
    char *name;           /* the last name that the thread had; owned */
    uint64_t found_ns;    /* when it was created, if that was seen, else when it was found */
    uint64_t end_ns;      /* when it ended; 0: not seen to end */
    uint64_t start_ticks; /* its start, in clock ticks since boot; 0: not known */
    bool is_main;         /* the first thread of its process; never on a board */
    bool is_cpu;          /* on a board: it stands for a CPU, and is no task */
    bool found_running;   /* the thread existed when the capture began */
    bool cpu_unknown;     /* if its first sample has no CPU time, its CPU time is not known */
    uint32_t maker;       /* thread that created it: index in threads; HISTORY_NONE: not seen */
    uint32_t creation_chain; /* chain in the profile that created it; HISTORY_NONE: not seen */
    uint64_t samples, cpu_ns;
    struct span *spans; /* its spans in the order of time; owned */
    size_t span_count, span_cap;
    struct span_proof proof; /* further facts about its last span */
    struct history_task task;
    /* private: hash of its registers and stack while a blocked task; 0: not one */
    uint64_t task_context;
    /* Its stack, as far as samples saw it: */
    uint64_t stack_used;       /* bytes from the deepest SP to its mapping's end; 0: not known */
    uint64_t stack_sp;         /* the deepest (lowest) SP that samples saw; 0: not known */
    uint32_t stack_used_chain; /* the sample's chain with stack_sp; HISTORY_NONE: there is none */
    uint64_t stack_mapped;     /* bytes of the mapping, which may hold other stacks; 0: not known */
    uint64_t stack_begin_sp;   /* SP in the frame that the thread began in; 0: not known */
    size_t depth;              /* number of frames of its longest chain */
    uint32_t depth_chain; /* its longest chain, in the profile; HISTORY_NONE: it has no sample */
};

struct history_process {
    uint32_t pid, parent_pid;
    struct program_name program; /* names of the program that the process runs; owned */
    const char *exe;             /* path of the executable, owned by `program`; "": not known */
    uint64_t time_ns;            /* when it was found, or began to run this program */
    /* private: if is_over: times of its snapshot's first and last sample */
    uint64_t first_ns, last_ns;
    bool is_over;         /* private: its snapshot has ended, and had samples */
    uint64_t zero_ns;     /* private: if has_zero: as history_zero_ns returns it */
    bool has_zero;        /* private: its snapshot has ended, and zero_ns is known */
    uint32_t last_thread; /* private: index of its thread found last; HISTORY_NONE: none */
    bool one_moment;      /* from a core: all threads and memory are of one moment */
    bool whole;           /* no thread of it is missing in the history */
    bool is_board;        /* a board without Linux: its threads are tasks or CPUs */
    uint32_t snapshot; /* number of the snapshot, from 0 on; each has tids and a clock of its own */
};

struct history { /* others read it only, except for the members "set by the caller" */
    struct history_thread *threads; /* in the order they were found; ended ones, too */
    size_t thread_count, thread_cap;
    struct history_process *processes; /* one for each program that a process ran */
    size_t process_count, process_cap;
    const struct arch *arch;
    struct waits *waits;        /* the waits of spans; borrowed; NULL: spans have no waits */
    bool one_moment;            /* set by the caller: the next input is a core */
    struct window window;       /* set by the caller: the part of the capture that is shown */
    uint64_t first_ns, last_ns; /* of all samples of all snapshots; see history_first_ns */
    bool has_samples;
    uint64_t zero_ns; /* time of the first sample of all, in the window or not; at most first_ns */
    bool has_zero;
    /* some samples were not held: threads were seen at different moments (not for cores) */
    bool is_apart;
    uint64_t span_count;
    uint64_t spans_max; /* most spans to keep: HISTORY_SPANS_MAX, or fewer */
    bool full;          /* spans_max was reached: later spans are missing */
    /*
     * By thread of the profile: index in threads, plus 1, of the last one that samples counted for
     * it; 0: none.
     */
    uint32_t *by_profile_thread; /* owned */
    size_t profile_thread_count, profile_thread_cap;
    /* Private: */
    bool begun;                /* the snapshot being read has had a sample, in the window or not */
    uint64_t snapshot_zero_ns; /* if begun: the time of its first sample */
    bool sampled;              /* the snapshot being read has had a sample in the window */
    /* if sampled: times of the first and last of those samples */
    uint64_t snapshot_first_ns, snapshot_last_ns;
    size_t snapshot_process; /* index of the first process of the snapshot being read */
    uint32_t snapshot_count; /* number of snapshots that have ended */
    uint64_t before_ns;      /* sum of the lengths of the snapshots that have ended */
    struct map live;         /* tid -> index into threads, of live ones */
    struct map programs;     /* pid -> index into processes, of its present program */
};

/* Makes an empty history. `waits` NULL: no span has a wait. `waits` and `arch` are borrowed. */
void history_init(struct history *history, struct waits *waits, const struct arch *arch);
void history_deinit(struct history *history);

/*
 * Take one event each: what graph/ingest_sinks.h hands to the function of the same name. Samples,
 * ends and creations of threads that history_thread has not given are ignored. Fail only with
 * NO_MEMORY.
 */
MUST_CHECK enum status history_begin(struct history *history, uint64_t time_ns);
MUST_CHECK enum status history_process(struct history *history, const struct snap_process *process);
MUST_CHECK enum status history_thread(struct history *history, const struct snap_thread *thread);
MUST_CHECK enum status history_thread_end(struct history *history,
                                          const struct snap_thread *thread);
MUST_CHECK enum status history_sample(struct history *history, const struct ingest_sample *sample);
MUST_CHECK enum status history_creation(struct history *history,
                                        const struct ingest_creation *creation);

/*
 * Returns a sink that passes each event to the function above of its name; `history` must outlive
 * the sink.
 */
struct ingest_sink history_sink(struct history *history);

/* Ends a snapshot: later events are of another one, with tids and a clock of its own. */
void history_end(struct history *history);

/*
 * Return the time of the first and the last sample in the window of a process's snapshot, on that
 * snapshot's clock; before history_end: of all samples.
 */
uint64_t history_first_ns(const struct history *history, uint32_t process);
uint64_t history_last_ns(const struct history *history, uint32_t process);

/*
 * Returns the time that is 0 in outputs about a process's snapshot: its first sample, in the window
 * or not.
 */
uint64_t history_zero_ns(const struct history *history, uint32_t process);

/* Returns time_ns - history_zero_ns, or 0 if that is negative. */
uint64_t history_since_zero(const struct history *history, uint32_t process, uint64_t time_ns);

/* Returns the sum of the snapshots' lengths, each from its first sample to its last. */
uint64_t history_length_ns(const struct history *history);

/*
 * Whether spans are missing because spans_max was reached; if so, fills `diag` with a message and a
 * hint.
 */
bool history_is_cut(const struct history *history, struct diag *diag);

/*
 * Whether any thread was sampled more than once. False, as for a core or a capture of one round: no
 * durations are known.
 */
bool history_has_times(const struct history *history);

/*
 * Whether there are samples, and no span has a state or a wait, as from a target behind a stub for
 * gdb. False also if a thread is from a core.
 */
bool history_lacks_states(const struct history *history);

/*
 * Returns the base name of the process's program, as it was started (program_name.h); "": not
 * known; owned by the process.
 */
const char *history_process_name(const struct history_process *process);

/*
 * Returns the thread's name; for the first thread of a process that has a title, the title. Owned
 * by the history.
 */
const char *history_thread_name(const struct history *history, const struct history_thread *thread);

/*
 * Returns the index of the snapshot's thread with this tid that has not ended; HISTORY_NONE: none.
 */
uint32_t history_find(const struct history *history, uint32_t tid);

#endif
