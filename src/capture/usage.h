/* SPDX-License-Identifier: MIT */
/*
 * Writes USAGE records (FORMAT.md, type 24): the exact CPU time of each process, which samples
 * divide among code, and the rounds' period. Internal to capture/.
 */
#ifndef CAPTURE_USAGE_H
#define CAPTURE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct process;

struct process_usage { /* zeroed: not known */
    uint64_t time_ns;  /* when cpu_ns was read (CLOCK_MONOTONIC); 0: never */
    uint64_t cpu_ns;   /* CPU time of the process until then */
    bool written;      /* a USAGE record was written since its last PROCESS record */
    uint64_t written_cpu_ns, written_period_ns; /* contents of the last USAGE record */
};

/*
 * Reads the process's CPU time into process->usage, after a sample at `time_ns`, as it cannot be
 * read any more when the process has ended; does nothing if it was read at `time_ns` or later, as
 * each reading makes the kernel look at all threads. Writes no record.
 */
void usage_read_behind(struct capture *cap, struct process *process, uint64_t time_ns);

/*
 * Writes a USAGE record, to be called after each PROCESS record; the first of a process that was
 * made during the capture says 0 CPU time.
 */
void usage_record_first(struct capture *cap, struct process *process);

/*
 * Reads the process's CPU time, and writes a USAGE record if this or the rounds' period differs
 * from the process's last record.
 */
void usage_record(struct capture *cap, struct process *process);
/* Calls usage_record for each process that has a PROCESS record. */
void usage_record_all(struct capture *cap);

/*
 * Calls usage_record_all if the last such call is a second old, or the rounds' period has changed.
 */
void usage_record_due(struct capture *cap, uint64_t now);

#endif
