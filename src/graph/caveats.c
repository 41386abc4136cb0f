/* SPDX-License-Identifier: MIT */
#include "graph/caveats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/amount.h"
#include "snapshot/loss.h"

#define COLUMNS  100u
#define FACT_MAX 160u /* bytes, with the NUL */

static bool is_share(uint64_t part, uint64_t total, unsigned percent)
{
    return part && amount_basis_points(part, total) >= percent * 100;
}

/* Adds a fact to the current line, or on a new one if it does not fit. */
static void put_fact(char text[CAVEATS_MAX], const char *head, const char *fact)
{
    const char *line = strrchr(text, '\n');
    const size_t len = strlen(text);
    const size_t column = len - (line ? (size_t)(line + 1 - text) : 0);
    const char *gap = !len ? head : column + 2 + strlen(fact) > COLUMNS ? ";\n  " : "; ";

    snprintf(text + len, CAVEATS_MAX - len, "%s%s", gap, fact);
}

static void put_line(char text[CAVEATS_MAX], const char *line)
{
    const size_t len = strlen(text);

    snprintf(text + len, CAVEATS_MAX - len, "%s\n", line);
}

/* Returns the reason of the most losses. */
static unsigned main_reason(const uint64_t lost[SNAP_LOSS_REASONS])
{
    unsigned most = 0;

    for (unsigned i = 1; i < SNAP_LOSS_REASONS; i++)
        if (snap_loss_words(i) && lost[i] > lost[most])
            most = i;
    return most;
}

static void put_lost(const struct capture_account *account, const char *head,
                     char text[CAVEATS_MAX])
{
    const uint64_t lost = snap_loss_sum(account->lost);
    const uint64_t due = weight_add(account->samples, lost);
    const unsigned reason = main_reason(account->lost);
    char share[AMOUNT_TEXT_MAX], fact[FACT_MAX];

    if (!is_share(lost, due, CAVEATS_LOST_PERCENT))
        return;
    snprintf(fact, sizeof(fact), "%s of samples lost (%" PRIu64 "%s %s)",
             amount_percent(share, lost, due), lost, account->lost[reason] < lost ? ", most:" : ":",
             snap_loss_words(reason));
    put_fact(text, head, fact);
}

static uint64_t wanted_ns(const struct cpu_account *cpu)
{
    return weight_add(cpu->used_ns, cpu->waited_ns);
}

/*
 * A thread that mostly sleeps wants a CPU only for moments, and waits as long for it: a large share
 * of what it wanted, but nothing that matters. So the share of all threads' time counts, too.
 */
bool caveats_is_contended(const struct capture_account *account)
{
    const struct cpu_account *cpu = &account->cpu;

    return is_share(cpu->waited_ns, wanted_ns(cpu), CAVEATS_CONTENDED_PERCENT) &&
           (account->wall_ns ? is_share(cpu->waited_ns, account->wall_ns, CAVEATS_DELAYED_PERCENT)
                             : is_share(account->ready, account->samples, CAVEATS_DELAYED_PERCENT));
}

static void put_contention(const struct capture_account *account, const char *head,
                           char text[CAVEATS_MAX])
{
    char share[AMOUNT_TEXT_MAX], fact[FACT_MAX];

    if (!caveats_is_contended(account))
        return;
    snprintf(fact, sizeof(fact), "ready without a CPU %s of the time that threads could have run",
             amount_percent(share, account->cpu.waited_ns, wanted_ns(&account->cpu)));
    put_fact(text, head, fact);
}

bool caveats_is_slow(const struct capture_rate *rate)
{
    return rate->reached_mhz && rate->reached_mhz * 100 < rate->asked_mhz * CAVEATS_RATE_PERCENT;
}

static void put_rate(const struct capture_account *account, const char *head,
                     char text[CAVEATS_MAX])
{
    const struct capture_rate *rate = &account->rate;
    char reached[AMOUNT_TEXT_MAX], asked[AMOUNT_TEXT_MAX], fact[FACT_MAX], where[48] = "";

    if (!caveats_is_slow(rate))
        return;
    if (account->captures > 1)
        snprintf(where, sizeof(where), " in one of %" PRIu64 " captures", account->captures);
    snprintf(fact, sizeof(fact), "%s of %s Hz reached%s", amount_hertz(reached, rate->reached_mhz),
             amount_hertz(asked, rate->asked_mhz), where);
    put_fact(text, head, fact);
}

/* Makes an account's lines apart, since facts are appended to the last line. */
static void put_account(const struct capture_account *account, const char *head,
                        char text[CAVEATS_MAX])
{
    char line[CAVEATS_MAX] = "";

    put_lost(account, head, line);
    put_contention(account, head, line);
    put_rate(account, head, line);
    if (line[0])
        put_line(text, line);
}

const char *caveats_of_captures(const struct quality *quality, char text[CAVEATS_MAX])
{
    text[0] = '\0';
    put_account(&quality->own, "capture: ", text);
    put_account(&quality->base, "baseline: ", text);
    return text;
}

/* Weights that a view shows, without its baseline, by what threads did. */
struct shown_states {
    uint64_t ready, waiting, running, all;
    uint64_t cpu_ns;
};

/* Returns the sum for a state; NULL: neither running nor waiting (stopped, ended), or not known. */
static uint64_t *sum_of(struct shown_states *shown, char state)
{
    switch (state) {
    case SNAP_STATE_READY:
        return &shown->ready;
    case 'R':
        return &shown->running;
    case 'S':
    case 'D':
    case 'I':
        return &shown->waiting;
    default:
        return NULL;
    }
}

static struct shown_states sum_up(const struct view *view)
{
    const struct profile *profile = view->profile;
    struct shown_states shown = {0};

    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        const uint64_t weight = cell->weights.value[view->weight];
        uint64_t *sum = sum_of(&shown, cell->state);

        if (!view->cell_shown[i] || cell->is_base)
            continue;
        shown.all = weight_add(shown.all, weight);
        shown.cpu_ns = weight_add(shown.cpu_ns, cell->weights.value[WEIGHT_CPU]);
        if (sum)
            *sum = weight_add(*sum, weight);
    }
    return shown;
}

static void put_ready(const struct view *view, const struct shown_states *shown,
                      char text[CAVEATS_MAX])
{
    char share[AMOUNT_TEXT_MAX], line[FACT_MAX];

    if (!is_share(shown->ready, shown->all, CAVEATS_READY_PERCENT))
        return;
    snprintf(line, sizeof(line), "%s of the %s shown: threads that were ready, without a CPU",
             amount_percent(share, shown->ready, shown->all), amount_weight_name(view->weight));
    put_line(text, line);
}

static void put_waiting(const struct view *view, const struct capture_account *own,
                        const struct shown_states *shown, char text[CAVEATS_MAX])
{
    const bool has_cpu = shown->cpu_ns && !weight_is_unplaced(own);
    char share[AMOUNT_TEXT_MAX], line[FACT_MAX];

    if (!is_share(shown->waiting, shown->all, CAVEATS_WAITING_PERCENT) ||
        (!has_cpu && !shown->running))
        return;
    snprintf(line, sizeof(line), "%s of the %s shown: threads that waited; %s shows what ran",
             amount_percent(share, shown->waiting, shown->all), amount_weight_name(view->weight),
             has_cpu ? "--weight cpu" : "--state running");
    put_line(text, line);
}

/* Returns wall time less CPU time: a thread found ready has run before, too. */
static uint64_t not_run(const struct weights *weights)
{
    const uint64_t wall_ns = weights->value[WEIGHT_WALL], cpu_ns = weights->value[WEIGHT_CPU];

    return wall_ns > cpu_ns ? wall_ns - cpu_ns : 0;
}

/* Warns of the threads' time, as far as it passed the filter, that the view's weight leaves out. */
static void put_hidden(const struct view *view, char text[CAVEATS_MAX])
{
    const struct profile *profile = view->profile;
    uint64_t wall_ns = 0, ready_ns = 0;
    char share[AMOUNT_TEXT_MAX], part[AMOUNT_TEXT_MAX], ready[48] = "", line[FACT_MAX];

    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        const uint64_t cell_ns = cell->weights.value[WEIGHT_WALL];

        if (!view->cell_shown[i] || cell->is_base)
            continue;
        wall_ns = weight_add(wall_ns, cell_ns);
        if (cell->state == SNAP_STATE_READY)
            ready_ns = weight_add(ready_ns, not_run(&cell->weights));
    }
    if (wall_ns <= view->shown || !is_share(wall_ns - view->shown, wall_ns, CAVEATS_HIDDEN_PERCENT))
        return;
    if (ready_ns > wall_ns - view->shown) /* by chance: samples estimate both */
        ready_ns = wall_ns - view->shown;
    if (ready_ns >= (wall_ns - view->shown) / 100 * 95) {
        snprintf(line, sizeof(line),
                 "%s of the threads' time is not shown: they were ready, without a CPU; see "
                 "--weight wall",
                 amount_percent(share, wall_ns - view->shown, wall_ns));
        put_line(text, line);
        return;
    }
    if (is_share(ready_ns, wall_ns, CAVEATS_READY_PERCENT))
        snprintf(ready, sizeof(ready), ", or were ready (%s)",
                 amount_percent(part, ready_ns, wall_ns));
    snprintf(line, sizeof(line),
             "%s of the threads' time is not shown: they waited%s; see --weight wall",
             amount_percent(share, wall_ns - view->shown, wall_ns), ready);
    put_line(text, line);
}

static void put_reason(const struct view *view, const struct caveats_facts *facts,
                       char text[CAVEATS_MAX])
{
    const struct capture_account *own = facts->quality ? &facts->quality->own : NULL;
    char share[AMOUNT_TEXT_MAX], amount[AMOUNT_TEXT_MAX], line[FACT_MAX];

    switch (facts->reason) {
    case WEIGHT_GIVEN:
        return;
    case WEIGHT_IS_HOT:
        put_hidden(view, text);
        return;
    case WEIGHT_HARDLY_RAN:
        if (!own)
            return;
        snprintf(line, sizeof(line),
                 "threads used CPUs for %s of the time (%s): this is wall time; see --weight cpu",
                 amount_percent(share, own->cpu.used_ns, facts->duration_ns),
                 amount_weight(amount, WEIGHT_CPU, own->cpu.used_ns));
        put_line(text, line);
        return;
    case WEIGHT_NOTHING_RAN:
        put_line(text, view->weight == WEIGHT_WALL
                           ? "what is shown used no CPU time: this is wall time"
                           : "what is shown used no CPU time: these are samples");
        return;
    case WEIGHT_BASE_UNPLACED:
        put_line(text, "few samples of the baseline found a thread on a CPU: this is wall time");
        return;
    case WEIGHT_FEW_RUNNING:
        put_line(text, "few samples found a thread on a CPU: this is wall time; see --weight cpu");
        return;
    }
}

/* States the error by chance: two standard errors of a share of 50 %, 2 sqrt(1 / 4n). */
static void put_carriers(const struct view *view, const struct capture_account *own,
                         char text[CAVEATS_MAX])
{
    const struct cpu_account *cpu = &own->cpu;
    const uint64_t carriers = weight_carriers(own);
    uint64_t worth = weight_worth(own);
    unsigned root;
    char line[FACT_MAX];

    if (view->relative && view->all)
        worth = (uint64_t)((double)worth * ((double)view->shown / (double)view->all));
    if (!carriers || worth >= CAVEATS_CARRIERS)
        return;
    root = (unsigned)sqrt((double)(worth ? worth : 1));
    snprintf(line, sizeof(line), "from %" PRIu64 " %s%s: a share of 50 %% may be off by %u points",
             carriers, cpu->by_clock ? "tick" : "sample", carriers == 1 ? "" : "s",
             (100 + root / 2) / root);
    put_line(text, line);
}

static void put_unplaced(const struct capture_account *own, char text[CAVEATS_MAX])
{
    const struct cpu_account *cpu = &own->cpu;
    const uint64_t rest_ns = cpu->used_ns > cpu->placed_ns ? cpu->used_ns - cpu->placed_ns : 0;
    char share[AMOUNT_TEXT_MAX], line[FACT_MAX];

    if (!is_share(rest_ns, cpu->used_ns, CAVEATS_UNPLACED_PERCENT))
        return;
    snprintf(line, sizeof(line), "%s of the CPU time is without a sample: %s places more",
             amount_percent(share, rest_ns, cpu->used_ns),
             caveats_is_slow(&own->rate) ? "cgsnap --overhead 10, or more,"
                                         : "a longer capture or a higher rate");
    put_line(text, line);
}

/* Says how far shares of CPU time may be trusted. */
static void put_trust(const struct view *view, const struct capture_account *own,
                      char text[CAVEATS_MAX])
{
    put_carriers(view, own, text);
    put_unplaced(own, text);
    if (own->cpu.untold && !own->cpu.by_clock)
        put_line(text, "who had a CPU is not known: threads that waited for one count as running");
}

const char *caveats_of_view(const struct view *view, const struct caveats_facts *facts,
                            char text[CAVEATS_MAX])
{
    struct shown_states shown;

    text[0] = '\0';
    if (view->has_calls)
        return text;
    put_reason(view, facts, text);
    if (view->weight == WEIGHT_CPU && facts->quality)
        put_trust(view, &facts->quality->own, text);
    if (facts->of_states || (view->weight != WEIGHT_SAMPLES && view->weight != WEIGHT_WALL))
        return text;
    shown = sum_up(view);
    put_ready(view, &shown, text);
    if (!facts->is_chosen && facts->reason == WEIGHT_GIVEN)
        put_waiting(view, facts->quality ? &facts->quality->own : NULL, &shown, text);
    return text;
}
