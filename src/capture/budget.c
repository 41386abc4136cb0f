/* SPDX-License-Identifier: MIT */
#include "capture/budget.h"

#define SECOND_NS UINT64_C(1000000000)
#define WINDOW_NS SECOND_NS
/* In a second: one that held long, as we had no CPU, tells nothing of the next. */
#define MANY_SIGNALS 100u
/* What they cost is little of what they do to threads that wait for one another. */
#define SIGNALS_PART 8u
/* Aimed at is a little less than what is permitted: this part, in percent. */
#define AIM_PERCENT 85u
/* At one time rounds get rarer by this factor at most, or more frequent by the other. */
#define RARER_MAX     8u
#define DENSER_SHIFT  1u
#define PERIOD_MAX_NS UINT64_C(2000000000)

void budget_init(struct budget *budget, uint32_t limit, uint64_t period_ns,
                 const struct budget_use *now)
{
    *budget = (struct budget){.limit = limit, .asked_ns = period_ns, .since = *now};
}

static uint64_t grown(uint64_t since, uint64_t now)
{
    return now > since ? now - since : 0; /* threads that end take their CPU time with them */
}

void budget_skip(struct budget *budget, const struct budget_use *from, const struct budget_use *to)
{
    budget->since.wall_ns += to->wall_ns - from->wall_ns;
    budget->since.target_ns += grown(from->target_ns, to->target_ns);
    budget->since.held_ns += to->held_ns - from->held_ns;
    budget->since.own_ns += grown(from->own_ns, to->own_ns);
    budget->since.idle_ns += to->idle_ns - from->idle_ns;
    budget->since.signals_ns += to->signals_ns - from->signals_ns;
    budget->since.signals += to->signals - from->signals;
}

bool budget_is_due(const struct budget *budget, uint64_t wall_ns)
{
    return budget->limit < BUDGET_ALL && wall_ns - budget->since.wall_ns >= WINDOW_NS;
}

static uint64_t max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* As much again, for the part of the time in which no CPU was idle. */
static uint64_t displaced(uint64_t cost, uint64_t wall_ns, uint64_t idle_ns)
{
    return idle_ns < wall_ns ? (cost >> 10) * ((wall_ns - idle_ns) / ((wall_ns >> 10) + 1)) : 0;
}

uint64_t budget_check(struct budget *budget, const struct budget_use *now, uint64_t period_ns)
{
    const struct budget_use *since = &budget->since;
    uint64_t wall_ns = grown(since->wall_ns, now->wall_ns);
    uint64_t base = max(wall_ns, grown(since->target_ns, now->target_ns));
    uint64_t cost = grown(since->held_ns, now->held_ns) + grown(since->own_ns, now->own_ns);
    uint64_t permitted = base / BUDGET_ALL * budget->limit;
    uint64_t aim = permitted / 100 * AIM_PERCENT;
    uint64_t wanted;

    cost += displaced(cost, wall_ns, grown(since->idle_ns, now->idle_ns));
    budget->signals_exceed |=
        grown(since->signals_ns, now->signals_ns) * SIGNALS_PART > permitted &&
        grown(since->signals, now->signals) * SECOND_NS >= MANY_SIGNALS * wall_ns;
    budget->since = *now;
    if (cost > permitted)
        budget->exceeded = true;
    else if (period_ns <= budget->asked_ns)
        return period_ns;
    /* The cost goes with the number of rounds. */
    wanted = aim && cost / aim < RARER_MAX ? period_ns / 1000 * (cost * 1000 / aim)
                                           : period_ns * RARER_MAX;
    wanted = max(wanted, period_ns >> DENSER_SHIFT);
    if (wanted > PERIOD_MAX_NS)
        wanted = PERIOD_MAX_NS;
    return max(wanted, budget->asked_ns);
}
