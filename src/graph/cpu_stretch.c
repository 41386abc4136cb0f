/* SPDX-License-Identifier: MIT */
#include "graph/cpu_stretch.h"

#include <stdlib.h>

#include "base/vec.h"
#include "graph/profile.h"

void cpu_stretch_deinit(struct cpu_stretch *stretch)
{
    for (size_t i = 0; i < CPU_RANKS; i++)
        free(stretch->ranks[i].list);
    *stretch = (struct cpu_stretch){.used_ns = 0};
}

bool cpu_stretch_is_over(const struct cpu_stretch *stretch, uint64_t time_ns)
{
    const struct cpu_places *ranks = stretch->ranks;
    const uint64_t age_ns = time_ns > stretch->begin_ns ? time_ns - stretch->begin_ns : 0;

    if (ranks[CPU_ON].count >= CPU_STRETCH_ON)
        return true;
    return ranks[CPU_ON].count || ranks[CPU_LEFT_IN_CODE].count ? age_ns >= CPU_STRETCH_NS
                                                                : age_ns >= CPU_STRETCH_MAX_NS;
}

void cpu_stretch_use(struct cpu_stretch *stretch, uint64_t time_ns, uint64_t used_ns)
{
    if (!stretch->has_begun)
        stretch->begin_ns = time_ns;
    stretch->has_begun = true;
    stretch->used_ns = weight_add(stretch->used_ns, used_ns);
    stretch->tail_ns = 0;
}

/* Drops each second place, with 0 ns. */
static enum status thin_out(struct cpu_places *places, cpu_give_fn *give, void *context)
{
    size_t kept = 0;

    for (size_t i = 0; i < places->count; i++) {
        enum status status = STATUS_OK;

        if (i % 2)
            status = give(context, &places->list[i], 0);
        else
            places->list[kept++] = places->list[i];
        if (status != STATUS_OK)
            return status;
    }
    places->count = kept;
    places->step = places->step ? places->step * 2 : 2;
    places->left = 0;
    return STATUS_OK;
}

enum status cpu_stretch_add(struct cpu_stretch *stretch, enum cpu_rank rank,
                            const struct cpu_place *place, cpu_give_fn *give, void *context)
{
    struct cpu_places *places = &stretch->ranks[rank];
    enum status status = STATUS_OK;

    stretch->ticked_ns = weight_add(stretch->ticked_ns, place->period_ns);
    stretch->tail_ns = weight_add(stretch->tail_ns, place->period_ns);
    stretch->ticks += place->period_ns > 0;
    if (places->count == CPU_STRETCH_KEPT)
        status = thin_out(places, give, context);
    if (status != STATUS_OK)
        return status;
    if (places->left) {
        places->left--;
        return give(context, place, 0);
    }
    if (vec_reserve(&places->list, &places->cap, places->count + 1, sizeof(*places->list)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    places->list[places->count++] = *place;
    places->left = places->step ? places->step - 1 : 0;
    return STATUS_OK;
}

/* Returns the least rank whose places get time; CPU_RANKS: no places. */
static enum cpu_rank least_telling(const struct cpu_places *ranks)
{
    if (ranks[CPU_ON].count >= CPU_STRETCH_FEW)
        return CPU_ON;
    if (ranks[CPU_ON].count || ranks[CPU_LEFT_IN_CODE].count)
        return CPU_LEFT_IN_CODE;
    return ranks[CPU_LEFT_IN_CALL].count ? CPU_LEFT_IN_CALL : CPU_RANKS;
}

#define TICKS_BEFORE   4u               /* ticks assumed right before a thread's first */
#define PERIODS_MAX_NS (UINT64_MAX / 8) /* more would overflow; impossible */
#define TICK_LIMIT     4u               /* bounds: periods / 4 to periods * 4 */

static uint64_t limit(uint64_t ns, uint64_t periods_ns)
{
    if (ns < periods_ns / TICK_LIMIT)
        return periods_ns / TICK_LIMIT;
    return ns / TICK_LIMIT < periods_ns ? ns : periods_ns * TICK_LIMIT;
}

/* Returns what the stretch's ticks get together, and keeps the difference as used_ns or debt_ns. */
static uint64_t take_ticked(struct cpu_stretch *stretch, bool is_last)
{
    const uint64_t periods_ns =
        stretch->ticked_ns < PERIODS_MAX_NS ? stretch->ticked_ns : PERIODS_MAX_NS;
    const uint64_t used_ns = weight_add(stretch->used_ns, is_last ? stretch->tail_ns : 0);
    const uint64_t due_ns = used_ns > stretch->debt_ns ? used_ns - stretch->debt_ns : 0;
    const double prior_ns =
        stretch->before_ns ? 0 : TICKS_BEFORE * ((double)periods_ns / (double)stretch->ticks);
    const double told_ns =
        ((double)due_ns + prior_ns) / ((double)periods_ns + prior_ns) * (double)periods_ns;
    uint64_t total_ns = told_ns < 0x1p63 ? (uint64_t)(told_ns + 0.5) : UINT64_MAX / 2;

    total_ns = limit(total_ns, periods_ns);
    stretch->used_ns = due_ns > total_ns ? due_ns - total_ns : 0;
    stretch->debt_ns = weight_add(stretch->debt_ns, total_ns) > used_ns
                           ? weight_add(stretch->debt_ns, total_ns) - used_ns
                           : 0;
    stretch->before_ns = weight_add(stretch->before_ns, periods_ns);
    return total_ns;
}

/* Returns a place's weight: it stands for `step` places, each 1 or a tick's period. */
static double size_of(const struct cpu_places *places, const struct cpu_place *place)
{
    return (places->step ? places->step : 1) * (place->period_ns ? (double)place->period_ns : 1);
}

static double sum_sizes(const struct cpu_stretch *stretch, enum cpu_rank least)
{
    double sum = 0;

    for (unsigned rank = least; rank < CPU_RANKS; rank++)
        for (size_t i = 0; i < stretch->ranks[rank].count; i++)
            sum += size_of(&stretch->ranks[rank], &stretch->ranks[rank].list[i]);
    return sum;
}

/* Takes a place's part of *left_ns; the last one gets the rounding, too. */
static uint64_t take_part(uint64_t *left_ns, double size, double *sizes)
{
    const double part = *sizes > size ? (double)*left_ns * (size / *sizes) : (double)*left_ns;
    const uint64_t part_ns = *sizes > size && part < (double)*left_ns ? (uint64_t)part : *left_ns;

    *sizes -= size;
    *left_ns -= part_ns;
    return part_ns;
}

enum status cpu_stretch_end(struct cpu_stretch *stretch, bool is_last, cpu_give_fn *give,
                            void *context)
{
    const enum cpu_rank least = least_telling(stretch->ranks);
    double sizes = sum_sizes(stretch, least);
    enum status status = STATUS_OK;
    uint64_t left_ns = 0;

    if (least < CPU_RANKS && stretch->ticked_ns) {
        left_ns = take_ticked(stretch, is_last);
    } else if (least < CPU_RANKS) {
        left_ns = stretch->used_ns;
        stretch->used_ns = 0;
    }
    for (unsigned rank = 0; rank < CPU_RANKS; rank++) {
        struct cpu_places *places = &stretch->ranks[rank];

        for (size_t i = 0; i < places->count && status == STATUS_OK; i++) {
            const struct cpu_place *place = &places->list[i];
            const double size = size_of(places, place);

            status = give(context, place, rank >= least ? take_part(&left_ns, size, &sizes) : 0);
        }
        places->count = 0;
        places->step = places->left = 0;
    }
    stretch->has_begun = false;
    stretch->ticked_ns = stretch->tail_ns = stretch->ticks = 0;
    return status;
}

uint64_t cpu_stretch_rest(const struct cpu_stretch *stretch)
{
    return stretch->used_ns > stretch->debt_ns ? stretch->used_ns - stretch->debt_ns : 0;
}
