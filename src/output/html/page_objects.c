/* SPDX-License-Identifier: MIT */
#include "output/html/page_text.h"
#include "output/html/page_waits.h"

uint32_t page_waits_object(const struct page_waits *waits, uint32_t thread, uint32_t object)
{
    const struct history *history = waits->output->history;
    uint32_t node;

    if (object == WAIT_NONE)
        return PAGE_NONE;
    node = wait_graph_node(waits->found->graph, history->threads[thread].process, object);
    return node < PAGE_OBJECTS_MAX ? node : PAGE_NONE;
}

const char *page_waits_group(enum wait_kind kind)
{
    return wait_is_lock(kind) ? "lock" : wait_is_for_threads(kind) ? "threads" : "outside";
}

static void put_waiters(const struct page_waits *waits, const struct wait_node *node,
                        struct json_line *line)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < node->wait_count && i < PAGE_EDGES_MAX; i++) {
        const struct wait_edge *edge = &waits->found->graph->waits[node->first_wait + i];
        struct json_line waiter = json_line_begin(NULL);

        page_waits_put_thread(waits, &waiter, "thread", edge->thread);
        page_put_taken(&waiter, "text", wait_words_thread(&waits->found->words, edge->thread));
        json_line_put(&waiter, "waits", json_of_number(edge->count));
        json_line_put(&waiter, "waited_ns", json_of_number(edge->wait_ns));
        json_line_put(&waiter, "longest_ns", json_of_number(edge->longest_ns));
        if (edge->at_end)
            json_line_put(&waiter, "at_end", json_true());
        page_put_chain(&waiter, "chain", &waits->found->words, edge->chain);
        page_append_line(line, list, &waiter);
    }
    json_line_put(line, "waiters", list);
}

static void put_holders(const struct page_waits *waits, const struct wait_node *node,
                        struct json_line *line)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < node->hold_count && i < PAGE_EDGES_MAX; i++) {
        const struct hold_edge *hold = &waits->found->graph->holds[node->first_hold + i];
        struct json_line holder = json_line_begin(NULL);

        page_waits_put_thread(waits, &holder, "thread", hold->thread);
        page_put_taken(&holder, "text", wait_words_thread(&waits->found->words, hold->thread));
        json_line_put(&holder, "held_ns", json_of_number(hold->held_ns));
        if (hold->inferred)
            json_line_put(&holder, "inferred", json_true());
        page_put_chain(&holder, "took", &waits->found->words, hold->take_chain);
        page_put_chain(&holder, "does", &waits->found->words, hold->chain);
        page_append_line(line, list, &holder);
    }
    json_line_put(line, "holders", list);
}

/* Returns the doubt of the last waits, if all waiters have one; NULL: none. */
static const char *doubt_of(const struct page_waits *waits, const struct wait_node *node)
{
    const struct wait *list = waits->output->history->waits->list;
    const char *doubt = NULL;

    for (uint32_t i = 0; i < node->wait_count && !node->joined; i++) {
        doubt = list[waits->found->graph->waits[node->first_wait + i].wait].doubt;
        if (!doubt)
            return NULL;
    }
    return doubt;
}

static void put_object(const struct page_waits *waits, const struct wait_node *node,
                       struct json_line *line)
{
    const struct wait_object *object = &waits->output->history->waits->objects[node->object];
    uint64_t longest_ns = 0;

    for (uint32_t i = 0; i < node->wait_count; i++) {
        const uint64_t ns = waits->found->graph->waits[node->first_wait + i].longest_ns;

        longest_ns = ns > longest_ns ? ns : longest_ns;
    }
    json_line_put(line, "kind", json_string(wait_kind_name(object->kind)));
    json_line_put(line, "group", json_string(page_waits_group(object->kind)));
    page_put_taken(line, "name", wait_words_nodes(&waits->found->words, node));
    page_put_text(line, "detail", object->detail);
    page_put_text(line, "doubt", doubt_of(waits, node));
    json_line_put(line, "pid", json_of_number(object->pid));
    json_line_put(line, "waited_ns", json_of_number(node->wait_ns));
    json_line_put(line, "longest_ns", json_of_number(longest_ns));
    json_line_put(line, "waits", json_of_number(node->waits));
    if (node->all_seen)
        json_line_put(line, "all_seen", json_true());
    json_line_put(line, "threads", json_of_number(node->wait_count));
    json_line_put(line, "at_once", json_of_number(node->waiters_max));
    json_line_put(line, "still", json_of_number(node->waiters_end));
    page_waits_put_thread(waits, line, "owner", node->end_owner);
    json_line_put(line, "held_by", json_of_number(node->hold_count));
    put_waiters(waits, node, line);
    put_holders(waits, node, line);
}

void page_waits_put_objects(const struct page_waits *waits, struct json_line *head)
{
    const struct wait_graph *graph = waits->found->graph;
    json_t *list = json_array();

    for (size_t i = 0; i < graph->node_count && i < PAGE_OBJECTS_MAX; i++) {
        struct json_line line = json_line_begin(NULL);

        put_object(waits, &graph->nodes[i], &line);
        page_append_line(head, list, &line);
    }
    json_line_put(head, "objects", list);
    if (graph->node_count > PAGE_OBJECTS_MAX)
        json_line_put(head, "objects_left_out",
                      json_of_number(graph->node_count - PAGE_OBJECTS_MAX));
}
