/* SPDX-License-Identifier: MIT */
#include "graph/thread_time.h"

/* What a sample takes of the time that samples which found the thread waiting for a CPU left. */
#define READY_PART 4

/*
 * How long a thread happens to wait for CPUs between two samples that find it on one says nothing
 * of what it does: their shares of its time are to be alike, or chance would make them differ more.
 * So a sample gets what such samples have had so far on average; but what is left must not grow.
 */
static uint64_t take_ready(struct thread_time *thread)
{
    uint64_t mean_ns, part_ns = thread->ready_ns / READY_PART, taken_ns;

    if (!thread->readied_ns)
        return 0;
    thread->runs++;
    mean_ns = thread->readied_ns / thread->runs;
    taken_ns = mean_ns > part_ns ? mean_ns : part_ns;
    if (taken_ns > thread->ready_ns)
        taken_ns = thread->ready_ns;
    thread->ready_ns -= taken_ns;
    return taken_ns;
}

/*
 * CPU time was used by what ran, not by what the thread sleeps in now, nor by where it waits for a
 * CPU: what a sample that does not find it on a CPU brings is kept for those that do. What is left
 * of the time since the sample before it slept, or waited for a CPU on the way there. Where there
 * are ticks, they say where it went.
 */
struct weights thread_time_sample(struct thread_time *thread, const struct snap_sample *sample,
                                  bool has_ticks, struct capture_account *account)
{
    struct weights weights = {.value = {[WEIGHT_SAMPLES] = 1, [WEIGHT_WALL] = sample->wall_ns}};
    struct cpu_account *cpu = &account->cpu;
    uint64_t placed_ns;

    account->samples++;
    account->ready += sample->state == SNAP_STATE_READY;
    account->wall_ns = weight_add(account->wall_ns, sample->wall_ns);
    cpu->used_ns = weight_add(cpu->used_ns, sample->cpu_ns);
    cpu->waited_ns = weight_add(cpu->waited_ns, sample->delay_ns);
    if (has_ticks) {
        thread->clocked_ns = weight_add(thread->clocked_ns, sample->cpu_ns);
        thread->settled_ticks = thread->ticks;
        thread->settled_ns = thread->ticked_ns;
    }
    if (snap_state_is_runnable(sample->state) && has_ticks)
        return weights;
    if (sample->state == SNAP_STATE_READY) {
        thread->ready_ns = weight_add(thread->ready_ns, sample->cpu_ns);
        thread->readied_ns = weight_add(thread->readied_ns, sample->cpu_ns);
        return weights;
    }
    thread->cpu_ns = weight_add(thread->cpu_ns, sample->cpu_ns);
    if (sample->state == 'R') {
        placed_ns = weight_add(thread->cpu_ns, take_ready(thread));
        thread->cpu_ns = 0;
        weights.value[WEIGHT_CPU] = placed_ns;
        cpu->placed_ns = weight_add(cpu->placed_ns, placed_ns);
    } else if (sample->state && sample->wall_ns > sample->cpu_ns) {
        weights.value[WEIGHT_OFFCPU] = sample->wall_ns - sample->cpu_ns;
    }
    return weights;
}

/*
 * As if so many ticks had been right before the first. And a tick takes so much of what a thread
 * has used and no tick has stood for. docs/decisions/0025-clocks-of-cpus.md has what this makes of
 * short lives.
 */
#define TICKS_BEFORE 4
#define TICK_PART    8
/* It stands for no more than so many of its periods, and no less than that part of one. */
#define TICK_LIMIT    4
#define PERIOD_MAX_NS (UINT64_MAX / 8) /* which nothing can be; more overflows */

static uint64_t limit(uint64_t ns, uint64_t period_ns)
{
    if (ns < period_ns / TICK_LIMIT)
        return period_ns / TICK_LIMIT;
    return ns < period_ns * TICK_LIMIT ? ns : period_ns * TICK_LIMIT;
}

/*
 * How much time the thread had used in all is known exactly at each of its samples. A clock cannot
 * tick where the kernel does not let it, as in a switch of threads, and finds who does little else
 * too seldom. So a tick stands for what there was of such time, at the last sample, for each of the
 * ticks before it, and for a part of what they had left over, or were given too much.
 */
uint64_t thread_time_tick(struct thread_time *thread, const struct snap_sample *tick)
{
    const uint64_t period_ns = tick->cpu_ns < PERIOD_MAX_NS ? tick->cpu_ns : PERIOD_MAX_NS;
    const uint64_t used_ns = thread->clocked_ns, given_ns = thread->settled_ns;
    uint64_t weight_ns =
        weight_add(used_ns, TICKS_BEFORE * period_ns) / (thread->settled_ticks + TICKS_BEFORE);

    weight_ns = limit(weight_ns, period_ns);
    if (used_ns >= given_ns)
        weight_ns = weight_add(weight_ns, (used_ns - given_ns) / TICK_PART);
    else if (weight_ns > (given_ns - used_ns) / TICK_PART)
        weight_ns -= (given_ns - used_ns) / TICK_PART;
    else
        weight_ns = 0;
    weight_ns = limit(weight_ns, period_ns);
    thread->ticks++;
    thread->ticked_ns = weight_add(thread->ticked_ns, weight_ns);
    return weight_ns;
}
