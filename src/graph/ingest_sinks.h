/* SPDX-License-Identifier: MIT */
/*
 * Hands the events of a reading to its consumers, the sinks: each event to all of them, in the
 * order in which they were added.
 */
#ifndef GRAPH_INGEST_SINKS_H
#define GRAPH_INGEST_SINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/cpu_stretch.h"
#include "graph/profile.h"
#include "snapshot/event.h"
#include "symbol/module.h"
#include "unwind/chain.h"

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

#define INGEST_SINKS_MAX 4

struct ingest_sinks { /* zeroed: none */
    struct ingest_sink list[INGEST_SINKS_MAX];
    size_t count;
};

/* Adds a sink behind the others; there must be fewer than INGEST_SINKS_MAX. */
void ingest_sinks_add(struct ingest_sinks *sinks, struct ingest_sink sink);
/* Removes the sink with this context, if there is one. */
void ingest_sinks_remove(struct ingest_sinks *sinks, const void *context);

/* Each calls the function of its name in all sinks that have it, until one does not return OK. */
MUST_CHECK enum status ingest_sinks_begin(const struct ingest_sinks *sinks, uint64_t time_ns);
MUST_CHECK enum status ingest_sinks_process(const struct ingest_sinks *sinks,
                                            const struct snap_process *process);
MUST_CHECK enum status ingest_sinks_thread(const struct ingest_sinks *sinks,
                                           const struct snap_thread *thread);
MUST_CHECK enum status ingest_sinks_thread_end(const struct ingest_sinks *sinks,
                                               const struct snap_thread *thread);
MUST_CHECK enum status ingest_sinks_sample(const struct ingest_sinks *sinks,
                                           const struct ingest_sample *sample);
MUST_CHECK enum status ingest_sinks_tick(const struct ingest_sinks *sinks,
                                         const struct ingest_sample *tick);
MUST_CHECK enum status ingest_sinks_cpu(const struct ingest_sinks *sinks,
                                        const struct ingest_cpu *cpu);
MUST_CHECK enum status ingest_sinks_creation(const struct ingest_sinks *sinks,
                                             const struct ingest_creation *creation);

/* Whether some sink takes creations. */
bool ingest_sinks_want_creations(const struct ingest_sinks *sinks);

#endif
