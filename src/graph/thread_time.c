/* SPDX-License-Identifier: MIT */
#include "graph/thread_time.h"

static void count(struct capture_account *account, const struct snap_sample *sample)
{
    account->samples++;
    account->ready += sample->state == SNAP_STATE_READY;
    account->wall_ns = weight_add(account->wall_ns, sample->wall_ns);
    account->cpu.used_ns = weight_add(account->cpu.used_ns, sample->cpu_ns);
    account->cpu.waited_ns = weight_add(account->cpu.waited_ns, sample->delay_ns);
}

struct weights thread_time_sample(struct thread_time *thread, const struct snap_sample *sample,
                                  enum cpu_source source, struct capture_account *account)
{
    struct weights weights = {.value = {[WEIGHT_SAMPLES] = 1, [WEIGHT_WALL] = sample->wall_ns}};

    count(account, sample);
    switch (source) {
    case CPU_BY_SAMPLE:
        if (sample->state == 'R')
            weights.value[WEIGHT_CPU] = sample->cpu_ns;
        break;
    case CPU_BY_STRETCH:
        cpu_stretch_use(&thread->stretch, sample->time_ns, sample->cpu_ns);
        break;
    case CPU_BY_TICK:
        thread->clocked_ns = weight_add(thread->clocked_ns, sample->cpu_ns);
        thread->settled_period_ns = thread->period_ns;
        thread->settled_ns = thread->ticked_ns;
        break;
    }
    account->cpu.placed_ns = weight_add(account->cpu.placed_ns, weights.value[WEIGHT_CPU]);
    /* What it used since the sample before it used on the way to where it sleeps now. */
    if (sample->state && !snap_state_is_runnable(sample->state) && sample->wall_ns > sample->cpu_ns)
        weights.value[WEIGHT_OFFCPU] = sample->wall_ns - sample->cpu_ns;
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
 *                      used + before
 *     period of tick · ───────────────        both as of the thread's last sample,
 *                      periods + before       before: TICKS_BEFORE periods
 *
 * How much time the thread had used in all is known exactly at each of its samples. A clock cannot
 * tick where the kernel does not let it, as in a switch of threads, and finds who does little else
 * too seldom. So a tick stands for what there was of such time for each of the ticks before it, and
 * for a part of what they had left over, or were given too much.
 */
uint64_t thread_time_tick(struct thread_time *thread, const struct snap_sample *tick)
{
    const uint64_t period_ns = tick->cpu_ns < PERIOD_MAX_NS ? tick->cpu_ns : PERIOD_MAX_NS;
    const uint64_t before_ns = TICKS_BEFORE * period_ns;
    const uint64_t used_ns = thread->clocked_ns, given_ns = thread->settled_ns;
    const uint64_t periods_ns = weight_add(thread->settled_period_ns, before_ns);
    const double ratio =
        periods_ns ? (double)weight_add(used_ns, before_ns) / (double)periods_ns : 0;
    uint64_t weight_ns =
        limit((uint64_t)((double)period_ns * (ratio < TICK_LIMIT ? ratio : TICK_LIMIT)), period_ns);

    if (used_ns >= given_ns)
        weight_ns = weight_add(weight_ns, (used_ns - given_ns) / TICK_PART);
    else if (weight_ns > (given_ns - used_ns) / TICK_PART)
        weight_ns -= (given_ns - used_ns) / TICK_PART;
    else
        weight_ns = 0;
    weight_ns = limit(weight_ns, period_ns);
    thread->period_ns = weight_add(thread->period_ns, period_ns);
    thread->ticked_ns = weight_add(thread->ticked_ns, weight_ns);
    return weight_ns;
}
