/* SPDX-License-Identifier: MIT */
#include "graph/walk.h"

#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

/* State of the path: its innermost kept step so far, and what was passed over behind it. */
struct walk_state {
    const struct view_step *top; /* NULL: none yet */
    bool gap;                    /* steps after top were passed over */
    bool low;                    /* a frame since top's was found by a weak source */
};

struct walk_entered {
    uint32_t node, edge; /* edge UINT32_MAX: none */
};

struct walk_level {
    uint32_t trie_node;
    size_t entered; /* walk.entered_count before it */
    struct walk_state before;
};

static enum status add_edge_id(struct graph_walk *walk, uint32_t from, uint32_t to, uint32_t *id)
{
    uint64_t hash = keyed_words(from, to);
    struct index_probe probe = index_find(&walk->edge_index, hash);

    while (index_next(&probe, id))
        if (walk->edges[*id].from == from && walk->edges[*id].to == to)
            return STATUS_OK;
    *id = (uint32_t)walk->edge_count;
    if (vec_reserve(&walk->edges, &walk->edge_cap, walk->edge_count + 1, sizeof(*walk->edges)) !=
            STATUS_OK ||
        index_add(&walk->edge_index, hash, *id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    walk->edges[walk->edge_count++] = (struct walk_edge){.from = from, .to = to};
    return STATUS_OK;
}

/* Most steps follow the edge that was followed last from the same caller. */
static enum status find_edge(struct graph_walk *walk, uint32_t from, uint32_t to, uint32_t *id)
{
    uint32_t *last = &walk->last_edge[from];
    enum status status;

    if (*last != UINT32_MAX && walk->edges[*last].to == to) {
        *id = *last;
        return STATUS_OK;
    }
    status = add_edge_id(walk, from, to, id);
    if (status == STATUS_OK)
        *last = *id;
    return status;
}

static enum status weigh_site(struct graph_walk *walk, uint32_t edge,
                              const struct view_step *caller, uint64_t weight)
{
    uint64_t hash = keyed_words((uint64_t)edge << 32 | caller->line, (uintptr_t)caller->file);
    struct index_probe probe = index_find(&walk->site_index, hash);
    struct walk_site *site;
    uint32_t id;

    while (index_next(&probe, &id)) {
        site = &walk->sites[id];
        if (site->edge == edge && site->line == caller->line && site->file == caller->file) {
            site->weight = weight_add(site->weight, weight);
            return STATUS_OK;
        }
    }
    id = (uint32_t)walk->site_count;
    if (vec_reserve(&walk->sites, &walk->site_cap, walk->site_count + 1, sizeof(*walk->sites)) !=
            STATUS_OK ||
        index_add(&walk->site_index, hash, id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    walk->sites[walk->site_count++] = (struct walk_site){.edge = edge,
                                                         .file = caller->file,
                                                         .line = caller->line,
                                                         .weight = weight};
    return STATUS_OK;
}

/* Enters the edge from the path's top to `to`; weighs it unless the path has it already. */
static enum status enter_edge(struct graph_walk *walk, uint32_t to, uint64_t weight, uint32_t *id)
{
    const struct walk_state *state = walk->state;
    enum status status = find_edge(walk, state->top->node, to, id);
    struct walk_edge *edge;

    if (status != STATUS_OK)
        return status;
    edge = &walk->edges[*id];
    edge->low_trust |= state->low;
    edge->direct |= !state->gap;
    if (edge->on_path++ > 0)
        return STATUS_OK;
    edge->weight = weight_add(edge->weight, weight);
    if (!walk->kept || !state->top->is_site || !state->top->file || !state->top->line)
        return STATUS_OK;
    return weigh_site(walk, *id, state->top, weight);
}

static enum status enter_step(struct graph_walk *walk, const struct view_step *step,
                              uint64_t weight)
{
    struct walk_state *state = walk->state;
    struct walk_entered entered = {.node = step->node, .edge = UINT32_MAX};
    enum status status = STATUS_OK;

    if (walk->kept && !walk->kept[step->node]) {
        state->gap = true;
        return STATUS_OK;
    }
    if (!state->top || !view_joins(walk->view, state->top->node, step->node)) {
        if (walk->has_edges && state->top && !(state->gap && state->top->node == step->node))
            status = enter_edge(walk, step->node, weight, &entered.edge);
        if (status == STATUS_OK)
            status = vec_reserve(&walk->entered, &walk->entered_cap, walk->entered_count + 1,
                                 sizeof(*walk->entered));
        if (status != STATUS_OK)
            return status;
        walk->entered[walk->entered_count++] = entered;
        if (!state->top)
            walk->begins[step->node] = weight_add(walk->begins[step->node], weight);
        if (walk->on_path[step->node]++ == 0)
            walk->total[step->node] = weight_add(walk->total[step->node], weight);
    }
    *state = (struct walk_state){.top = step};
    return STATUS_OK;
}

/*
 * Adds the calls on the path itself, not those made from it, to its last edge. A trace's frame is
 * one step at most: functions inlined at a function's entry are not looked up.
 */
static void count_calls(struct graph_walk *walk, uint32_t trie_node, const struct walk_level *level)
{
    const struct view *view = walk->view;
    uint64_t first = view->profile->first_call[trie_node];
    struct walk_edge *edge;

    if (walk->entered_count == level->entered || view->self[trie_node] == 0 ||
        walk->entered[walk->entered_count - 1].edge == UINT32_MAX)
        return;
    edge = &walk->edges[walk->entered[walk->entered_count - 1].edge];
    edge->calls = weight_add(edge->calls, view->self[trie_node]);
    if (edge->first == 0 || first < edge->first)
        edge->first = first;
}

static enum status enter(struct graph_walk *walk, uint32_t trie_node)
{
    const struct view *view = walk->view;
    uint32_t frame = view->profile->trie.nodes[trie_node].key;
    struct view_range range = view->frames[frame];
    struct walk_level level = {.trie_node = trie_node,
                               .entered = walk->entered_count,
                               .before = *walk->state};
    enum status status =
        vec_reserve(&walk->levels, &walk->level_cap, walk->level_count + 1, sizeof(*walk->levels));

    if (status != STATUS_OK)
        return status;
    walk->levels[walk->level_count++] = level;
    for (uint32_t i = 0; i < range.count && status == STATUS_OK; i++)
        status = enter_step(walk, &view->steps[range.first + i], walk->below[trie_node]);
    if (status == STATUS_OK && view->profile->first_call)
        count_calls(walk, trie_node, &level);
    /* Between steps of one frame nothing was unwound: its trust counts for what it calls. */
    walk->state->low |= view->profile->frames[frame].trust > TRUST_GOPCLNTAB;
    if (walk->state->top && !walk->state->gap)
        walk->self[walk->state->top->node] =
            weight_add(walk->self[walk->state->top->node], view->self[trie_node]);
    return status;
}

static uint32_t leave(struct graph_walk *walk)
{
    struct walk_level level = walk->levels[--walk->level_count];

    while (walk->entered_count > level.entered) {
        struct walk_entered entered = walk->entered[--walk->entered_count];

        walk->on_path[entered.node]--;
        if (entered.edge != UINT32_MAX)
            walk->edges[entered.edge].on_path--;
    }
    *walk->state = level.before;
    return level.trie_node;
}

/* Depth first, without recursion: a chain may be 65,536 deep. */
static enum status visit_all(struct graph_walk *walk, const uint32_t *first, const uint32_t *next)
{
    uint32_t node = first[TRIE_ROOT];

    for (;;) {
        while (node != TRIE_NONE && walk->below[node] == 0)
            node = next[node];
        if (node != TRIE_NONE) {
            enum status status = enter(walk, node);

            if (status != STATUS_OK)
                return status;
            node = first[node];
        } else if (walk->level_count) {
            node = next[leave(walk)];
        } else {
            return STATUS_OK;
        }
    }
}

static enum status prepare(struct graph_walk *walk)
{
    const struct view *view = walk->view;
    const struct trie *trie = &view->profile->trie;

    walk->self = calloc(view->node_count + 1, sizeof(*walk->self));
    walk->total = calloc(view->node_count + 1, sizeof(*walk->total));
    walk->begins = calloc(view->node_count + 1, sizeof(*walk->begins));
    walk->on_path = calloc(view->node_count + 1, sizeof(*walk->on_path));
    walk->last_edge = malloc((view->node_count + 1) * sizeof(*walk->last_edge));
    walk->below = calloc(trie->len, sizeof(*walk->below));
    walk->state = calloc(1, sizeof(*walk->state));
    if (!walk->self || !walk->total || !walk->begins || !walk->on_path || !walk->last_edge ||
        !walk->below || !walk->state)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < view->node_count; i++)
        walk->last_edge[i] = UINT32_MAX;
    for (size_t i = trie->len; i-- > 1;) {
        uint32_t parent = trie->nodes[i].parent;

        walk->below[i] = weight_add(walk->below[i], view->self[i]);
        walk->below[parent] = weight_add(walk->below[parent], walk->below[i]);
    }
    return STATUS_OK;
}

enum status walk_run(struct graph_walk *walk, const struct view *view, const bool *kept, bool edges)
{
    uint32_t *first = NULL;
    uint32_t *next = NULL;
    enum status status;

    *walk = (struct graph_walk){.view = view, .kept = kept, .has_edges = edges};
    status = prepare(walk);
    if (status == STATUS_OK)
        status = trie_children(&view->profile->trie, &first, &next);
    if (status != STATUS_OK)
        return status;
    status = visit_all(walk, first, next);
    free(first);
    free(next);
    return status;
}

void walk_deinit(struct graph_walk *walk)
{
    free(walk->self);
    free(walk->total);
    free(walk->begins);
    free(walk->edges);
    free(walk->sites);
    free(walk->below);
    free(walk->on_path);
    free(walk->last_edge);
    free(walk->entered);
    free(walk->levels);
    free(walk->state);
    index_deinit(&walk->edge_index);
    index_deinit(&walk->site_index);
    *walk = (struct graph_walk){0};
}
