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

struct weights thread_time_sample(const struct snap_sample *sample, enum cpu_source source,
                                  struct capture_account *account)
{
    struct weights weights = {.value = {[WEIGHT_SAMPLES] = 1, [WEIGHT_WALL] = sample->wall_ns}};

    count(account, sample);
    if (source == CPU_BY_SAMPLE && sample->state == 'R')
        weights.value[WEIGHT_CPU] = sample->cpu_ns;
    /* CPU time since the previous sample was used on the way to where it sleeps now. */
    if (sample->state && !snap_state_is_runnable(sample->state) && sample->wall_ns > sample->cpu_ns)
        weights.value[WEIGHT_OFFCPU] = sample->wall_ns - sample->cpu_ns;
    return weights;
}
