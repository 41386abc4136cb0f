/* SPDX-License-Identifier: MIT */
#include "graph/capture_account.h"

#include <stddef.h>

#include "graph/profile.h"

/* Limits a rate, so that the product of two fits. */
static uint64_t limit_rate(uint64_t mhz)
{
    return mhz < UINT32_MAX ? mhz : UINT32_MAX;
}

void capture_rate_add(struct capture_rate *least, const struct capture_rate *rate)
{
    const struct capture_rate new = {.asked_mhz = limit_rate(rate->asked_mhz),
                                     .reached_mhz = limit_rate(rate->reached_mhz)};
    const uint64_t part = new.reached_mhz * least->asked_mhz;
    const uint64_t least_part = least->reached_mhz * new.asked_mhz;

    if (!new.asked_mhz || !new.reached_mhz)
        return;
    if (!least->asked_mhz || part < least_part ||
        (part == least_part && new.asked_mhz > least->asked_mhz))
        *least = new;
}

static void cpu_account_add(struct cpu_account *sum, const struct cpu_account *cpu)
{
    sum->used_ns = weight_add(sum->used_ns, cpu->used_ns);
    sum->waited_ns = weight_add(sum->waited_ns, cpu->waited_ns);
    sum->placed_ns = weight_add(sum->placed_ns, cpu->placed_ns);
    sum->places = weight_add(sum->places, cpu->places);
    sum->squares_us2 = weight_add(sum->squares_us2, cpu->squares_us2);
    sum->ticks = weight_add(sum->ticks, cpu->ticks);
    sum->cut_ns = weight_add(sum->cut_ns, cpu->cut_ns);
    sum->by_clock |= cpu->by_clock;
    sum->untold |= cpu->untold;
}

void capture_account_add(struct capture_account *sum, const struct capture_account *account)
{
    sum->captures = weight_add(sum->captures, account->captures);
    sum->samples = weight_add(sum->samples, account->samples);
    sum->ready = weight_add(sum->ready, account->ready);
    sum->wall_ns = weight_add(sum->wall_ns, account->wall_ns);
    cpu_account_add(&sum->cpu, &account->cpu);
    for (size_t i = 0; i < SNAP_LOSS_REASONS; i++)
        sum->lost[i] = weight_add(sum->lost[i], account->lost[i]);
    capture_rate_add(&sum->rate, &account->rate);
}
