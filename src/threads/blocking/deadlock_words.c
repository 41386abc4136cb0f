/* SPDX-License-Identifier: MIT */
#include "threads/blocking/deadlock_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/amount.h"

const char *deadlock_certainty(const struct deadlock *d)
{
    if (!d->proved)
        return "Possible deadlock";
    if (d->timed)
        return "Temporary deadlock";
    return d->inferred ? "Likely deadlock" : "Deadlock";
}

const char *standstill_certainty(const struct standstill *still)
{
    return !still->locks_only ? "Standstill" : still->inferred ? "Likely deadlock" : "Deadlock";
}

const char *deadlock_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                           const struct deadlocks *deadlocks, const struct deadlock *d)
{
    const struct history *history = graph->history;
    const uint32_t process = history->threads[deadlocks->members[d->first]].process;
    char time[AMOUNT_TEXT_MAX], since[AMOUNT_TEXT_MAX + 8] = "";

    if (history_has_times(history))
        snprintf(since, sizeof(since), ", for %s",
                 amount_weight(time, WEIGHT_WALL, history_last_ns(history, process) - d->since_ns));
    if (d->count == 1)
        snprintf(text, DEADLOCK_TEXT_MAX, "%s: a thread waits for what it holds itself%s",
                 deadlock_certainty(d), since);
    else
        snprintf(text, DEADLOCK_TEXT_MAX, "%s: %" PRIu32 " threads wait for one another%s",
                 deadlock_certainty(d), d->count, since);
    return text;
}

const char *standstill_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                             const struct standstill *still)
{
    const uint32_t pid = graph->history->processes[still->process].pid;

    if (still->thread_count == 1)
        snprintf(text, DEADLOCK_TEXT_MAX,
                 "%s: the only thread of process %" PRIu32 " waits for what it alone gives",
                 standstill_certainty(still), pid);
    else
        snprintf(text, DEADLOCK_TEXT_MAX,
                 "%s: all %" PRIu32 " threads of process %" PRIu32 " wait for %s",
                 standstill_certainty(still), still->thread_count, pid,
                 still->locks_only ? "one another" : "what only one of themselves gives");
    return text;
}

struct deadlock_evidence deadlock_evidence(const struct wait_graph *graph,
                                           const struct deadlocks *deadlocks,
                                           const struct deadlock *d)
{
    const struct history *history = graph->history;
    const uint32_t process = history->threads[deadlocks->members[d->first]].process;
    struct deadlock_evidence evidence = {.seen = NULL};

    if (!d->proved && history_has_times(history))
        evidence.seen = "they were not seen blocked for so long that it had to be at one moment, "
                        "and it may have been over: capture for longer, or with --together";
    else if (!d->proved)
        evidence.seen = "seen in one look, not at one moment, so that it may have been over: "
                        "capture for a second or more, or with --together";
    else if (history->processes[process].one_moment)
        evidence.seen = "all of one moment, as the core has it";
    else
        evidence.seen = "all were blocked at the same time, and are so when the capture ends";
    if (d->inferred)
        evidence.inferred = "an owner is inferred, not read off its lock";
    if (d->timed)
        evidence.timed = "a wait has a time limit, at which it ends by itself";
    return evidence;
}

struct deadlock_evidence standstill_evidence(char text[DEADLOCK_TEXT_MAX],
                                             const struct standstill *still)
{
    const bool is_one = still->thread_count == 1;
    struct deadlock_evidence evidence = {.seen = text};

    snprintf(text, DEADLOCK_TEXT_MAX,
             "%s%s go on, but by a signal handler, or another process that shares an object with "
             "it",
             still->locks_only && !is_one
                 ? "some of them hold what others wait for, and nothing tells which; who waits for "
                   "what is below; "
                 : "",
             is_one ? "it cannot" : "none can");
    if (still->inferred)
        evidence.inferred = "what kind of object one of them waits for is inferred";
    return evidence;
}

/* A standstill is not shown if each thread is in, or behind, a proved deadlock. */
static void find_standstills(const struct wait_graph *graph, const struct deadlocks *deadlocks,
                             bool *is_untold, bool *standstills)
{
    const struct history *history = graph->history;

    for (uint32_t i = 0; i < history->thread_count; i++)
        if (!history->threads[i].end_ns && (deadlocks->of_thread[i] == WAIT_GRAPH_NONE ||
                                            !deadlocks->list[deadlocks->of_thread[i]].proved))
            is_untold[history->threads[i].process] = true;
    for (size_t i = 0; i < deadlocks->standstill_count; i++)
        standstills[i] = is_untold[deadlocks->standstills[i].process];
}

enum status deadlocks_shown_init(struct deadlocks_shown *shown, const struct wait_graph *graph,
                                 const struct deadlocks *deadlocks,
                                 const struct graph_filter *filter)
{
    const struct history *history = graph->history;
    bool *is_untold = calloc(history->process_count + 1, sizeof(*is_untold));

    shown->deadlocks = calloc(deadlocks->count + 1, sizeof(*shown->deadlocks));
    shown->processes = calloc(history->process_count + 1, sizeof(*shown->processes));
    shown->standstills = calloc(deadlocks->standstill_count + 1, sizeof(*shown->standstills));
    if (!is_untold || !shown->deadlocks || !shown->processes || !shown->standstills) {
        free(is_untold);
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < history->thread_count; i++) {
        const struct history_thread *thread = &history->threads[i];

        if (filter && !graph_filter_thread(filter, thread->tid, thread->name ? thread->name : ""))
            continue;
        shown->processes[thread->process] = true;
        if (deadlocks->of_thread[i] != WAIT_GRAPH_NONE)
            shown->deadlocks[deadlocks->of_thread[i]] = true;
    }
    find_standstills(graph, deadlocks, is_untold, shown->standstills);
    free(is_untold);
    return STATUS_OK;
}

void deadlocks_shown_deinit(struct deadlocks_shown *shown)
{
    free(shown->deadlocks);
    free(shown->processes);
    free(shown->standstills);
}
