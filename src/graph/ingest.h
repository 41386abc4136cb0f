/* SPDX-License-Identifier: MIT */
/*
 * Turns a snapshot's events into one stream of samples: follows processes, mappings and threads,
 * unwinds each sample, gives its chain and thread ids in a profile, and hands it to any number of
 * sinks. The profile's weights are one sink; a history of threads, and formats that take samples as
 * they are read, are others.
 *
 * Memory grows with distinct chains and live threads, not with the stream.
 */
#ifndef GRAPH_INGEST_H
#define GRAPH_INGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/status.h"
#include "graph/capture_account.h"
#include "graph/cpu_stretch.h"
#include "runtime/jit/load/jit_dumps.h"
#include "runtime/jit/load/jit_files.h"
#include "runtime/jit/load/jit_maps.h"
#include "graph/process_cpu.h"
#include "graph/profile.h"
#include "graph/title.h"
#include "snapshot/import/source.h"
#include "snapshot/live_threads.h"
#include "symbol/module.h"
#include "unwind/unwinder.h"

struct splits; /* splits.h */

struct ingest_sample {
    const struct snap_sample *sample;
    const char *thread_name;
    uint32_t thread_id;          /* id in the profile */
    struct address_space *space; /* its process's */
    const struct chain *chain;
    uint32_t chain_id; /* id in the profile */
    /* What the sample adds. With has_cpu_later its CPU time comes later, by the sinks' `cpu`. */
    const struct weights *weights;
    bool has_cpu_later;
    uint64_t number;     /* number among all samples and ticks, from 0 on */
    uint64_t input_size; /* bytes of all snapshots read so far */
};

/*
 * CPU time of an earlier sample or tick with has_cpu_later (called once for each, also with 0 ns);
 * or CPU time of a thread or process without a sample (process_cpu.h).
 */
struct ingest_cpu {
    const struct cpu_place *place; /* number INGEST_NO_SAMPLE: without a sample */
    uint32_t pid, tid;             /* tid 0: of the whole process */
    uint64_t cpu_ns;
    /* Only without a sample: name of thread or program, and a chain in place of the unknown one. */
    const char *name;
    const struct chain *chain;
};

#define INGEST_NO_SAMPLE UINT64_MAX

struct ingest_creation {
    const struct snap_creation *creation;
    const struct chain *chain; /* the maker's, from the system call outwards */
    uint32_t chain_id;         /* id in the profile, which has no weight for it */
};

/*
 * Where events go; any member may be NULL. Arguments are valid during the call. A status other than
 * OK ends the reading.
 */
struct ingest_sink {
    /* A snapshot's first sample, counted or not: from_ns and to_ns are relative to its time. */
    enum status (*begin)(void *context, uint64_t time_ns);
    enum status (*process)(void *context, const struct snap_process *process);
    enum status (*thread)(void *context, const struct snap_thread *thread);
    enum status (*thread_end)(void *context, const struct snap_thread *thread);
    enum status (*sample)(void *context, const struct ingest_sample *sample);
    /* A TICK: it adds only CPU time, later. */
    enum status (*tick)(void *context, const struct ingest_sample *tick);
    /* CPU time of earlier samples, before their thread's end. */
    enum status (*cpu)(void *context, const struct ingest_cpu *cpu);
    /* If NULL in all sinks creations are not unwound. */
    enum status (*creation)(void *context, const struct ingest_creation *creation);
    void *context;
};

/* Returns the sink that adds weights to `profile`, which must be ingest->profile. */
struct ingest_sink ingest_profile_sink(struct profile *profile);

/* Mappings of one process; the cost of one grows with their number. Twice Linux's default limit. */
#define INGEST_MAPPINGS_MAX 131072

struct ingest { /* zero it, set the first six (borrowed), then ingest_run for each snapshot */
    struct module_set *modules;
    struct unwinder *unwinder;
    struct profile *profile; /* interns chains and threads */
    /* asked before inputs' names; pid 0: for all processes; may be NULL */
    struct jit_maps *given_jit_maps;
    const struct ingest_sink *sinks; /* each event goes to all, in this order */
    size_t sink_count;
    /* distinguish threads of one name; memory then grows with threads that come and go */
    bool by_tid;
    /* Sinks want the registers of all frames. */
    bool wants_regs;
    struct splits *splits; /* borrowed; mark frames, for which wants_regs must be set; NULL: none */
    /*
     * Only samples in [from_ns, to_ns) count, in ns since the first sample of their snapshot; to_ns
     * 0: to the end. Others are as if not taken; times of a thread's first counting sample are cut
     * at from_ns.
     */
    uint64_t from_ns, to_ns;
    /* Results: */
    uint64_t samples, unwind_ns;
    /* samples outside [from_ns, to_ns); length of the longest snapshot */
    uint64_t samples_outside, span_ns;
    uint64_t mappings_left_out;          /* beyond INGEST_MAPPINGS_MAX */
    struct capture_account account;      /* without the baseline */
    struct capture_account base_account; /* of the baseline */
    bool has_summary;
    struct snap_summary summary; /* the last snapshot's that has one */
    struct title title;          /* without the baseline */
    struct title base_title;     /* of the baseline */
    /*
     * Time of the earliest sample since the epoch; 0: not known. Sum of the times between the first
     * and last sample of each snapshot.
     */
    uint64_t start_ns, duration_ns;
    uint64_t period_ns;  /* longest period asked for between samples of a thread; 0: not known */
    uint64_t input_size; /* bytes of snapshots read */
    /* Private, per snapshot: */
    struct map processes; /* pid -> index into spaces */
    struct jit_maps jit_maps;
    struct jit_dumps jit_dumps;
    struct jit_files jit_files; /* `problem` is a result */
    uint64_t clock_offset_ns;   /* 0: the snapshot's times are of no calendar */
    struct address_space *spaces;
    struct process_cpu *process_cpus; /* by index of spaces */
    size_t space_count, space_cap, process_cpu_cap;
    struct live_threads live;
    struct ingest_thread *threads; /* by slot of `live` */
    size_t thread_cap;
    struct chain creation_chain, tick_chain; /* reused memory */
    uint64_t numbers;                        /* samples and ticks given so far */
    bool counts_cpu;            /* the source is a snapshot: samples have CPU time used */
    bool has_ticks;             /* a process of the snapshot has ticks */
    bool timed;                 /* there was a sample: the next two are valid */
    uint64_t first_ns, last_ns; /* in the snapshot's clock */
    bool has_unwound;           /* some chain was unwound: modules' files are in use */
    bool is_beginning;          /* a snapshot of cgsnap, before its first sample */
    bool has_origin;
    uint64_t origin_ns;               /* time of the snapshot's first sample, counted or not */
    uint64_t halt_ns, halt_before_ns; /* times of the last two held samples; 0: none */
};

/*
 * Reads `source` to its end. BAD_DATA and IO with `diag` filled: what came before is in the
 * profile; NO_MEMORY; or a sink's status.
 */
MUST_CHECK enum status ingest_run(struct ingest *ingest, struct snap_source *source,
                                  struct diag *diag);
void ingest_deinit(struct ingest *ingest);

/* Returns the account of the input being read: the baseline's or the other. */
static inline struct capture_account *ingest_account(struct ingest *ingest)
{
    return ingest->profile->weighs_base ? &ingest->base_account : &ingest->account;
}

#endif
