/* SPDX-License-Identifier: MIT */
#include "graph/weight_choice.h"

#include <math.h>

#include "graph/caveats.h"

/* Sums of a profile's cells; [1]: the baseline's. */
struct weight_sums {
    struct weights of[2];
    bool is_there[2];
};

static struct weight_sums sum_up(const struct profile *profile)
{
    struct weight_sums sums = {.is_there = {true, false}};

    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        struct weights *sum = &sums.of[cell->is_base];

        sums.is_there[cell->is_base] = true;
        for (size_t k = 0; k < WEIGHT_COUNT; k++)
            sum->value[k] = weight_add(sum->value[k], cell->weights.value[k]);
    }
    return sums;
}

static bool has(const struct weight_sums *sums, enum weight_kind weight)
{
    return sums->of[0].value[weight] && (!sums->is_there[1] || sums->of[1].value[weight]);
}

uint64_t weight_carriers(const struct capture_account *account)
{
    return weight_add(account->cpu.places, account->cpu.ticks);
}

#define WORTH_MAX 1e15 /* a profile may have any numbers; larger worths make no difference */

uint64_t weight_worth(const struct capture_account *account)
{
    const struct cpu_account *cpu = &account->cpu;
    const double placed_us = (double)cpu->placed_ns / 1000, squares = (double)cpu->squares_us2;
    double worth = (double)weight_carriers(account);

    if (worth > 0 && squares > 0 && placed_us * placed_us < worth * squares)
        worth = placed_us * placed_us / squares;
    if (worth > 0 && !cpu->by_clock && caveats_is_contended(account)) {
        const double error = 1 / sqrt(worth) + WEIGHT_BIAS;

        worth = 1 / (error * error);
    }
    return worth < WORTH_MAX ? (uint64_t)(worth + 0.5) : (uint64_t)WORTH_MAX;
}

/* Returns whether the CPU time is below the percentage of one CPU. */
static bool hardly_ran(uint64_t cpu_ns, uint64_t duration_ns)
{
    return cpu_ns / WEIGHT_CHOICE_BUSY_PERCENT < duration_ns / 100;
}

bool weight_is_unplaced(const struct capture_account *account)
{
    return account && account->cpu.placed_ns < account->cpu.used_ns / 2;
}

static bool leaves_out_running(const struct graph_filter *filter)
{
    return filter && filter->has_states && !graph_filter_state(filter, 'R');
}

static struct weight_choice given(enum weight_kind weight)
{
    return (struct weight_choice){.weight = weight};
}

bool weight_choose_next(struct weight_choice *choice)
{
    static const enum weight_kind next[WEIGHT_COUNT] = {[WEIGHT_CPU] = WEIGHT_WALL,
                                                        [WEIGHT_WALL] = WEIGHT_SAMPLES,
                                                        [WEIGHT_OFFCPU] = WEIGHT_SAMPLES,
                                                        [WEIGHT_SAMPLES] = WEIGHT_SAMPLES,
                                                        [WEIGHT_CALLS] = WEIGHT_CALLS};

    if (next[choice->weight] == choice->weight)
        return false;
    choice->reason = choice->weight == WEIGHT_CPU ? WEIGHT_NOTHING_RAN : choice->reason;
    choice->weight = next[choice->weight];
    return true;
}

struct weight_choice weight_choose(const struct profile *profile, const struct graph_filter *filter,
                                   const struct capture_account *own,
                                   const struct capture_account *base, uint64_t duration_ns)
{
    const struct weight_sums sums = sum_up(profile);
    const uint64_t carriers = own ? weight_carriers(own) : 0;
    const bool has_wall = has(&sums, WEIGHT_WALL);
    const bool is_unplaced = weight_is_unplaced(own) || weight_is_unplaced(base);

    if (profile->first_call)
        return given(WEIGHT_CALLS);
    if (!has(&sums, WEIGHT_CPU) || leaves_out_running(filter) || (is_unplaced && !has_wall)) {
        if (has_wall)
            return given(WEIGHT_WALL);
        return given(has(&sums, WEIGHT_OFFCPU) ? WEIGHT_OFFCPU : WEIGHT_SAMPLES);
    }
    if (!has_wall)
        return given(WEIGHT_CPU);
    if (hardly_ran(sums.of[0].value[WEIGHT_CPU], duration_ns))
        return (struct weight_choice){WEIGHT_WALL, WEIGHT_HARDLY_RAN};
    if (weight_is_unplaced(own) || (carriers && carriers < WEIGHT_CHOICE_PLACES))
        return (struct weight_choice){WEIGHT_WALL, WEIGHT_FEW_RUNNING};
    if (is_unplaced)
        return (struct weight_choice){WEIGHT_WALL, WEIGHT_BASE_UNPLACED};
    return (struct weight_choice){WEIGHT_CPU, WEIGHT_IS_HOT};
}
