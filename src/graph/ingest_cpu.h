/* SPDX-License-Identifier: MIT */
/*
 * Where CPU time goes while a snapshot is read: from what the kernel has counted of threads and
 * processes to samples and ticks (cpu_stretch.h), or to none (process_cpu.h); and from there to the
 * account and the sinks. Private to ingest.c.
 */
#ifndef GRAPH_INGEST_CPU_H
#define GRAPH_INGEST_CPU_H

#include "graph/ingest.h"

struct ingest_thread { /* of a live thread; slots of ended ones are used again */
    uint32_t pid, tid;
    uint32_t inner_tid; /* by its own numbering; 0: not known */
    bool has_chain;
    bool is_repeated; /* the chain is of a repeat: what it is divided by is of that time */
    bool counted;     /* it had a sample between from_ns and to_ns */
    char *name;
    uint32_t profile_thread, chain_id;
    struct cpu_stretch stretch;
    struct chain chain; /* of its last sample, for repeats */
    struct profile_path path;
};

/* PROCESS: it begins, or goes on with another program. */
void ingest_cpu_process(struct ingest *in, struct process_cpu *cpu,
                        const struct snap_process *process);
/* Its clock was read. */
void ingest_cpu_clock(const struct ingest *in, const struct snap_usage *usage);

/* A sample stands for so much at once, of what its thread has used. */
void ingest_cpu_count(struct ingest *in, const struct snap_sample *sample, uint64_t given_ns);
/* It tells what the thread has used, and where, if rank is not CPU_RANKS. */
MUST_CHECK enum status ingest_cpu_sample(struct ingest *in, struct ingest_thread *thread,
                                         const struct ingest_sample *given, enum cpu_rank rank);
MUST_CHECK enum status ingest_cpu_tick(struct ingest *in, struct ingest_thread *thread,
                                       const struct ingest_sample *given);

/* All of the thread's CPU time: to its samples, and what none of them stands for to none. */
MUST_CHECK enum status ingest_cpu_thread_end(struct ingest *in, struct ingest_thread *thread);
/* The snapshot has been read: that of all live threads, and of processes. */
MUST_CHECK enum status ingest_cpu_end(struct ingest *in);

/* NULL: the number is not known. */
struct process_cpu *ingest_cpu_of(const struct ingest *in, uint32_t pid);

#endif
