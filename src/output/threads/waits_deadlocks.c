/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"

#include "output/threads/waits_writer.h"
#include "threads/blocking/deadlock_words.h"

static const struct wait *wait_of(const struct waits_writer *w, uint32_t thread)
{
    return &w->history->waits->list[wait_graph_last(w->graph, thread)->wait];
}

/* Writes "T1 'a' (tid 7) holds mutex x, waits for mutex y, held by T2", and the chains. */
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
    const char *gap = " ";
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
        gap = ", ";
    }
    report_text_put(&w->text, gap, "waits for");
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

static void put_evidence(struct waits_writer *w, const struct deadlock_evidence *evidence)
{
    report_text_begin(&w->text, 2, 2);
    waits_put_sentence(w, evidence->seen);
    if (evidence->inferred)
        report_text_put(&w->text, "; ", evidence->inferred);
    if (evidence->timed)
        report_text_put(&w->text, "; ", evidence->timed);
    report_text_end(&w->text);
}

static enum status put_deadlock(struct waits_writer *w, const struct deadlock *d)
{
    const struct deadlock_evidence evidence = deadlock_evidence(w->graph, w->report->deadlocks, d);
    char text[DEADLOCK_TEXT_MAX];
    enum status status = STATUS_OK;

    fprintf(w->out, "%s\n", deadlock_title(text, w->graph, w->report->deadlocks, d));
    put_evidence(w, &evidence);
    for (uint32_t i = 0; i < d->count && status == STATUS_OK; i++)
        status = put_member(w, d, i);
    if (d->behind)
        fprintf(w->out, "  %" PRIu32 " more thread%s wait%s for them.\n", d->behind,
                plural(d->behind), d->behind == 1 ? "s" : "");
    fputc('\n', w->out);
    return status;
}

static void put_standstill(struct waits_writer *w, const struct standstill *still)
{
    struct deadlock_evidence evidence;
    char text[DEADLOCK_TEXT_MAX];

    fprintf(w->out, "%s\n", standstill_title(text, w->graph, still));
    evidence = standstill_evidence(text, still);
    put_evidence(w, &evidence);
    fputc('\n', w->out);
}

static const char *no_deadlock_text(const struct waits_writer *w, bool are_hidden)
{
    if (history_lacks_states(w->history))
        return "What threads wait for is not known: this capture does not tell whether they ran, "
               "or "
               "what they\nasked the kernel for. \"cgsnap -p PID\", on the machine itself, "
               "does.\n\n";
    return are_hidden ? "No deadlock of the threads that are shown.\n\n"
                      : "No deadlock was found.\n\n";
}

enum status waits_put_deadlocks(struct waits_writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    struct deadlocks_shown shown;
    bool any = false, hidden = false;
    enum status status = deadlocks_shown_init(&shown, w->graph, deadlocks, w->report->filter);

    for (size_t i = 0; i < deadlocks->count && status == STATUS_OK; i++) {
        hidden |= !shown.deadlocks[i];
        any |= shown.deadlocks[i];
        if (shown.deadlocks[i])
            status = put_deadlock(w, &deadlocks->list[i]);
    }
    for (size_t i = 0; i < deadlocks->standstill_count && status == STATUS_OK; i++) {
        const struct standstill *still = &deadlocks->standstills[i];

        if (!shown.standstills[i])
            continue;
        hidden |= still->locks_only && !shown.processes[still->process];
        any |= still->locks_only && shown.processes[still->process];
        if (shown.processes[still->process])
            put_standstill(w, still);
    }
    if (!any && status == STATUS_OK)
        fputs(no_deadlock_text(w, hidden), w->out);
    deadlocks_shown_deinit(&shown);
    return status;
}
