#include <inttypes.h>
#include <stdlib.h>

#include "threads/waits_writer.h"

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
        status = waits_put_told(w, "waits in:", thread, wait_graph_last(w->graph, thread)->chain);
    if (status == STATUS_OK && hold && held->kind != WAIT_JOIN)
        status = waits_put_told(w, "took in:", thread, hold->take_chain);
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
    char time[TEXT_NUMBER_MAX];
    enum status status = STATUS_OK;

    if (d->count == 1)
        fprintf(w->out, "%s: a thread waits for what it holds itself", certainty(d));
    else
        fprintf(w->out, "%s: %" PRIu32 " threads wait for one another", certainty(d), d->count);
    if (w->has_times)
        fprintf(w->out, ", for %s", waits_time_text(time, last_ns - d->since_ns));
    fputc('\n', w->out);
    put_evidence(w, d);
    for (uint32_t i = 0; i < d->count && status == STATUS_OK; i++)
        status = put_member(w, d, i);
    if (d->behind)
        fprintf(w->out, "  %" PRIu32 " more thread%s wait%s for them.\n", d->behind,
                d->behind == 1 ? "" : "s", d->behind == 1 ? "s" : "");
    fputc('\n', w->out);
    return status;
}

static bool shows_deadlock(const struct waits_writer *w, const struct deadlock *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (waits_shows_thread(w, w->report->deadlocks->members[d->first + i]))
            return true;
    return false;
}

/* Processes of which not each thread is in a deadlock, or waits for one, which says it all. */
static bool *find_untold(const struct waits_writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    bool *untold = calloc(w->history->process_count + 1, sizeof(*untold));

    for (uint32_t i = 0; untold && i < w->history->thread_count; i++)
        if (!w->history->threads[i].end_ns && (deadlocks->of_thread[i] == WAIT_GRAPH_NONE ||
                                               !deadlocks->list[deadlocks->of_thread[i]].proved))
            untold[w->history->threads[i].process] = true;
    return untold;
}

static const char *standstill_name(const struct standstill *still, bool one_moment)
{
    if (!still->locks_only)
        return "Standstill";
    return one_moment ? "Deadlock" : "Likely deadlock";
}

static void put_standstill(struct waits_writer *w, const struct standstill *still)
{
    const struct history_process *process = &w->history->processes[still->process];

    fprintf(w->out, "%s: %s%" PRIu32 " thread%s of process %" PRIu32 " wait%s for %s\n",
            standstill_name(still, process->one_moment), still->thread_count > 1 ? "all " : "the ",
            still->thread_count, still->thread_count > 1 ? "s" : "", process->pid,
            still->thread_count > 1 ? "" : "s",
            still->locks_only ? "one another" : "what only one of themselves gives");
    report_text_begin(&w->text, 2, 2);
    if (still->locks_only)
        waits_put_sentence(
            w, "some of them hold what others wait for, and nothing tells which; who waits "
               "for what is below;");
    waits_put_sentence(w,
                       "none can go on, but by a signal handler, or another process that shares an "
                       "object with it");
    if (!process->one_moment)
        report_text_put(&w->text, "; ", "if the capture has all threads of the process");
    report_text_end(&w->text);
    fputc('\n', w->out);
}

enum status waits_put_deadlocks(struct waits_writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    bool *untold = find_untold(w), any = false;
    enum status status = untold ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < deadlocks->count && status == STATUS_OK; i++) {
        if (!shows_deadlock(w, &deadlocks->list[i]))
            continue;
        any = true;
        status = put_deadlock(w, &deadlocks->list[i]);
    }
    for (size_t i = 0; untold && i < deadlocks->standstill_count; i++) {
        const struct standstill *still = &deadlocks->standstills[i];

        if (!untold[still->process])
            continue;
        any |= still->locks_only;
        put_standstill(w, still);
    }
    if (!any)
        fputs("No deadlock was found.\n\n", w->out);
    free(untold);
    return status;
}
