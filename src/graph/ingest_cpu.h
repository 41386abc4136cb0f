/* SPDX-License-Identifier: MIT */
/*
 * While a snapshot is read, distributes the CPU time that the kernel counted of threads and
 * processes to samples and ticks (cpu_stretch.h), the rest to no sample (process_cpu.h), and passes
 * each part to the account and the sinks. Private to ingest.c.
 */
#ifndef GRAPH_INGEST_CPU_H
#define GRAPH_INGEST_CPU_H

#include "graph/ingest.h"

/* Takes a PROCESS record: the process begins, or has called exec and has its threads still. */
void ingest_cpu_process(const struct ingest *in, struct ingest_process *process,
                        const struct snap_process *info);
/* Takes a USAGE record, a reading of its process's CPU time, if all threads are captured. */
void ingest_cpu_clock(const struct ingest *in, const struct snap_usage *usage);

/* Adds a sample of `process` to the accounts, and `given_ns`, the CPU time that it has at once. */
void ingest_cpu_count(struct ingest *in, struct ingest_process *process,
                      const struct snap_sample *sample, uint64_t given_ns);
/*
 * ingest_cpu_sample adds the CPU time used since the thread's last sample to its stretch, and the
 * sample as a place unless `rank` is CPU_RANKS; gives the time if the stretch is over.
 * ingest_cpu_tick adds a tick as a place. NO_MEMORY, or the status of a sink.
 */
MUST_CHECK enum status ingest_cpu_sample(struct ingest *in, struct ingest_thread *thread,
                                         const struct ingest_sample *given, enum cpu_rank rank);
MUST_CHECK enum status ingest_cpu_tick(struct ingest *in, struct ingest_thread *thread,
                                       const struct ingest_sample *given);

/*
 * Gives the CPU time of a thread that ends to its samples, and the rest to no sample. NO_MEMORY, or
 * the status of a sink.
 */
MUST_CHECK enum status ingest_cpu_thread_end(struct ingest *in, struct ingest_thread *thread);
/*
 * Calls ingest_cpu_thread_end for all live threads, at the snapshot's end, and gives the CPU time
 * of each process that none of its threads had to no sample. NO_MEMORY, or the status of a sink.
 */
MUST_CHECK enum status ingest_cpu_end(struct ingest *in);

#endif
