/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "output/threads/waits_writer.h"

/* Threads that wait for one thing in one chain are told as one. */
struct blocked {
    uint32_t thread;         /* the first of them */
    uint32_t chain, process; /* of all */
    uint32_t wait, owner;
    uint32_t count;
    uint64_t since_ns; /* the earliest */
};

static int compare_blocked(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    if (ba->process != bb->process)
        return ba->process < bb->process ? -1 : 1;
    if (ba->wait != bb->wait)
        return ba->wait < bb->wait ? -1 : 1;
    if (ba->chain != bb->chain)
        return ba->chain < bb->chain ? -1 : 1;
    if (ba->owner != bb->owner)
        return ba->owner < bb->owner ? -1 : 1;
    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

static int compare_first(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

/* Who holds it was read last by this thread or by another that waits there as well. */
static void note_owner(const struct waits_writer *w, struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    uint32_t node = wait_graph_node(w->graph, b->process, wait->object);
    const struct span *end = node == WAIT_GRAPH_NONE ? NULL : w->graph->nodes[node].end_span;

    if (!w->has_times || !end || w->history->waits->list[end->wait].kind != wait->kind)
        return;
    /* Between two owners there is none: that is no news. Readers are. */
    if (w->graph->nodes[node].end_owner == HISTORY_NONE &&
        !w->history->waits->list[end->wait].readers)
        return;
    b->wait = end->wait;
    b->owner = w->graph->nodes[node].end_owner;
}

static size_t collect_blocked(const struct waits_writer *w, struct blocked *list)
{
    size_t count = 0, groups = 0;

    for (uint32_t i = 0; i < w->history->thread_count; i++) {
        const struct span *span = wait_graph_last(w->graph, i);

        if (!span || w->history->waits->list[span->wait].kind > WAIT_FUTEX ||
            !waits_shows_thread(w, i))
            continue;
        list[count++] = (struct blocked){.thread = i,
                                         .process = w->history->threads[i].process,
                                         .chain = span->chain,
                                         .wait = span->wait,
                                         .owner = w->report->deadlocks->owner[i],
                                         .count = 1,
                                         .since_ns = wait_graph_since(w->graph, i)};
        note_owner(w, &list[count - 1]);
    }
    qsort(list, count, sizeof(*list), compare_blocked);
    for (size_t i = 0; i < count; i++) {
        struct blocked *group = groups ? &list[groups - 1] : NULL;

        if (group && group->process == list[i].process && group->wait == list[i].wait &&
            group->chain == list[i].chain && group->owner == list[i].owner) {
            group->count++;
            if (list[i].since_ns < group->since_ns)
                group->since_ns = list[i].since_ns;
        } else {
            list[groups++] = list[i];
        }
    }
    qsort(list, groups, sizeof(*list), compare_first);
    return groups;
}

/* It has not gone on since its first sample, which was there when the capture began. */
static bool waits_always(const struct waits_writer *w, const struct blocked *b)
{
    const struct history_thread *thread = &w->history->threads[b->thread];

    return w->has_times && b->count == 1 && thread->found_running &&
           b->since_ns == thread->spans[0].start_ns;
}

static void put_since(struct waits_writer *w, const struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    char words[AMOUNT_TEXT_MAX + 80], buffer[AMOUNT_TEXT_MAX];
    const char *time;

    if (!w->has_times)
        return;
    time =
        amount_weight(buffer, WEIGHT_WALL, history_last_ns(w->history, b->process) - b->since_ns);
    if (!waits_always(w, b))
        snprintf(words, sizeof(words), "%s%s", b->count > 1 ? "up to " : "for ", time);
    else if (wait->kind == WAIT_CONDITION || wait->kind == WAIT_SEMAPHORE)
        snprintf(words, sizeof(words), "for all of the capture (%s): nothing has woken it", time);
    else
        snprintf(words, sizeof(words), "for all of the capture (%s)", time);
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
    struct blocked *list = calloc(w->history->thread_count + 1, sizeof(*list));
    size_t count = list ? collect_blocked(w, list) : 0;
    enum status status = list ? STATUS_OK : STATUS_NO_MEMORY;

    if (count)
        fputs(w->has_times ? "Blocked when the capture ends\n" : "Blocked\n", w->out);
    for (size_t i = 0; i < count && i < WAITS_REPORT_BLOCKED_MAX && status == STATUS_OK; i++)
        status = put_blocked(w, &list[i]);
    if (count > WAITS_REPORT_BLOCKED_MAX)
        fprintf(w->out, "  ... and %zu more\n", count - WAITS_REPORT_BLOCKED_MAX);
    if (count)
        fputc('\n', w->out);
    free(list);
    return status;
}
