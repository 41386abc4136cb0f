/* SPDX-License-Identifier: MIT */
#include "boards/gdb/halt_budget.h"

#define SECOND_NS   INT64_C(1000000000)
#define SAVED_HALTS 4
/* Attaching takes as many requests as this many samples, or more. */
#define ATTACH_HALTS 4u
/* Debt is limited, so that no halt, however long, ends the capture. */
#define DEBT_MAX_NS (60 * SECOND_NS)
/* Halts are a little further apart than their cost asks for. */
#define AIM_PERCENT 90u

void halt_budget_init(struct halt_budget *budget, uint32_t share, uint64_t now_ns)
{
    *budget = (struct halt_budget){.share = share, .at_ns = now_ns};
}

/* Returns what `ns` earn. */
static int64_t earned(const struct halt_budget *budget, uint64_t ns)
{
    return (int64_t)(ns / HALT_BUDGET_ALL * budget->share +
                     ns % HALT_BUDGET_ALL * budget->share / HALT_BUDGET_ALL);
}

void halt_budget_spend(struct halt_budget *budget, uint64_t now_ns, uint64_t halted_ns)
{
    int64_t most = earned(budget, (uint64_t)SECOND_NS);

    if (most < SAVED_HALTS * (int64_t)budget->expected_ns)
        most = SAVED_HALTS * (int64_t)budget->expected_ns;
    budget->credit_ns += earned(budget, now_ns - budget->at_ns);
    if (budget->credit_ns > most)
        budget->credit_ns = most;
    budget->credit_ns -= (int64_t)halted_ns;
    if (budget->credit_ns < -DEBT_MAX_NS)
        budget->credit_ns = -DEBT_MAX_NS;
    budget->at_ns = now_ns;
    if (!budget->count)
        budget->expected_ns = halted_ns / ATTACH_HALTS;
    else if (halted_ns >= budget->expected_ns)
        budget->expected_ns = halted_ns;
    else
        budget->expected_ns -= (budget->expected_ns - halted_ns) / 8;
    budget->count++;
    budget->total_ns += halted_ns;
    if (halted_ns > budget->worst_ns)
        budget->worst_ns = halted_ns;
}

/* Returns how long earning `ns` takes. */
static uint64_t time_for(const struct halt_budget *budget, uint64_t ns)
{
    return ns / budget->share * HALT_BUDGET_ALL +
           ns % budget->share * HALT_BUDGET_ALL / budget->share;
}

uint64_t halt_budget_next(const struct halt_budget *budget)
{
    const int64_t lacking = (int64_t)budget->expected_ns - budget->credit_ns;

    if (budget->share >= HALT_BUDGET_ALL || lacking <= 0)
        return budget->at_ns;
    return budget->at_ns + time_for(budget, (uint64_t)lacking);
}

uint64_t halt_budget_period(const struct halt_budget *budget)
{
    return budget->share >= HALT_BUDGET_ALL
               ? 0
               : time_for(budget, budget->expected_ns) / AIM_PERCENT * 100;
}
