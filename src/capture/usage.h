/* SPDX-License-Identifier: MIT */
/*
 * Writes USAGE records (FORMAT.md, type 24): CPU time of each process, of which samples tell only
 * where it went, and the rounds' period. Internal to capture/.
 */
#ifndef CAPTURE_USAGE_H
#define CAPTURE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct process;

struct process_usage { /* zeroed: not known */
    uint64_t time_ns;  /* when cpu_ns was read; 0: never */
    uint64_t cpu_ns;   /* CPU time used by then */
    bool written;
    uint64_t written_cpu_ns, written_period_ns;
};

/*
 * For each sample: reads the process's CPU time, which may be gone when it has ended; unless it was
 * read at `time_ns` or later, as each reading makes the kernel look at all its threads. Writes
 * nothing.
 */
void usage_read_behind(struct capture *cap, struct process *process, uint64_t time_ns);

/* After each PROCESS: writes USAGE; for a process made during the capture the first says 0. */
void usage_record_first(struct capture *cap, struct process *process);

/* Reads and writes USAGE if the CPU time or the period differs from the last one written. */
void usage_record(struct capture *cap, struct process *process);
void usage_record_all(struct capture *cap);

/* usage_record_all once a second, and whenever the period has changed. */
void usage_record_due(struct capture *cap, uint64_t now);

#endif
