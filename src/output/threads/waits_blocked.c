/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "output/threads/waits_writer.h"
#include "threads/blocking/blocked.h"

static void put_since(struct waits_writer *w, const struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    /* A task may have gone on, and wait again with the same stack. */
    const bool is_sure = !w->history->threads[b->thread].task.is_known;
    char words[AMOUNT_TEXT_MAX + 80], buffer[AMOUNT_TEXT_MAX];
    const char *time;

    if (!w->has_times)
        return;
    time =
        amount_weight(buffer, WEIGHT_WALL, history_last_ns(w->history, b->process) - b->since_ns);
    if (!blocked_always(w->graph, b))
        snprintf(words, sizeof(words), "%s%s", b->count > 1 ? "up to " : "for ", time);
    else if (wait->kind == WAIT_CONDITION || wait->kind == WAIT_SEMAPHORE)
        snprintf(words, sizeof(words), "for all of the capture (%s): nothing %s woken it", time,
                 is_sure ? "has" : "is seen to have");
    else
        snprintf(words, sizeof(words), "for all of the capture (%s)%s", time,
                 is_sure ? "" : ", as far as is seen");
    report_text_put(&w->text, ", ", words);
}

static enum status put_blocked(struct waits_writer *w, const struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    char more[32];
    enum status status;

    report_text_begin(&w->text, 2, 6);
    status = waits_put_thread(w, "", b->thread);
    if (b->count > 1) {
        snprintf(more, sizeof(more), "and %" PRIu32 " more", b->count - 1);
        report_text_put(&w->text, " ", more);
    }
    if (status == STATUS_OK)
        status = waits_put_object(w, ": ", wait->kind, wait->object);
    if (wait->kind_evidence == WAIT_INFERRED)
        report_text_put(&w->text, " ", "[kind inferred]");
    if (status == STATUS_OK)
        status = waits_put_words(w, ", ", wait_words_holder(&w->report->words, wait, b->owner));
    put_since(w, b);
    report_text_end(&w->text);
    return status == STATUS_OK ? waits_put_unknown(w, 6, "in:", b->thread, b->chain) : status;
}

enum status waits_put_blocked(struct waits_writer *w)
{
    struct blocked_list found;
    enum status status = blocked_find(w->graph, w->report->deadlocks, w->report->filter, &found);

    if (found.count)
        fputs(w->has_times ? "Blocked when the capture ends\n" : "Blocked\n", w->out);
    for (size_t i = 0; i < found.count && i < WAITS_REPORT_BLOCKED_MAX && status == STATUS_OK; i++)
        status = put_blocked(w, &found.list[i]);
    if (found.count > WAITS_REPORT_BLOCKED_MAX)
        fprintf(w->out, "  ... and %zu more\n", found.count - WAITS_REPORT_BLOCKED_MAX);
    if (found.count)
        fputc('\n', w->out);
    blocked_list_deinit(&found);
    return status;
}
