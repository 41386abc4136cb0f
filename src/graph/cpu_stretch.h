/* SPDX-License-Identifier: MIT */
/*
 * Distributes a thread's CPU time of about a second, a stretch, to its samples.
 *
 *     sample          .    Q    R    .    Q    Q    R  | .    R
 *     CPU time used     u1   u2   u3   u4   u5   u6    |   u8
 *                   |------------ a stretch -----------|
 *
 *     each R has    (u1 + ... + u6) / (number of R)    R: on a CPU   Q: left one, waits for another
 *                                                      .: asleep
 *
 * The kernel says how much the thread used between any two of its samples. Where it was used is
 * known from samples that found it on a CPU or, if these are few, also from those that found it
 * preempted in its own code. Behind a system call it left the CPU because of what it called: such
 * samples show where it waits, and count only if there are no others. A stretch is short compared
 * with phases of programs, so each phase gets its own time.
 *
 * Ticks of the CPUs' clocks (enum cpu_source) are on a CPU, and share by their periods:
 *
 *     (used + 4 p) * sum of periods       4 p: as if four ticks had been right before the first
 *     -----------------------------       stretch. A thread that lives for a tick is found by
 *          sum of periods + 4 p           chance, and its tick stands for others that were not
 *
 * bounded by a quarter of their periods and four times their periods; later stretches make up for
 * the difference.
 *
 * docs/decisions/0050-a-sample-stands-for-time.md has the measurements.
 */
#ifndef GRAPH_CPU_STRETCH_H
#define GRAPH_CPU_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* How well a sample shows where CPU time went, the best last. */
enum cpu_rank { CPU_LEFT_IN_CALL, CPU_LEFT_IN_CODE, CPU_ON, CPU_RANKS };

/* ns of a stretch with a place above CPU_LEFT_IN_CALL */
#define CPU_STRETCH_NS     UINT64_C(1000000000)
#define CPU_STRETCH_MAX_NS UINT64_C(4000000000) /* ns of one without */
#define CPU_STRETCH_ON     16u                  /* samples on a CPU that end a stretch earlier */
#define CPU_STRETCH_FEW    4u /* with fewer on a CPU, CPU_LEFT_IN_CODE counts, too */
/* Places kept per rank; of more each second, then each fourth, ... is kept. */
#define CPU_STRETCH_KEPT 64u

/* A sample or tick that can be given CPU time. */
struct cpu_place {
    uint64_t number; /* number among all samples and ticks of a reading */
    uint64_t time_ns;
    uint64_t period_ns;           /* a tick's; 0: a sample */
    uint32_t thread_id, chain_id; /* ids in the profile */
    char state;
    bool is_cut; /* the chain does not reach the thread's start */
};

/* Called once for each place, mostly with 0 ns. A status other than OK ends the distribution. */
typedef enum status cpu_give_fn(void *context, const struct cpu_place *place, uint64_t cpu_ns);

struct cpu_places {
    struct cpu_place *list;
    size_t count, cap;
    uint32_t step, left; /* one of `step` is kept (0: all); the next `left` are not */
};

struct cpu_stretch { /* zero it */
    struct cpu_places ranks[CPU_RANKS];
    uint64_t begin_ns; /* time of its first sample; valid if has_begun */
    bool has_begun;
    uint64_t used_ns; /* includes the rest of earlier stretches */
    /*
     * Periods of ticks: in this stretch, since the last sample, in earlier stretches; and what
     * earlier ticks were given too much.
     */
    uint64_t ticked_ns, tail_ns, before_ns, debt_ns;
    uint64_t ticks; /* ticks in this stretch */
};

/* Takes a sample's time, and the CPU time used since the previous sample. */
void cpu_stretch_use(struct cpu_stretch *stretch, uint64_t time_ns, uint64_t used_ns);
/*
 * Adds a place; a sample's after its cpu_stretch_use. Places that are thinned out are given 0.
 * NO_MEMORY, or give's status.
 */
MUST_CHECK enum status cpu_stretch_add(struct cpu_stretch *stretch, enum cpu_rank rank,
                                       const struct cpu_place *place, cpu_give_fn *give,
                                       void *context);

/* Returns whether the stretch ends with the sample at `time_ns`; to be asked after each sample. */
bool cpu_stretch_is_over(const struct cpu_stretch *stretch, uint64_t time_ns);

/*
 * Gives the used time to the places, and begins a new stretch. Without places the used time stays
 * for the next one. `is_last`: the thread ends, no sample will count what was used after the last
 * one. Returns give's status.
 */
MUST_CHECK enum status cpu_stretch_end(struct cpu_stretch *stretch, bool is_last, cpu_give_fn *give,
                                       void *context);

/* Returns the time that no place was given, after the last stretch of a thread. */
uint64_t cpu_stretch_rest(const struct cpu_stretch *stretch);

void cpu_stretch_deinit(struct cpu_stretch *stretch);

#endif
