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
    const uint64_t age_ns =
        stretch->has_begun && time_ns > stretch->begin_ns ? time_ns - stretch->begin_ns : 0;

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
}

/* Each second one has nothing. */
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

/* From this rank on samples say where the time went; CPU_RANKS: none does. */
static enum cpu_rank least_telling(const struct cpu_places *ranks)
{
    if (ranks[CPU_ON].count >= CPU_STRETCH_FEW)
        return CPU_ON;
    if (ranks[CPU_ON].count || ranks[CPU_LEFT_IN_CODE].count)
        return CPU_LEFT_IN_CODE;
    return ranks[CPU_LEFT_IN_CALL].count ? CPU_LEFT_IN_CALL : CPU_RANKS;
}

/* A place stands for all samples of its rank that were met instead of it. */
static uint64_t size_of(const struct cpu_places *places)
{
    return places->step ? places->step : 1;
}

enum status cpu_stretch_end(struct cpu_stretch *stretch, cpu_give_fn *give, void *context)
{
    const enum cpu_rank least = least_telling(stretch->ranks);
    enum status status = STATUS_OK;
    uint64_t parts = 0;

    for (unsigned rank = least; rank < CPU_RANKS; rank++)
        parts += stretch->ranks[rank].count * size_of(&stretch->ranks[rank]);
    for (unsigned rank = 0; rank < CPU_RANKS; rank++) {
        struct cpu_places *places = &stretch->ranks[rank];

        for (size_t i = 0; i < places->count && status == STATUS_OK; i++) {
            const uint64_t size = rank >= least ? size_of(places) : 0;
            const uint64_t part_ns =
                size ? stretch->used_ns / parts * size + stretch->used_ns % parts * size / parts
                     : 0;

            /* What is left over by rounding is given with the last. */
            parts -= size;
            stretch->used_ns -= part_ns;
            status = give(context, &places->list[i], part_ns);
        }
        places->count = 0;
        places->step = places->left = 0;
    }
    stretch->has_begun = false;
    return status;
}
