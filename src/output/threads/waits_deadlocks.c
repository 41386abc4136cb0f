/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"

#include "output/threads/waits_writer.h"

static const struct wait *wait_of(const struct waits_writer *w, uint32_t thread)
{
    return &w->history->waits->list[wait_graph_last(w->graph, thread)->wait];
}

/* "T1 'a' (tid 7) holds mutex x, waits for mutex y, held by T2", and in which chains. */
static enum status put_member(struct waits_writer *w, const struct deadlock *d, uint32_t number)
{
    const uint32_t *members = w->report->deadlocks->members + d->first;
    uint32_t thread = members[number], before = members[(number + d->count - 1) % d->count];
    uint32_t process = w->history->threads[thread].process;
    const struct wait *held = wait_of(w, before), *wait = wait_of(w, thread);
    uint32_t node = held->object == WAIT_NONE ? WAIT_GRAPH_NONE
                                              : wait_graph_node(w->graph, process, held->object);
    const struct hold_edge *hold =
        node == WAIT_GRAPH_NONE ? NULL : waits_find_hold(w, node, thread);
    char label[64];
    enum status status;

    snprintf(label, sizeof(label), "T%" PRIu32, number + 1);
    report_text_begin(&w->text, 2, 8);
    report_text_put(&w->text, "", label);
    status = waits_put_thread(w, " ", thread);
    if (status == STATUS_OK && held->kind != WAIT_JOIN && held->object != WAIT_NONE) {
        report_text_put(&w->text, " ", "holds");
        status = waits_put_node_name(w, " ", held->object);
        if (held->owner_evidence == WAIT_INFERRED)
            report_text_put(&w->text, " ", "[inferred]");
        report_text_put(&w->text, "", ",");
    }
    report_text_put(&w->text, " ", "waits for");
    if (status == STATUS_OK)
        status = waits_put_object(w, " ", wait->kind, wait->object);
    if (wait->kind_evidence == WAIT_INFERRED)
        report_text_put(&w->text, " ", "[kind inferred]");
    snprintf(label, sizeof(label), "%s T%" PRIu32,
             wait->kind == WAIT_JOIN ? "the end of" : "held by", (number + 1) % d->count + 1);
    report_text_put(&w->text, ", ", label);
    report_text_end(&w->text);
    if (status == STATUS_OK)
        status = waits_put_known(w, "waits in:", thread, wait_graph_last(w->graph, thread)->chain);
    if (status == STATUS_OK && hold && held->kind != WAIT_JOIN)
        status = waits_put_known(w, "took in:", thread, hold->take_chain);
    return status;
}

static const char *certainty(const struct deadlock *d)
{
    if (!d->proved)
        return "Possible deadlock";
    if (d->timed)
        return "Temporary deadlock";
    return d->inferred ? "Likely deadlock" : "Deadlock";
}

static void put_evidence(struct waits_writer *w, const struct deadlock *d)
{
    const struct history_thread *first =
        &w->history->threads[w->report->deadlocks->members[d->first]];
    bool moment = w->history->processes[first->process].one_moment;

    report_text_begin(&w->text, 2, 2);
    if (!d->proved && w->has_times)
        waits_put_sentence(w, "they were not seen blocked for so long that it had to be at one "
                              "moment, and it may have been over: capture for longer, or with "
                              "--together");
    else if (!d->proved)
        waits_put_sentence(w, "seen in one look, not at one moment, so that it may have been over: "
                              "capture for a second or more, or with --together");
    else if (moment)
        waits_put_sentence(w, "all of one moment, as the core has it");
    else
        waits_put_sentence(w,
                           "all were blocked at the same time, and are so when the capture ends");
    if (d->inferred)
        report_text_put(&w->text, "; ", "an owner is inferred, not read off its lock");
    if (d->timed)
        report_text_put(&w->text, "; ", "a wait has a time limit, at which it ends by itself");
    report_text_end(&w->text);
}

static enum status put_deadlock(struct waits_writer *w, const struct deadlock *d)
{
    uint32_t first = w->report->deadlocks->members[d->first];
    uint64_t last_ns = history_last_ns(w->history, w->history->threads[first].process);
    char time[AMOUNT_TEXT_MAX];
    enum status status = STATUS_OK;

    if (d->count == 1)
        fprintf(w->out, "%s: a thread waits for what it holds itself", certainty(d));
    else
        fprintf(w->out, "%s: %" PRIu32 " threads wait for one another", certainty(d), d->count);
    if (w->has_times)
        fprintf(w->out, ", for %s", amount_weight(time, WEIGHT_WALL, last_ns - d->since_ns));
    fputc('\n', w->out);
    put_evidence(w, d);
    for (uint32_t i = 0; i < d->count && status == STATUS_OK; i++)
        status = put_member(w, d, i);
    if (d->behind)
        fprintf(w->out, "  %" PRIu32 " more thread%s wait%s for them.\n", d->behind,
                plural(d->behind), d->behind == 1 ? "s" : "");
    fputc('\n', w->out);
    return status;
}

/* What a thread that is shown is in, or waits for. */
struct shown {
    bool *deadlocks, *processes; /* owned */
};

static enum status find_shown(const struct waits_writer *w, struct shown *shown)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;

    shown->deadlocks = calloc(deadlocks->count + 1, sizeof(*shown->deadlocks));
    shown->processes = calloc(w->history->process_count + 1, sizeof(*shown->processes));
    if (!shown->deadlocks || !shown->processes)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < w->history->thread_count; i++) {
        if (!waits_shows_thread(w, i))
            continue;
        shown->processes[w->history->threads[i].process] = true;
        if (deadlocks->of_thread[i] != WAIT_GRAPH_NONE)
            shown->deadlocks[deadlocks->of_thread[i]] = true;
    }
    return STATUS_OK;
}

/* Processes of which not each thread is in a deadlock, or waits for one, which says it all. */
static bool *find_unknown(const struct waits_writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    bool *untold = calloc(w->history->process_count + 1, sizeof(*untold));

    for (uint32_t i = 0; untold && i < w->history->thread_count; i++)
        if (!w->history->threads[i].end_ns && (deadlocks->of_thread[i] == WAIT_GRAPH_NONE ||
                                               !deadlocks->list[deadlocks->of_thread[i]].proved))
            untold[w->history->threads[i].process] = true;
    return untold;
}

static void put_standstill(struct waits_writer *w, const struct standstill *still)
{
    const char *name = !still->locks_only ? "Standstill"
                       : still->inferred  ? "Likely deadlock"
                                          : "Deadlock";
    uint32_t pid = w->history->processes[still->process].pid;

    if (still->thread_count == 1)
        fprintf(w->out,
                "%s: the only thread of process %" PRIu32 " waits for what it alone gives\n", name,
                pid);
    else
        fprintf(w->out, "%s: all %" PRIu32 " threads of process %" PRIu32 " wait for %s\n", name,
                still->thread_count, pid,
                still->locks_only ? "one another" : "what only one of themselves gives");
    report_text_begin(&w->text, 2, 2);
    if (still->locks_only && still->thread_count > 1)
        waits_put_sentence(
            w, "some of them hold what others wait for, and nothing tells which; who waits "
               "for what is below;");
    waits_put_sentence(w, still->thread_count > 1 ? "none can" : "it cannot");
    waits_put_sentence(w, "go on, but by a signal handler, or another process that shares an "
                          "object with it");
    if (still->inferred)
        report_text_put(&w->text, "; ", "what kind of object one of them waits for is inferred");
    report_text_end(&w->text);
    fputc('\n', w->out);
}

enum status waits_put_deadlocks(struct waits_writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    struct shown shown = {NULL, NULL};
    bool *untold = find_unknown(w), any = false, hidden = false;
    enum status status = untold ? find_shown(w, &shown) : STATUS_NO_MEMORY;

    for (size_t i = 0; i < deadlocks->count && status == STATUS_OK; i++) {
        hidden |= !shown.deadlocks[i];
        any |= shown.deadlocks[i];
        if (shown.deadlocks[i])
            status = put_deadlock(w, &deadlocks->list[i]);
    }
    for (size_t i = 0; i < deadlocks->standstill_count && status == STATUS_OK; i++) {
        const struct standstill *still = &deadlocks->standstills[i];

        if (!untold[still->process])
            continue;
        hidden |= still->locks_only && !shown.processes[still->process];
        any |= still->locks_only && shown.processes[still->process];
        if (shown.processes[still->process])
            put_standstill(w, still);
    }
    if (!any && status == STATUS_OK)
        fputs(hidden ? "No deadlock of the threads that are shown.\n\n"
                     : "No deadlock was found.\n\n",
              w->out);
    free(untold);
    free(shown.deadlocks);
    free(shown.processes);
    return status;
}
