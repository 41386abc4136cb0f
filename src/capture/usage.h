/* SPDX-License-Identifier: MIT */
/*
 * How much CPU time each process uses, of which samples tell only where it went; and the period of
 * the rounds: USAGE records (FORMAT.md, type 24). Internal to capture/.
 */
#ifndef CAPTURE_USAGE_H
#define CAPTURE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct process;

struct process_usage { /* zeroed: nothing is known */
    uint64_t time_ns;  /* when it was read last; 0: never */
    uint64_t cpu_ns;   /* what the process had used then */
    bool written;
    uint64_t written_cpu_ns, written_period_ns;
};

/*
 * With each sample: when the process has ended it may be too late. Not where it was read since: the
 * kernel looks at each thread for it, and a round's samples are as many.
 */
void usage_read_behind(struct capture *cap, struct process *process, uint64_t time_ns);

/* Behind each PROCESS of it. Of one that was made during the capture the first is 0. */
void usage_record_first(struct capture *cap, struct process *process);

/* Where it says anything new. */
void usage_record(struct capture *cap, struct process *process);
void usage_record_all(struct capture *cap);

/* The same, once a second, and when the period has changed. */
void usage_record_due(struct capture *cap, uint64_t now);

#endif
