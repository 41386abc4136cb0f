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
 * The kernel says how much CPU time the thread used between any two of its samples. Samples that
 * found the thread on a CPU show where the time was used and, if these are few, also samples that
 * found it preempted in its own code. A thread in a system call left the CPU because of that call:
 * samples there show where it waits, and count only if there are no others. A stretch is short
 * compared with phases of programs, so each phase gets its own time.
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

/*
 * Kinds of samples, by how well they show where CPU time went, the best last: the thread left the
 * CPU in a system call; it was preempted in its own code; it was on a CPU.
 */
enum cpu_rank { CPU_LEFT_IN_CALL, CPU_LEFT_IN_CODE, CPU_ON, CPU_RANKS };

/* ns after which a stretch with a place above CPU_LEFT_IN_CALL ends */
#define CPU_STRETCH_NS     UINT64_C(1000000000)
#define CPU_STRETCH_MAX_NS UINT64_C(4000000000) /* ns after which a stretch without one ends */
#define CPU_STRETCH_ON     16u                  /* samples on a CPU that end a stretch earlier */
#define CPU_STRETCH_FEW    4u /* with fewer samples on a CPU, CPU_LEFT_IN_CODE counts, too */
/* Most places kept per rank; if there are more, each second, then each fourth ... is kept. */
#define CPU_STRETCH_KEPT 64u

/* A sample or tick that can be given CPU time. */
struct cpu_place {
    uint64_t number;              /* among all samples and ticks of a reading, from 0 on */
    uint64_t time_ns;             /* in the snapshot's clock */
    uint64_t period_ns;           /* a tick: CPU time that it stands for; 0: a sample */
    uint32_t thread_id, chain_id; /* ids in the profile */
    char state;                   /* of the thread, as snap_sample.state */
    bool is_cut;                  /* the chain does not reach the thread's start */
};

/*
 * Gives `cpu_ns` of CPU time to `place`. Called once for each place, mostly with 0. A status other
 * than OK ends the distribution.
 */
typedef enum status cpu_give_fn(void *context, const struct cpu_place *place, uint64_t cpu_ns);

struct cpu_places {
    struct cpu_place *list; /* owned */
    size_t count, cap;
    uint32_t step, left; /* one of `step` places is kept (0: all); the next `left` are not */
};

struct cpu_stretch { /* of one thread; zeroed: no samples yet */
    struct cpu_places ranks[CPU_RANKS];
    uint64_t begin_ns; /* time of the stretch's first sample; valid if has_begun */
    bool has_begun;
    uint64_t used_ns; /* CPU time used in the stretch, and time left over from earlier ones */
    /*
     * Sums of the periods of ticks: in this stretch; since the last sample; in earlier stretches.
     * debt_ns: time that ticks of earlier stretches were given too much.
     */
    uint64_t ticked_ns, tail_ns, before_ns, debt_ns;
    uint64_t ticks; /* number of ticks in this stretch */
};

/* Takes a sample's time, and the CPU time that the thread used since its previous sample. */
void cpu_stretch_use(struct cpu_stretch *stretch, uint64_t time_ns, uint64_t used_ns);
/*
 * Adds a place of this rank; a sample's after its cpu_stretch_use. Places that are not kept
 * (CPU_STRETCH_KEPT) are given 0 at once. NO_MEMORY, or the status of `give`.
 */
MUST_CHECK enum status cpu_stretch_add(struct cpu_stretch *stretch, enum cpu_rank rank,
                                       const struct cpu_place *place, cpu_give_fn *give,
                                       void *context);

/* Whether the stretch ends with the sample at `time_ns`; to be called after each sample. */
bool cpu_stretch_is_over(const struct cpu_stretch *stretch, uint64_t time_ns);

/*
 * Gives the used time to the places, and begins a new stretch. Without places the used time stays
 * for the next stretch. `is_last`: the thread has ended; ticks since its last sample count as used
 * time, as no sample tells it. Returns the status of `give`.
 */
MUST_CHECK enum status cpu_stretch_end(struct cpu_stretch *stretch, bool is_last, cpu_give_fn *give,
                                       void *context);

/* Returns the used ns that no place was given, after the last stretch of a thread. */
uint64_t cpu_stretch_rest(const struct cpu_stretch *stretch);

void cpu_stretch_deinit(struct cpu_stretch *stretch);

#endif
