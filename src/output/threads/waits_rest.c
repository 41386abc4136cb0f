/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/vec.h"
#include "output/threads/waits_writer.h"

struct kind_sum {
    uint64_t ns;
    uint32_t threads, last_thread; /* last_thread + 1 */
};

/* Threads of one identity that wait in one chain. */
struct rest_place {
    enum wait_kind kind;
    uint32_t chain, thread; /* of the first of these threads */
    struct kind_sum sum;
};

struct rest { /* waits that no thread ends */
    struct kind_sum sums[WAIT_KIND_COUNT];
    struct rest_place *places; /* owned */
    size_t count, cap;
    struct map by_place; /* kind, identity and chain -> index into places */
};

static void add_waited(struct kind_sum *sum, uint32_t thread, uint64_t ns)
{
    sum->threads += sum->last_thread != thread + 1;
    sum->last_thread = thread + 1;
    sum->ns = weight_add(sum->ns, ns);
}

static enum status take_span(const struct waits_writer *w, struct rest *rest, uint32_t thread,
                             size_t place)
{
    const struct span *span = &w->history->threads[thread].spans[place];
    const uint64_t ns = wait_graph_waited(w->graph, thread, place).ns;
    const struct identities *identities = w->report->words.identities;
    enum wait_kind kind = w->history->waits->list[span->wait].kind;
    uint32_t identity = identities ? identities->of_thread[thread] : 0;
    uint64_t key = keyed_words((uint64_t)kind << 32 | identity, span->chain), *known;

    if (wait_is_for_threads(kind))
        return STATUS_OK;
    known = map_put(&rest->by_place, key, rest->count);
    if (!known ||
        vec_reserve(&rest->places, &rest->cap, rest->count + 1, sizeof(*rest->places)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (*known == rest->count)
        rest->places[rest->count++] =
            (struct rest_place){.kind = kind, .chain = span->chain, .thread = thread};
    add_waited(&rest->places[*known].sum, thread, ns);
    add_waited(&rest->sums[kind], thread, ns);
    return STATUS_OK;
}

/* By kind, then time (greatest first), then threads. */
static int compare_places(const void *a, const void *b)
{
    const struct rest_place *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->sum.ns != y->sum.ns)
        return x->sum.ns > y->sum.ns ? -1 : 1;
    if (x->sum.threads != y->sum.threads)
        return x->sum.threads > y->sum.threads ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->chain < y->chain ? -1 : x->chain > y->chain;
}

static enum status find_rest(const struct waits_writer *w, struct rest *rest)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < w->history->thread_count; i++) {
        const struct history_thread *thread = &w->history->threads[i];

        if (!waits_shows_thread(w, i))
            continue;
        for (size_t s = 0; s < thread->span_count && status == STATUS_OK; s++)
            if (thread->spans[s].wait != WAIT_NONE)
                status = take_span(w, rest, i, s);
    }
    if (rest->count)
        qsort(rest->places, rest->count, sizeof(*rest->places), compare_places);
    return status;
}

static void put_time(struct waits_writer *w, uint64_t ns)
{
    char time[AMOUNT_TEXT_MAX];

    if (w->has_times)
        report_text_put(&w->text, ", ", amount_weight(time, WEIGHT_WALL, ns));
}

/* Writes the line of a kind, with its sums and the objects with the most time. */
static enum status put_kind(struct waits_writer *w, enum wait_kind kind, const struct kind_sum *sum)
{
    char words[AMOUNT_TEXT_MAX + 96];
    enum status status = STATUS_OK;
    unsigned named = 0;

    report_text_begin(&w->text, 2, 6);
    snprintf(words, sizeof(words), "%-12s %" PRIu32 " thread%s", wait_kind_name(kind), sum->threads,
             sum->threads == 1 ? "" : "s");
    report_text_put(&w->text, "", words);
    put_time(w, sum->ns);
    for (size_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++) {
        const struct wait_node *node = &w->graph->nodes[i];

        if (waits_node_kind(w, node) != kind || !waits_shows_node(w, node))
            continue;
        if (++named > WAITS_REPORT_NAMED_MAX) {
            report_text_put(&w->text, ", ", "...");
            break;
        }
        status = waits_put_node_name(w, named == 1 ? ": " : ", ", node->object);
    }
    report_text_end(&w->text);
    return status;
}

static enum status put_place(struct waits_writer *w, const struct rest_place *place)
{
    char more[32];
    enum status status;

    report_text_begin(&w->text, 4, 8);
    status = waits_put_thread(w, "", place->thread);
    if (place->sum.threads > 1) {
        snprintf(more, sizeof(more), "and %" PRIu32 " more", place->sum.threads - 1);
        report_text_put(&w->text, " ", more);
    }
    put_time(w, place->sum.ns);
    report_text_end(&w->text);
    return status == STATUS_OK ? waits_put_chain(w, 6, "waits in:", place->thread, place->chain)
                               : status;
}

/* Writes the places of a kind. */
static enum status put_places(struct waits_writer *w, const struct rest_place *list, size_t count)
{
    size_t most =
        w->report->words.whole_chains ? WAITS_REPORT_BLOCKED_MAX : WAITS_REPORT_PLACES_MAX;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && i < most && status == STATUS_OK; i++)
        status = put_place(w, &list[i]);
    if (count > most)
        fprintf(w->out, "    ... and %zu more\n", count - most);
    return status;
}

static enum status put_all(struct waits_writer *w, const struct rest *rest)
{
    enum status status = STATUS_OK;
    size_t end;

    if (rest->count)
        fputs("Waited for the world outside\n", w->out);
    for (size_t i = 0; i < rest->count && status == STATUS_OK; i = end) {
        enum wait_kind kind = rest->places[i].kind;

        for (end = i; end < rest->count && rest->places[end].kind == kind; end++)
            ;
        status = put_kind(w, kind, &rest->sums[kind]);
        if (status == STATUS_OK)
            status = put_places(w, &rest->places[i], end - i);
    }
    if (rest->count)
        fputc('\n', w->out);
    return status;
}

enum status waits_put_rest(struct waits_writer *w)
{
    struct rest rest = {.count = 0};
    enum status status = find_rest(w, &rest);

    if (status == STATUS_OK)
        status = put_all(w, &rest);
    map_deinit(&rest.by_place);
    free(rest.places);
    return status;
}
