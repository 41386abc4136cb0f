/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "output/html/page_text.h"
#include "output/html/page_waits.h"
#include "threads/blocking/deadlock_words.h"

static const struct wait *wait_of(const struct page_waits *waits, uint32_t thread)
{
    const struct span *span = wait_graph_last(waits->found->graph, thread);

    return &waits->output->history->waits->list[span->wait];
}

static const struct hold_edge *find_hold(const struct wait_graph *graph, uint32_t node,
                                         uint32_t thread)
{
    for (uint32_t i = 0; node != WAIT_GRAPH_NONE && i < graph->nodes[node].hold_count; i++)
        if (graph->holds[graph->nodes[node].first_hold + i].thread == thread)
            return &graph->holds[graph->nodes[node].first_hold + i];
    return NULL;
}

static void put_object(const struct page_waits *waits, struct json_line *line, const char *key,
                       uint32_t thread, uint32_t object)
{
    const uint32_t number = page_waits_object(waits, thread, object);

    if (number != PAGE_NONE)
        json_line_put(line, key, json_integer(number));
}

/* Puts the object that the thread holds: the one that the thread before waits for. */
static void put_held(const struct page_waits *waits, uint32_t thread, const struct wait *held,
                     struct json_line *line)
{
    const struct wait_graph *graph = waits->found->graph;
    const uint32_t process = graph->history->threads[thread].process;
    const struct hold_edge *hold;

    if (held->kind == WAIT_JOIN || held->object == WAIT_NONE)
        return;
    put_object(waits, line, "held", thread, held->object);
    page_put_taken(line, "held_text", wait_words_node(&waits->found->words, held->object));
    if (held->owner_evidence == WAIT_INFERRED)
        json_line_put(line, "held_inferred", json_true());
    hold = find_hold(graph, wait_graph_node(graph, process, held->object), thread);
    if (hold)
        page_put_chain(line, "took", &waits->found->words, hold->take_chain);
}

static void put_member(const struct page_waits *waits, const struct deadlock *d, uint32_t number,
                       struct json_line *line)
{
    const uint32_t *members = waits->found->deadlocks->members + d->first;
    const uint32_t thread = members[number];
    const struct wait *wait = wait_of(waits, thread);

    page_waits_put_thread(waits, line, "thread", thread);
    page_put_taken(line, "text", wait_words_thread(&waits->found->words, thread));
    put_held(waits, thread, wait_of(waits, members[(number + d->count - 1) % d->count]), line);
    put_object(waits, line, "object", thread, wait->object);
    page_put_taken(line, "object_text",
                   wait_words_object(&waits->found->words, wait->kind, wait->object));
    if (wait->kind_evidence == WAIT_INFERRED)
        json_line_put(line, "kind_inferred", json_true());
    json_line_put(line, "holder_step", json_integer((number + 1) % d->count));
    page_waits_put_thread(waits, line, "holder", members[(number + 1) % d->count]);
    page_put_chain(line, "chain", &waits->found->words,
                   wait_graph_last(waits->found->graph, thread)->chain);
}

/* Puts the evidence as one text. */
static void put_evidence(struct json_line *line, const struct deadlock_evidence *evidence)
{
    char *text = NULL;

    if (asprintf(&text, "%s%s%s%s%s", evidence->seen, evidence->inferred ? "; " : "",
                 evidence->inferred ? evidence->inferred : "", evidence->timed ? "; " : "",
                 evidence->timed ? evidence->timed : "") < 0)
        text = NULL;
    page_put_taken(line, "evidence", text);
}

static void put_deadlock(const struct page_waits *waits, const struct deadlock *d,
                         struct json_line *line)
{
    const struct wait_graph *graph = waits->found->graph;
    const struct deadlocks *deadlocks = waits->found->deadlocks;
    const struct deadlock_evidence evidence = deadlock_evidence(graph, deadlocks, d);
    const uint32_t process = graph->history->threads[deadlocks->members[d->first]].process;
    char text[DEADLOCK_TEXT_MAX];
    json_t *steps = json_array();

    json_line_put(line, "certain", json_boolean(d->proved && !d->inferred && !d->timed));
    json_line_put(line, "title", json_of_text(deadlock_title(text, graph, deadlocks, d)));
    put_evidence(line, &evidence);
    if (history_has_times(graph->history))
        json_line_put(line, "since_ns",
                      json_of_number(
                          history_since_zero(waits->output->history, process, d->since_ns)));
    page_put_number(line, "behind", d->behind);
    for (uint32_t i = 0; i < d->count; i++) {
        struct json_line step = json_line_begin(NULL);

        put_member(waits, d, i, &step);
        page_append_line(line, steps, &step);
    }
    json_line_put(line, "steps", steps);
}

static void put_standstill(const struct page_waits *waits, const struct standstill *still,
                           struct json_line *line)
{
    const struct wait_graph *graph = waits->found->graph;
    struct deadlock_evidence evidence;
    char text[DEADLOCK_TEXT_MAX];

    json_line_put(line, "certain", json_boolean(still->locks_only && !still->inferred));
    json_line_put(line, "standstill", json_true());
    json_line_put(line, "title", json_of_text(standstill_title(text, graph, still)));
    json_line_put(line, "pid", json_of_number(graph->history->processes[still->process].pid));
    evidence = standstill_evidence(text, still);
    put_evidence(line, &evidence);
    json_line_put(line, "steps", json_array());
}

enum status page_waits_put_deadlocks(const struct page_waits *waits, struct json_line *head)
{
    const struct deadlocks *deadlocks = waits->found->deadlocks;
    struct deadlocks_shown shown;
    json_t *list = json_array();
    enum status status =
        deadlocks_shown_init(&shown, waits->found->graph, deadlocks, waits->output->filter);

    for (size_t i = 0; i < deadlocks->count && status == STATUS_OK; i++) {
        struct json_line line;

        if (!shown.deadlocks[i])
            continue;
        line = json_line_begin(NULL);
        put_deadlock(waits, &deadlocks->list[i], &line);
        page_append_line(head, list, &line);
    }
    for (size_t i = 0; i < deadlocks->standstill_count && status == STATUS_OK; i++) {
        struct json_line line;

        if (!shown.standstills[i] || !shown.processes[deadlocks->standstills[i].process])
            continue;
        line = json_line_begin(NULL);
        put_standstill(waits, &deadlocks->standstills[i], &line);
        page_append_line(head, list, &line);
    }
    deadlocks_shown_deinit(&shown);
    json_line_put(head, "deadlocks", list);
    return status;
}

static void put_order(const struct page_waits *waits, const struct lock_order *order,
                      struct json_line *line)
{
    const struct wait_graph *graph = waits->found->graph;
    const struct wait_node *from = &graph->nodes[order->from], *to = &graph->nodes[order->to];
    const struct hold_edge *hold = find_hold(graph, order->from, order->thread);

    page_waits_put_thread(waits, line, "thread", order->thread);
    page_put_taken(line, "text", wait_words_thread(&waits->found->words, order->thread));
    put_object(waits, line, "held", order->thread, from->object);
    page_put_taken(line, "held_text", wait_words_node(&waits->found->words, from->object));
    put_object(waits, line, "object", order->thread, to->object);
    page_put_taken(line, "object_text", wait_words_node(&waits->found->words, to->object));
    if (history_has_times(graph->history))
        json_line_put(line, "at_ns",
                      json_of_number(history_since_zero(waits->output->history, from->process,
                                                        order->time_ns)));
    page_put_chain(line, "chain", &waits->found->words, order->chain);
    if (hold)
        page_put_chain(line, "took", &waits->found->words, hold->take_chain);
}

void page_waits_put_orders(const struct page_waits *waits, struct json_line *head)
{
    const struct lock_orders *orders = waits->found->orders;
    json_t *list = json_array();

    for (size_t i = 0; i < orders->circle_count; i++) {
        const struct lock_circle *circle = &orders->circles[i];
        struct json_line line = json_line_begin(NULL);
        json_t *steps = json_array();

        for (uint32_t s = 0; s < circle->count; s++) {
            struct json_line step = json_line_begin(NULL);

            put_order(waits, &orders->list[orders->steps[circle->first + s]], &step);
            page_append_line(&line, steps, &step);
        }
        json_line_put(&line, "steps", steps);
        page_append_line(head, list, &line);
    }
    json_line_put(head, "lock_orders", list);
}
