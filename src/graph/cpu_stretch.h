/* SPDX-License-Identifier: MIT */
/*
 * Where a thread's CPU time of about a second went.
 *
 *     sample          .    Q    R    .    Q    Q    R  │ .    R
 *     CPU time used     u1   u2   u3   u4   u5   u6    │   u8
 *                   ├──────────── a stretch ───────────┤
 *
 *                   u1 + … + u6
 *     each R has   ─────────────                       R: on a CPU   Q: left one, waits for another
 *                   number of R                        .: asleep
 *
 * The kernel says how much the thread has used, between any two of its samples. The samples say
 * where: those that found it on a CPU, or, where these are few, those too that found it pushed off
 * one in the midst of its code. Behind a system call it left the CPU because of what it called, so
 * that such samples say where it waits: they count only where a thread has no others. A stretch is
 * short beside what programs do in turns, so each turn has its own time.
 *
 * Ticks of the CPUs' clocks (enum cpu_source) are on a CPU, and share by their periods:
 *
 *     (used + 4 p) · Σ periods           4 p: as if four ticks had been right before the first
 *     ────────────────────────           stretch: a thread that lives for a tick is found by
 *          Σ periods + 4 p               chance, and its tick stands for others that were not
 *
 * no more than four times their periods, and no less than a quarter; later stretches make up for
 * the difference.
 *
 * docs/decisions/0050-a-sample-stands-for-time.md has what was measured.
 */
#ifndef GRAPH_CPU_STRETCH_H
#define GRAPH_CPU_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* How well a sample says where the thread's CPU time went; the best last. */
enum cpu_rank { CPU_LEFT_IN_CALL, CPU_LEFT_IN_CODE, CPU_ON, CPU_RANKS };

#define CPU_STRETCH_NS     UINT64_C(1000000000) /* of a stretch that has a place */
#define CPU_STRETCH_MAX_NS UINT64_C(4000000000) /* of one in which all are CPU_LEFT_IN_CALL */
#define CPU_STRETCH_ON     16u                  /* samples on a CPU that end one earlier */
#define CPU_STRETCH_FEW    4u                   /* fewer on a CPU do not tell alone */
/* Kept of a rank: of more, each second, then each fourth, … */
#define CPU_STRETCH_KEPT 64u

/* A sample or tick that CPU time can be given to. */
struct cpu_place {
    uint64_t number; /* of all samples and ticks of a reading */
    uint64_t time_ns;
    uint64_t period_ns;           /* of a tick; 0: a sample */
    uint32_t thread_id, chain_id; /* in the profile */
    char state;
    bool is_cut; /* its chain does not reach the thread's start */
};

/* Called once for each place that was added; most have 0. Another status than OK ends it. */
typedef enum status cpu_give_fn(void *context, const struct cpu_place *place, uint64_t cpu_ns);

struct cpu_places {
    struct cpu_place *list;
    size_t count, cap;
    uint32_t step, left; /* one of `step` is kept; of so many more none is; 0: as 1 */
};

struct cpu_stretch { /* zero it */
    struct cpu_places ranks[CPU_RANKS];
    uint64_t begin_ns; /* the time of its first sample; valid when has_begun */
    bool has_begun;
    uint64_t used_ns; /* also what was left by stretches before */
    /* Of ticks: their periods, of those since the last sample, of those of earlier stretches; what
     * these were given too much. */
    uint64_t ticked_ns, tail_ns, before_ns, debt_ns;
    uint64_t ticks; /* in this stretch */
};

/* A sample: what the thread used since the one before. */
void cpu_stretch_use(struct cpu_stretch *stretch, uint64_t time_ns, uint64_t used_ns);
/* A place, behind its sample's use. */
MUST_CHECK enum status cpu_stretch_add(struct cpu_stretch *stretch, enum cpu_rank rank,
                                       const struct cpu_place *place, cpu_give_fn *give,
                                       void *context);

/* To be asked behind each sample of the thread: does the stretch end with it? */
bool cpu_stretch_is_over(const struct cpu_stretch *stretch, uint64_t time_ns);

/*
 * Gives what was used to the places, and forgets them. What was used stays where there is no place.
 * `is_last`: no sample will tell what was used behind the last one.
 */
MUST_CHECK enum status cpu_stretch_end(struct cpu_stretch *stretch, bool is_last, cpu_give_fn *give,
                                       void *context);

/* What no place was given: behind the last stretch, of a thread that ends. */
uint64_t cpu_stretch_rest(const struct cpu_stretch *stretch);

void cpu_stretch_deinit(struct cpu_stretch *stretch);

#endif
