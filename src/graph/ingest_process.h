/* SPDX-License-Identifier: MIT */
/*
 * The processes and live threads of the snapshot being read. An event finds its thread or process
 * once; what belongs to it is reached from there.
 *
 *     tid -> thread: name, last chain, stretch of CPU time -> process
 *     pid -> process: address space with made code, clock of CPU time
 */
#ifndef GRAPH_INGEST_PROCESS_H
#define GRAPH_INGEST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "graph/cpu_stretch.h"
#include "graph/process_cpu.h"
#include "graph/profile.h"
#include "snapshot/event.h"
#include "snapshot/live_threads.h"
#include "symbol/address_space.h"
#include "unwind/chain.h"

struct ingest_process {
    uint32_t pid;
    struct address_space space; /* mappings, and what jit_sources.h gives of made code */
    struct process_cpu cpu;
};

struct ingest_thread {
    struct ingest_process *process; /* never NULL */
    uint32_t tid;
    uint32_t inner_tid;                /* tid in the process's own pid namespace; 0: not known */
    bool has_chain;                    /* `chain` and chain_id are those of a sample */
    bool is_repeated;                  /* the chain, with its marks, was made from a repeat */
    bool counted;                      /* for time_window_cut */
    char *name;                        /* owned */
    uint32_t profile_thread, chain_id; /* ids in the profile */
    struct cpu_stretch stretch;
    struct chain chain; /* of the thread's last sample; repeats use it again */
    struct profile_path path;
};

struct ingest_processes {         /* zero it */
    struct map by_pid;            /* pid -> index in `list` */
    struct ingest_process **list; /* owned, as each process is, which stays where it is */
    size_t count, cap;
    struct live_threads live;
    struct ingest_thread *threads; /* owned; by slot of `live` */
    size_t thread_cap;
};

/* Forgets all processes and threads. */
void ingest_processes_clear(struct ingest_processes *all);
void ingest_processes_deinit(struct ingest_processes *all);

/* Returns the process `pid`; NULL: none was added. */
struct ingest_process *ingest_process_of(const struct ingest_processes *all, uint32_t pid);
/* Adds a process without mappings; none may have this `pid`. NO_MEMORY. */
MUST_CHECK enum status ingest_process_add(struct ingest_processes *all, uint32_t pid,
                                          struct ingest_process **out);

/*
 * Return the live thread `tid`; that of a sample, and at once if the reader's slot is ours; the
 * first one of process `pid`. NULL: there is none. Valid until the next ingest_thread_add.
 */
struct ingest_thread *ingest_thread_of(const struct ingest_processes *all, uint32_t tid);
struct ingest_thread *ingest_thread_at(const struct ingest_processes *all,
                                       const struct snap_sample *sample);
struct ingest_thread *ingest_thread_first(const struct ingest_processes *all, uint32_t pid);
/* Adds a thread of `process`; no live thread may have this `tid`. NO_MEMORY. */
MUST_CHECK enum status ingest_thread_add(struct ingest_processes *all,
                                         struct ingest_process *process, uint32_t tid,
                                         struct ingest_thread **out);
/* Ends a live thread, whose tid another one may get. */
void ingest_thread_end(struct ingest_processes *all, struct ingest_thread *thread);

#endif
