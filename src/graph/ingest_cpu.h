/* SPDX-License-Identifier: MIT */
/*
 * While a snapshot is read, distributes the CPU time that the kernel counted of threads and
 * processes to samples and ticks (cpu_stretch.h), or to no sample (process_cpu.h), and passes it to
 * the account and the sinks. Private to ingest.c.
 */
#ifndef GRAPH_INGEST_CPU_H
#define GRAPH_INGEST_CPU_H

#include "graph/ingest.h"

struct ingest_thread { /* a live thread, by slot of live_threads */
    uint32_t pid, tid;
    uint32_t inner_tid; /* tid in the process's own pid namespace; 0: not known */
    bool has_chain;
    bool is_repeated; /* the chain, with its marks, was made from a repeat */
    bool counted;     /* had a sample between from_ns and to_ns */
    char *name;
    uint32_t profile_thread, chain_id;
    struct cpu_stretch stretch;
    struct chain chain; /* of its last sample; repeats reuse it */
    struct profile_path path;
};

/* Takes a PROCESS record: the process begins, or goes on with another program. */
void ingest_cpu_process(struct ingest *in, struct process_cpu *cpu,
                        const struct snap_process *process);
/* Takes a reading of the process's CPU clock, if all its threads are captured. */
void ingest_cpu_clock(const struct ingest *in, const struct snap_usage *usage);

/* Counts a sample that has `given_ns` of its thread's CPU time at once. */
void ingest_cpu_count(struct ingest *in, const struct snap_sample *sample, uint64_t given_ns);
/*
 * Takes a sample's CPU time into the thread's stretch, and the sample as a place if rank is not
 * CPU_RANKS; a tick only as a place. NO_MEMORY, or the status of a sink.
 */
MUST_CHECK enum status ingest_cpu_sample(struct ingest *in, struct ingest_thread *thread,
                                         const struct ingest_sample *given, enum cpu_rank rank);
MUST_CHECK enum status ingest_cpu_tick(struct ingest *in, struct ingest_thread *thread,
                                       const struct ingest_sample *given);

/* Gives all of the ending thread's CPU time to its samples, and the rest to no sample. */
MUST_CHECK enum status ingest_cpu_thread_end(struct ingest *in, struct ingest_thread *thread);
/* At the snapshot's end: does this for all live threads, and gives the rest of each process. */
MUST_CHECK enum status ingest_cpu_end(struct ingest *in);

/* Returns the process's account; NULL: unknown pid. */
struct process_cpu *ingest_cpu_of(const struct ingest *in, uint32_t pid);

#endif
