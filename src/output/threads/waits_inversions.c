/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "output/threads/waits_writer.h"
#include "threads/blocking/inversion.h"

static enum status put_thread(struct waits_writer *w, const char *gap, uint32_t thread)
{
    const struct history_task *task = &w->history->threads[thread].task;
    char words[32];
    enum status status = waits_put_thread(w, gap, thread);

    snprintf(words, sizeof(words), "of priority %" PRId32, task->own_priority);
    report_text_put(&w->text, " ", words);
    return status;
}

/* Writes what the holder does instead of running, and whether its priority was raised. */
static enum status put_holder(struct waits_writer *w, const struct inversion *inversion)
{
    const struct history_thread *holder = &w->history->threads[inversion->holder];
    const struct span *last = wait_graph_last(w->graph, inversion->holder);
    const struct wait *wait = last ? wait_graph_wait(w->graph, last) : NULL;
    enum status status = STATUS_OK;
    char words[64];

    report_text_begin(&w->text, 4, 8);
    if (inversion->is_raised && holder->task.priority != holder->task.own_priority)
        snprintf(words, sizeof(words), "the holder was raised to priority %" PRId32,
                 holder->task.priority);
    else
        snprintf(words, sizeof(words), "the holder was not raised");
    waits_put_sentence(w, words);
    if (wait) {
        report_text_put(&w->text, ", ", "and waits for");
        status = waits_put_object(w, " ", wait->kind, wait->object);
    }
    report_text_end(&w->text);
    return status;
}

static enum status put_inversion(struct waits_writer *w, const struct inversion *inversion)
{
    const struct wait *wait = &w->history->waits->list[inversion->wait];
    char time[AMOUNT_TEXT_MAX], words[AMOUNT_TEXT_MAX + 16];
    enum status status;

    report_text_begin(&w->text, 2, 6);
    status = put_thread(w, "", inversion->waiter);
    report_text_put(&w->text, " ", "waits for");
    if (status == STATUS_OK)
        status = waits_put_object(w, " ", wait->kind, wait->object);
    report_text_put(&w->text, ", ", "held by");
    if (status == STATUS_OK)
        status = put_thread(w, " ", inversion->holder);
    report_text_put(&w->text, ", ", "while");
    if (status == STATUS_OK)
        status = put_thread(w, " ", inversion->runner);
    report_text_put(&w->text, " ", "runs");
    if (w->has_times) {
        snprintf(words, sizeof(words), "for %s", amount_weight(time, WEIGHT_WALL, inversion->ns));
        report_text_put(&w->text, " ", words);
    }
    report_text_end(&w->text);
    return status == STATUS_OK ? put_holder(w, inversion) : status;
}

enum status waits_put_inversions(struct waits_writer *w)
{
    struct inversions inversions;
    enum status status = inversions_find(w->graph, &inversions);
    bool any = false;

    for (size_t i = 0; i < inversions.count && status == STATUS_OK; i++) {
        const struct inversion *inversion = &inversions.list[i];

        if (!waits_shows_thread(w, inversion->waiter) &&
            !waits_shows_thread(w, inversion->holder) && !waits_shows_thread(w, inversion->runner))
            continue;
        if (!any)
            fputs("Priority inversions\n", w->out);
        any = true;
        status = put_inversion(w, inversion);
    }
    if (inversions.is_cut)
        fprintf(w->out, "%sThere are too many to look at all: some may be left out.\n",
                any ? "  " : "Priority inversions\n  ");
    if (any || inversions.is_cut)
        fputc('\n', w->out);
    return status;
}
