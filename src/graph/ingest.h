/* SPDX-License-Identifier: MIT */
/*
 * From a snapshot's events to one stream of samples: follows processes, mappings and threads,
 * unwinds each sample, gives its chain and thread their ids in a profile, and hands it to sinks.
 * The profile's weights are one of them; a history of threads and a format that takes samples as
 * they are read are others. Any number of them may be there at once.
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
#include "graph/jit_dumps.h"
#include "graph/jit_files.h"
#include "graph/jit_maps.h"
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
    uint32_t thread_id;          /* in the profile */
    struct address_space *space; /* of its process */
    const struct chain *chain;
    uint32_t chain_id; /* in the profile */
    /*
     * What the sample adds. Of CPU time that is known later where `cpu` of the sinks tells; that it
     * will is has_cpu_later.
     */
    const struct weights *weights;
    bool has_cpu_later;
    uint64_t number;     /* of all samples and ticks of the reading, from 0 on */
    uint64_t input_size; /* bytes of all snapshots that have been read by now */
};

/*
 * CPU time of a sample that was given before with has_cpu_later (once of each, also when it is 0);
 * or of a process, without a sample (process_cpu.h).
 */
struct ingest_cpu {
    const struct cpu_place *place; /* its number: INGEST_NO_SAMPLE of a process */
    uint32_t pid, tid;             /* tid: 0 of a process, whose threads were not sampled */
    uint64_t cpu_ns;
    /* Without a sample: the thread's name, or its program's; what stands in place of a chain. */
    const char *name;
    const struct chain *chain;
};

#define INGEST_NO_SAMPLE UINT64_MAX

struct ingest_creation {
    const struct snap_creation *creation;
    const struct chain *chain; /* of the maker, from the system call outwards */
    uint32_t chain_id;         /* in the profile, which has no weight of it */
};

/*
 * Where events go; a member may be NULL. What is pointed to is valid during the call. A status
 * other than OK ends the reading.
 */
struct ingest_sink {
    /*
     * A snapshot's first sample, whether it counts or not: the time that from_ns is counted from.
     */
    enum status (*begin)(void *context, uint64_t time_ns);
    enum status (*process)(void *context, const struct snap_process *process);
    enum status (*thread)(void *context, const struct snap_thread *thread);
    enum status (*thread_end)(void *context, const struct snap_thread *thread);
    enum status (*sample)(void *context, const struct ingest_sample *sample);
    /* The same of a TICK, which adds CPU time only, and is no sample of a round. */
    enum status (*tick)(void *context, const struct ingest_sample *tick);
    /* Some samples later, but before the thread's end. */
    enum status (*cpu)(void *context, const struct ingest_cpu *cpu);
    /* NULL in all sinks: how threads were made is not unwound. */
    enum status (*creation)(void *context, const struct ingest_creation *creation);
    void *context;
};

/* Adds each sample's weights to the profile, which is the ingest's. */
struct ingest_sink ingest_profile_sink(struct profile *profile);

/* Of one process; each costs a look at the others. Twice what Linux allows by default. */
#define INGEST_MAPPINGS_MAX 131072

struct ingest { /* zero it, set the first six (borrowed), then ingest_run for each snapshot */
    struct module_set *modules;
    struct unwinder *unwinder;
    struct profile *profile;         /* gives the ids */
    struct jit_maps *given_jit_maps; /* go before what inputs tell; of pid 0: of all; may be NULL */
    const struct ingest_sink *sinks; /* each event goes to all, in this order */
    size_t sink_count;
    /* distinguish threads of one name; else memory does not grow with threads that come and go */
    bool by_tid;
    /* Registers of all frames are wanted by sinks. */
    bool wants_regs;
    struct splits *splits; /* that mark frames, which needs registers; borrowed; NULL: none do */
    /*
     * Only samples of this time count, in ns since the first sample of their snapshot: from it on,
     * up to and without `to_ns` (0: to the end). All others are as if they had not been taken, and
     * what a thread's first sample tells of the time since the one before is cut at the border.
     */
    uint64_t from_ns, to_ns;
    /* Results: */
    uint64_t samples, unwind_ns;
    uint64_t samples_outside, span_ns; /* of from_ns to to_ns; of the longest snapshot, all of it */
    uint64_t mappings_left_out;        /* beyond INGEST_MAPPINGS_MAX */
    struct capture_account account;    /* of all but what is weighed as the baseline */
    struct capture_account base_account; /* of that */
    bool has_summary;
    struct snap_summary summary; /* of the last snapshot that has one */
    struct title title;          /* of all but what is weighed as the baseline */
    struct title base_title;     /* of that */
    /*
     * Since the epoch, the earliest sample of all snapshots; 0: none. The sum of the times between
     * the first and the last sample of each.
     */
    uint64_t start_ns, duration_ns;
    uint64_t period_ns;  /* asked for between two samples of a thread; the longest, 0: not known */
    uint64_t input_size; /* bytes of snapshots */
    /* Private, per snapshot: */
    struct map processes; /* pid -> index into spaces */
    struct jit_maps jit_maps;
    struct jit_dumps jit_dumps;
    struct jit_files jit_files; /* its `problem` is a result */
    uint64_t clock_offset_ns;   /* 0: its times are of no calendar */
    struct address_space *spaces;
    struct process_cpu *process_cpus; /* as many as spaces */
    size_t space_count, space_cap, process_cpu_cap;
    struct live_threads live;
    struct ingest_thread *threads; /* as many as there are in `live` */
    size_t thread_cap;
    struct chain creation_chain, tick_chain; /* memory for one */
    uint64_t numbers;                        /* of samples and ticks that were given */
    bool counts_cpu;                         /* samples tell what threads used between them */
    bool has_ticks;                          /* a process of the snapshot has */
    bool timed;                              /* there was a sample: the next two are valid */
    uint64_t first_ns, last_ns;              /* the snapshot's clock */
    bool has_unwound;  /* a chain, of whatever input: files of modules are in use */
    bool is_beginning; /* no sample was read yet of a snapshot of cgsnap */
    bool has_origin;
    uint64_t origin_ns;               /* the time of the snapshot's first sample, counted or not */
    uint64_t halt_ns, halt_before_ns; /* at which threads were held, the last ones; 0: none */
};

/*
 * Reads `source` to its end. OK; BAD_DATA and IO with `diag` filled: what came before is in the
 * profile; NO_MEMORY; what a sink returned.
 */
MUST_CHECK enum status ingest_run(struct ingest *ingest, struct snap_source *source,
                                  struct diag *diag);
void ingest_deinit(struct ingest *ingest);

/* Where that counts which is being read. */
static inline struct capture_account *ingest_account(struct ingest *ingest)
{
    return ingest->profile->weighs_base ? &ingest->base_account : &ingest->account;
}

#endif
