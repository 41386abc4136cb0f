/* SPDX-License-Identifier: MIT */
/*
 * Turns a snapshot's events into one stream of samples: follows processes, mappings and threads,
 * unwinds each sample, gives its chain and thread ids in a profile, and hands it to the sinks. One
 * sink adds weights to the profile; others make a history of threads, or write formats that take
 * samples as they are read.
 *
 *     ingest.c -> ingest_process   whose an event is: its thread and process
 *              -> time_window      whether it counts
 *              -> ingest_memory    the process's mappings and code
 *              -> jit_sources      functions that it made at run time
 *              -> unwinder         the sample's chain
 *              -> ingest_cpu       the CPU time of earlier samples -> ingest_sinks
 *              -> ingest_sinks
 *
 * Memory grows with distinct chains and live threads, not with the stream.
 */
#ifndef GRAPH_INGEST_H
#define GRAPH_INGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/capture_account.h"
#include "graph/ingest_process.h"
#include "graph/ingest_sinks.h"
#include "graph/profile.h"
#include "graph/thread_time.h"
#include "graph/time_window.h"
#include "graph/title.h"
#include "runtime/jit/load/jit_sources.h"
#include "snapshot/import/source.h"
#include "symbol/address_space.h"
#include "unwind/unwinder.h"

struct splits; /* defined in graph/splits.h */

/* Returns the sink that adds weights to `profile`, which must be ingest->profile. */
struct ingest_sink ingest_profile_sink(struct profile *profile);

/*
 * Most mappings of a process, as the cost of each grows with their number: twice Linux's default
 * limit. Further ones are left out.
 */
#define INGEST_MAPPINGS_MAX 131072

/* To be zeroed; the caller sets the members up to `jit`, then calls ingest_run per snapshot. */
struct ingest {
    struct module_set *modules; /* borrowed, as all pointers up to `splits` */
    struct unwinder *unwinder;
    struct profile *profile; /* gives chains and threads their ids */
    struct splits *splits;   /* mark frames, for which wants_regs must be set; NULL: none */
    /* tell threads of one name apart; memory then grows with threads that come and go */
    bool by_tid;
    bool wants_regs;           /* sinks need the registers of all frames */
    struct ingest_sinks sinks; /* ingest_sinks_add adds to them */
    struct time_window window; /* the caller sets from_ns and to_ns; has results */
    struct jit_sources jit;    /* the caller sets `given`; files.problem is a result */
    /* Results: number of samples that count; time spent on unwinding */
    uint64_t samples, unwind_ns;
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
    /* Private: */
    uint64_t numbers; /* number of samples and ticks told to sinks so far */
    bool has_unwound; /* some chain was unwound: modules' files are in use */
    /* Private, for one snapshot: */
    struct ingest_processes processes;
    struct chain creation_chain, tick_chain; /* memory that is used again */
    bool is_beginning;                /* the source is a snapshot of which no sample was read yet */
    enum cpu_source cpu_source;       /* of all processes but boards */
    uint64_t clock_offset_ns;         /* epoch time minus the snapshot's; 0: not known */
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

/* Returns the title of the input being read: base_title of a baseline, else title. */
static inline struct title *ingest_title(struct ingest *ingest)
{
    return ingest->profile->weighs_base ? &ingest->base_title : &ingest->title;
}

#endif
