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

/* Name of the frame that gets a process's CPU time without a sample. */
#define PROCESS_CPU_REST "[CPU time without a sample]"

struct process_cpu {                       /* zero it */
    uint32_t pid;                          /* set by the caller */
    char name[16];                         /* program's name, cut to 15 bytes; set by the caller */
    bool is_whole;                         /* all threads are captured; only then clocks are read */
    bool has_clock;                        /* clock_begin_ns and clock_end_ns are set */
    uint64_t clock_begin_ns, clock_end_ns; /* first and greatest reading of the CPU clock */
    uint64_t before_ns;  /* CPU time by the clocks of earlier processes of the pid */
    uint64_t counted_ns; /* CPU time of the process's samples, their sum */
    uint64_t given_ns;   /* CPU time given to samples and ticks as weight */
};

/* Takes a reading of the process's CPU clock; one below clock_end_ns changes nothing. */
void process_cpu_clock(struct process_cpu *cpu, uint64_t cpu_ns);

/* Ends the process's clock: later readings are of another process with the same pid. */
void process_cpu_next(struct process_cpu *cpu);

/* Returns the CPU time used: by the clocks or, if more, counted_ns. */
uint64_t process_cpu_used(const struct process_cpu *cpu);
/* Returns process_cpu_used - given_ns; 0 if given_ns is more. */
uint64_t process_cpu_rest(const struct process_cpu *cpu);

#endif
