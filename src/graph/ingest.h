/* SPDX-License-Identifier: MIT */
/*
 * Turns a snapshot's events into one stream of samples: follows processes, mappings and threads,
 * unwinds each sample, gives its chain and thread ids in a profile, and calls any number of sinks
 * with it. One sink adds weights to the profile; others make a history of threads, or write formats
 * that take samples as they are read.
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

struct splits; /* defined in graph/splits.h */

struct ingest_sample {
    const struct snap_sample *sample;
    const char *thread_name;
    uint32_t thread_id;          /* id of the thread in the profile */
    struct address_space *space; /* of the sample's process */
    const struct chain *chain;
    uint32_t chain_id; /* id of the chain in the profile */
    /* the weights that the sample adds; with has_cpu_later, ingest_sink.cpu tells its CPU time */
    const struct weights *weights;
    bool has_cpu_later;
    uint64_t number;     /* count of samples and ticks before it */
    uint64_t input_size; /* bytes of all snapshots read so far */
};

/*
 * CPU time of an earlier sample or tick that had has_cpu_later (told once for each, also 0 ns); or
 * CPU time of a thread or process that no sample has (process_cpu.h).
 */
struct ingest_cpu {
    /* the earlier sample or tick that gets the time; never NULL; number INGEST_NO_SAMPLE: none */
    const struct cpu_place *place;
    uint32_t pid, tid; /* tid 0: time of the whole process */
    uint64_t cpu_ns;
    /* only without a sample: name of thread or program; a chain of one frame that says so */
    const char *name;
    const struct chain *chain;
};

#define INGEST_NO_SAMPLE UINT64_MAX

struct ingest_creation {
    const struct snap_creation *creation;
    const struct chain *chain; /* of the thread that made it, from the system call outwards */
    uint32_t chain_id;         /* in the profile, where the creation adds no weight to the chain */
};

/*
 * A receiver of events; any member may be NULL. Arguments are valid during the call. A status other
 * than OK ends the reading.
 */
struct ingest_sink {
    /*
     * A snapshot's first sample, counted or not, is of `time_ns`: the origin of from_ns and to_ns.
     */
    enum status (*begin)(void *context, uint64_t time_ns);
    enum status (*process)(void *context, const struct snap_process *process);
    enum status (*thread)(void *context, const struct snap_thread *thread);
    enum status (*thread_end)(void *context, const struct snap_thread *thread);
    enum status (*sample)(void *context, const struct ingest_sample *sample);
    /* A TICK record: adds no weight but CPU time, which `cpu` tells later. */
    enum status (*tick)(void *context, const struct ingest_sample *tick);
    /* Tells CPU time of earlier samples and ticks, before thread_end of their thread. */
    enum status (*cpu)(void *context, const struct ingest_cpu *cpu);
    /* A thread made another. If NULL in all sinks, chains of creations are not unwound. */
    enum status (*creation)(void *context, const struct ingest_creation *creation);
    void *context; /* first argument of the functions */
};

/* Returns the sink that adds weights to `profile`, which must be ingest->profile. */
struct ingest_sink ingest_profile_sink(struct profile *profile);

/*
 * Most mappings of a process, as the cost of each grows with their number: twice Linux's default
 * limit. Further ones are left out.
 */
#define INGEST_MAPPINGS_MAX 131072

/* To be zeroed; the caller sets the members up to to_ns, then calls ingest_run per snapshot. */
struct ingest {
    struct module_set *modules; /* borrowed, as all pointers up to `splits` */
    struct unwinder *unwinder;
    struct profile *profile; /* gives chains and threads their ids */
    /* names of made code from the user, asked before inputs'; pid 0: all processes; may be NULL */
    struct jit_maps *given_jit_maps;
    const struct ingest_sink *sinks; /* each event goes to all sinks, in this order */
    size_t sink_count;
    /* tell threads of one name apart; memory then grows with threads that come and go */
    bool by_tid;
    /* Sinks need the registers of all frames. */
    bool wants_regs;
    struct splits *splits; /* mark frames, for which wants_regs must be set; NULL: none */
    /*
     * Only samples in [from_ns, to_ns) count, in ns since the first sample of their snapshot; to_ns
     * 0: to the end. Other samples are as if not taken; times of a thread's first counting sample
     * are cut at from_ns.
     */
    uint64_t from_ns, to_ns;
    /* Results: number of samples that count; time spent on unwinding */
    uint64_t samples, unwind_ns;
    /* number of samples outside [from_ns, to_ns); length of the longest snapshot */
    uint64_t samples_outside, span_ns;
    uint64_t mappings_left_out;          /* number of mappings beyond INGEST_MAPPINGS_MAX */
    struct capture_account account;      /* of all captures but the baseline's */
    struct capture_account base_account; /* of the baseline's captures */
    bool has_summary;
    struct snap_summary summary; /* if has_summary: of the last snapshot that has one */
    struct title title;          /* of all inputs but the baseline */
    struct title base_title;     /* of the baseline */
    /*
     * start_ns: time of the earliest sample since the epoch; 0: not known. duration_ns: sum over
     * all snapshots of the time from the first to the last sample.
     */
    uint64_t start_ns, duration_ns;
    uint64_t period_ns;  /* longest period asked for between samples of a thread; 0: not known */
    uint64_t input_size; /* bytes of snapshots read */
    /* Private, for one snapshot: */
    struct map processes; /* pid -> index into `spaces` */
    struct jit_maps jit_maps;
    struct jit_dumps jit_dumps;
    struct jit_files jit_files; /* its `problem` is a result */
    uint64_t clock_offset_ns;   /* epoch time minus the snapshot's; 0: not known */
    struct address_space *spaces;
    struct process_cpu *process_cpus; /* by index of `spaces` */
    size_t space_count, space_cap, process_cpu_cap;
    struct live_threads live;
    struct ingest_thread *threads; /* by slot of `live` */
    size_t thread_cap;
    struct chain creation_chain, tick_chain; /* memory that is used again */
    uint64_t numbers;                        /* number of samples and ticks told to sinks so far */
    bool counts_cpu;            /* the source is a snapshot, whose samples have CPU time used */
    bool has_ticks;             /* a process of the snapshot has ticks */
    bool timed;                 /* there was a sample: first_ns and last_ns are valid */
    uint64_t first_ns, last_ns; /* times of first and last sample, in the snapshot's clock */
    bool has_unwound;           /* some chain was unwound: modules' files are in use */
    bool is_beginning;          /* the source is a snapshot of which no sample was read yet */
    bool has_origin;
    uint64_t origin_ns;               /* if has_origin: time of the first sample, counted or not */
    uint64_t halt_ns, halt_before_ns; /* times of the last two held samples; 0: none */
};

/*
 * Reads `source` to its end, calls the sinks, and adds to the results. BAD_DATA and IO with `diag`
 * filled: samples read before are in the profile; NO_MEMORY; or the status of a sink.
 */
MUST_CHECK enum status ingest_run(struct ingest *ingest, struct snap_source *source,
                                  struct diag *diag);
void ingest_deinit(struct ingest *ingest);

/* Returns the account of the input being read: base_account of a baseline, else account. */
static inline struct capture_account *ingest_account(struct ingest *ingest)
{
    return ingest->profile->weighs_base ? &ingest->base_account : &ingest->account;
}

#endif
