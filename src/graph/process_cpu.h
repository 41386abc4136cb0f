/* SPDX-License-Identifier: MIT */
/*
 * The CPU time that a process used during the capture, and the part of it without a sample: that of
 * threads which lived or ran only between samples.
 *
 *     used = clock at the end - clock at the beginning, or the sum of its samples if that is more
 *     rest = used - what was given to samples and ticks
 */
#ifndef GRAPH_PROCESS_CPU_H
#define GRAPH_PROCESS_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* The frame that stands in a profile for the unknown chain. */
#define PROCESS_CPU_REST "[CPU time without a sample]"

struct process_cpu {                       /* zero it */
    char name[16];                         /* of its program, cut like the kernel's */
    bool is_whole;                         /* all its threads are captured: its clock counts */
    bool has_clock;                        /* the next two are set */
    uint64_t clock_begin_ns, clock_end_ns; /* CPU clock readings; begin <= end */
    uint64_t before_ns;                    /* used by earlier processes of this pid */
    uint64_t counted_ns;                   /* CPU time that its threads' samples count */
    uint64_t given_ns;                     /* given to samples and ticks */
};

/* Takes a reading of the process's CPU clock. */
void process_cpu_clock(struct process_cpu *cpu, uint64_t cpu_ns);

/* The pid is another process's from now on, whose clock begins anywhere. */
void process_cpu_next(struct process_cpu *cpu);

/* Returns the CPU time used in all, ns. */
uint64_t process_cpu_used(const struct process_cpu *cpu);
/* Returns the part of it without a sample, ns. */
uint64_t process_cpu_rest(const struct process_cpu *cpu);

#endif
