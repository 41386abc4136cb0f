/* SPDX-License-Identifier: MIT */
#include "capture/budget.h"

#define MS 1e6
/* Periods: of probed rounds, at least; of measured rounds, at least and at most. */
#define PROBED_PERIOD_NS   (40 * MS)
#define MEASURED_PERIOD_NS (50 * MS)
#define MEASURED_RARE_NS   (200 * MS)
/* Rounds that are probed; rounds that are measured, and their least time. */
#define PROBED_ROUNDS   2u
#define MEASURED_ROUNDS 8u
#define MEASURED_NS     (500 * MS)
/* A window has at least this time, and so many rounds. */
#define WINDOW_NS     (1000 * MS)
#define WINDOW_ROUNDS 4u
/* The period stays for at least this time, unless the cost is gross. */
#define REST_NS (3000 * MS)
/*
 * Parts of the permitted cost: AIM is aimed at. After CHEAP_WINDOWS windows in a row below LITTLE
 * rounds come more often; after DEAR_WINDOWS windows above 1 less often, where windows above MUCH
 * count twice; above GROSS at once.
 */
#define AIM           0.85
#define LITTLE        0.6
#define MUCH          1.5
#define GROSS         3.0
#define CHEAP_WINDOWS 5u
#define DEAR_WINDOWS  4u
/* The period grows at most by this factor at a time. */
#define RARER_MAX     8.0
#define PERIOD_MAX_NS (2000 * MS)
/* Signals are many if they come this often: a few long stops tell nothing of the next. */
#define SIGNAL_EACH_NS (10 * MS)
/*
 * This part of the permitted cost is too much for signals: they slow down threads that wait for one
 * another by far more than what is counted.
 */
#define SIGNALS_PART 8.0

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

static void begin(struct budget *budget)
{
    budget->state = BUDGET_BEGUN;
    budget->rounds = 0;
    budget->period_ns = max(budget->asked_ns, PROBED_PERIOD_NS);
}

void budget_init(struct budget *budget, uint32_t limit, double period_ns)
{
    *budget = (struct budget){.limit = limit, .asked_ns = period_ns, .period_ns = period_ns};
    budget->state = BUDGET_KEPT;
    if (limit < BUDGET_ALL)
        begin(budget);
}

static void open_window(struct budget *budget, const struct budget_use *now)
{
    budget->since = *now;
    budget->spent_ns = now->of[BUDGET_SPENT];
    budget->rounds = 0;
    budget->inverse = 0;
}

static double grown(const struct budget_use *from, const struct budget_use *to, unsigned kind)
{
    return max(to->of[kind] - from->of[kind], 0); /* threads that end take their CPU time along */
}

void budget_skip(struct budget *budget, const struct budget_use *from, const struct budget_use *to)
{
    for (unsigned i = 0; i < BUDGET_KINDS; i++)
        budget->since.of[i] += grown(from, to, i);
    budget->spent_ns += grown(from, to, BUDGET_SPENT);
}

/*
 * The usual cost of a round: the harmonic mean, as a few rounds with other work, as when the target
 * has just mapped files, shall hardly count.
 */
static double usual_ns(const struct budget *budget)
{
    return budget->rounds / budget->inverse;
}

static bool is_due(const struct budget *budget, double passed_ns)
{
    switch (budget->state) {
    case BUDGET_BEGUN:
        return budget->rounds > 1;
    case BUDGET_PROBED:
        return budget->rounds >= PROBED_ROUNDS;
    case BUDGET_MEASURED:
        return budget->rounds >= MEASURED_ROUNDS && passed_ns >= MEASURED_NS;
    case BUDGET_KEPT:
        break;
    }
    /* A window that is already too dear ends early. */
    return budget->rounds >= WINDOW_ROUNDS &&
           (passed_ns >= WINDOW_NS ||
            usual_ns(budget) * budget->rounds > budget->permitted * WINDOW_NS * MUCH);
}

bool budget_begin_round(struct budget *budget, double wall_ns, double spent_ns)
{
    budget->inverse += 1 / max(spent_ns - budget->spent_ns, 1000);
    budget->spent_ns = spent_ns;
    budget->rounds++;
    return is_due(budget, wall_ns - budget->since.of[BUDGET_WALL]);
}

/* Keeps `period_ns` from now on, but at least the period that was asked for. */
static void keep(struct budget *budget, double period_ns, double now_ns)
{
    budget->period_ns = max(min(period_ns, PERIOD_MAX_NS), budget->asked_ns);
    budget->exceeded |= budget->period_ns > budget->asked_ns;
    budget->state = BUDGET_KEPT;
    budget->changed_ns = now_ns;
    budget->dear = budget->cheap = 0;
}

/*
 * Returns the period at which rounds of the cost `round_ns` cost what is permitted. They count
 * double for the part of the time in which no CPU was idle.
 */
static double needed(const struct budget *budget, const struct budget_use *use, double round_ns)
{
    const double displaced = 1 - min(use->of[BUDGET_IDLE] / use->of[BUDGET_WALL], 1);

    return round_ns * (1 + displaced) / budget->permitted;
}

/* Ends probing: if the cost is permitted even when no CPU is idle, keeps the period asked for. */
static void probe(struct budget *budget, struct budget_use use, const struct budget_use *now)
{
    double needed_ns;

    use.of[BUDGET_IDLE] = 0;
    needed_ns = needed(budget, &use, use.of[BUDGET_SPENT] / budget->rounds);
    if (needed_ns <= budget->asked_ns) {
        open_window(budget, now);
        keep(budget, budget->asked_ns, 0);
        return;
    }
    budget->period_ns =
        max(min(max(needed_ns, MEASURED_PERIOD_NS), MEASURED_RARE_NS), budget->asked_ns);
    budget->state = BUDGET_MEASURED;
    budget->exceeded = true;
}

/*
 * Ends measuring. Takes a round's cost to be half way between the harmonic mean, in which a rare
 * dear round hardly counts, and the mean, in which each counts, also those in which a program
 * begins. If this was wrong, the next change needs no rest.
 */
static void measure(struct budget *budget, const struct budget_use *use,
                    const struct budget_use *now)
{
    const double mean_ns = use->of[BUDGET_SPENT] / budget->rounds;
    const double needed_ns = needed(budget, use, (usual_ns(budget) + mean_ns) / 2);
    const double asked_ns = budget->asked_ns;

    open_window(budget, now);
    keep(budget, needed_ns <= asked_ns ? asked_ns : needed_ns / AIM, 0);
}

/* Ends a window: has the load changed? */
static void watch(struct budget *budget, const struct budget_use *use, const struct budget_use *now)
{
    const double period_ns = budget->period_ns;
    const double needed_ns = needed(budget, use, use->of[BUDGET_SPENT] / budget->rounds);
    const double usually_ns = needed(budget, use, usual_ns(budget));
    const double cost = needed_ns * budget->rounds / use->of[BUDGET_WALL];
    const bool has_rested = now->of[BUDGET_WALL] - budget->changed_ns >= REST_NS;
    const double before_ns = budget->needed_ns;
    double wanted_ns = 0;

    open_window(budget, now);
    budget->needed_ns = needed_ns;
    budget->cheap_ns = max(budget->cheap ? budget->cheap_ns : 0, needed_ns);
    budget->cheap = cost < LITTLE && period_ns > budget->asked_ns ? budget->cheap + 1 : 0;
    budget->dear = cost <= 1 ? 0 : budget->dear + (cost > MUCH ? 2 : 1);
    if (usually_ns > period_ns * GROSS)
        wanted_ns = usually_ns;
    else if (has_rested && budget->dear >= DEAR_WINDOWS)
        wanted_ns = (before_ns + needed_ns) / 2;
    else if (has_rested && budget->cheap >= CHEAP_WINDOWS)
        wanted_ns = budget->cheap_ns;
    else
        return;
    keep(budget, min(wanted_ns / AIM, period_ns * RARER_MAX), now->of[BUDGET_WALL]);
}

static bool has_many_signals(const struct budget *budget, const struct budget_use *use)
{
    return use->of[BUDGET_SIGNAL_TIME] * SIGNALS_PART > budget->permitted * use->of[BUDGET_WALL] &&
           use->of[BUDGET_SIGNALS] * SIGNAL_EACH_NS >= use->of[BUDGET_WALL];
}

void budget_check(struct budget *budget, const struct budget_use *now)
{
    struct budget_use use;

    if (budget->state == BUDGET_BEGUN) {
        budget->state = BUDGET_PROBED;
        open_window(budget, now);
        return;
    }
    for (unsigned i = 0; i < BUDGET_KINDS; i++)
        use.of[i] = grown(&budget->since, now, i);
    budget->permitted =
        (double)budget->limit / BUDGET_ALL * max(use.of[BUDGET_TARGET] / use.of[BUDGET_WALL], 1);
    if (budget->state == BUDGET_PROBED) {
        probe(budget, use, now);
    } else if (!budget->signals_exceed && has_many_signals(budget, &use)) {
        budget->signals_exceed = true;
        begin(budget);
    } else if (budget->state == BUDGET_MEASURED) {
        measure(budget, &use, now);
    } else {
        watch(budget, &use, now);
    }
}
