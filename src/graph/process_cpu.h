/* SPDX-License-Identifier: MIT */
/*
 * How much CPU time a process has used while it was captured, and how much of that no sample stands
 * for: that of threads which lived or ran between their samples only.
 *
 *     the process's clock at the end − at the begin, or what its samples count if that is more
 *   − what its samples and ticks were given
 */
#ifndef GRAPH_PROCESS_CPU_H
#define GRAPH_PROCESS_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* What stands in a profile in place of the chain that is not known. */
#define PROCESS_CPU_REST "[CPU time without a sample]"

struct process_cpu {                       /* zero it */
    char name[16];                         /* of its program, as the kernel cuts it */
    bool is_whole;                         /* all its threads are captured: its clock is asked */
    bool has_clock;                        /* the next two are valid */
    uint64_t clock_begin_ns, clock_end_ns; /* what its clock was; begin <= end */
    uint64_t before_ns;                    /* by earlier processes of its number */
    uint64_t counted_ns;                   /* by its threads' samples */
    uint64_t given_ns;                     /* to samples and ticks */
};

/* The process's clock was read. */
void process_cpu_clock(struct process_cpu *cpu, uint64_t cpu_ns);

/* Another process has its number from now on: another clock, which began anywhere. */
void process_cpu_next(struct process_cpu *cpu);

/* Used in all. */
uint64_t process_cpu_used(const struct process_cpu *cpu);
/* Of that, without a sample. */
uint64_t process_cpu_rest(const struct process_cpu *cpu);

#endif
