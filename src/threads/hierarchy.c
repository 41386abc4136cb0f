/* SPDX-License-Identifier: MIT */
#include "threads/hierarchy.h"

#include <stdlib.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/vec.h"

#define ANCESTORS_MAX 64 /* nodes above that are searched for the same identity */

struct hierarchy_builder {
    const struct history *history;
    const struct identities *identities;
    struct hierarchy_node *found; /* as they were found: a parent before its children */
    size_t count, cap;
    struct index index;
    uint32_t *of_thread; /* index into found */
};

/* Returns the maker's node; HIERARCHY_NONE: no maker is known in the process. */
static uint32_t parent_of(const struct hierarchy_builder *b, uint32_t thread)
{
    const struct history_thread *threads = b->history->threads;
    uint32_t maker = threads[thread].maker;

    /* A forked process is no part of the one that forked it. */
    if (maker >= thread || threads[maker].process != threads[thread].process)
        return HIERARCHY_NONE;
    return b->of_thread[maker];
}

/* Returns the node above with the same identity: such threads would make an endless tree. */
static uint32_t same_above(const struct hierarchy_builder *b, uint32_t node, uint32_t identity)
{
    for (unsigned i = 0; node != HIERARCHY_NONE && i < ANCESTORS_MAX; i++) {
        if (b->found[node].identity == identity)
            return node;
        node = b->found[node].parent;
    }
    return HIERARCHY_NONE;
}

static enum status find_node(struct hierarchy_builder *b, const struct hierarchy_node *want,
                             uint32_t *out)
{
    uint64_t hash = keyed_words(keyed_words(want->parent, want->process), want->identity);
    struct index_probe probe = index_find(&b->index, hash);

    while (index_next(&probe, out))
        if (b->found[*out].parent == want->parent && b->found[*out].process == want->process &&
            b->found[*out].identity == want->identity)
            return STATUS_OK;
    *out = (uint32_t)b->count;
    if (vec_reserve(&b->found, &b->cap, b->count + 1, sizeof(*b->found)) != STATUS_OK ||
        index_add(&b->index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    b->found[b->count++] = *want;
    return STATUS_OK;
}

static enum status place_thread(struct hierarchy_builder *b, uint32_t thread)
{
    struct hierarchy_node want = {.parent = parent_of(b, thread),
                                  .process = b->history->threads[thread].process,
                                  .identity = b->identities->of_thread[thread]};
    uint32_t node = same_above(b, want.parent, want.identity);
    enum status status = STATUS_OK;

    if (node == HIERARCHY_NONE) {
        want.depth = want.parent == HIERARCHY_NONE ? 0 : b->found[want.parent].depth + 1;
        status = find_node(b, &want, &node);
    }
    if (status != STATUS_OK)
        return status;
    b->of_thread[thread] = node;
    b->found[node].count++;
    return STATUS_OK;
}

/* Sets position[] to the nodes' places in the tree. `next`: room for processes, plus 1; zeroed. */
static void number_nodes(struct hierarchy_builder *b, uint32_t *position, uint32_t *cursor,
                         uint32_t *next)
{
    uint32_t from = 0;

    for (size_t i = b->count; i-- > 0;) {
        struct hierarchy_node *node = &b->found[i];

        if (node->parent != HIERARCHY_NONE)
            b->found[node->parent].subtree += node->subtree + 1;
        else
            next[node->process] += node->subtree + 1;
    }
    for (size_t i = 0; i < b->history->process_count; i++) {
        uint32_t size = next[i];

        next[i] = from;
        from += size;
    }
    for (size_t i = 0; i < b->count; i++) {
        const struct hierarchy_node *node = &b->found[i];
        uint32_t *place =
            node->parent == HIERARCHY_NONE ? &next[node->process] : &cursor[node->parent];

        position[i] = *place;
        cursor[i] = *place + 1;
        *place += node->subtree + 1;
    }
}

static void fill(const struct hierarchy_builder *b, const uint32_t *position, struct hierarchy *out)
{
    uint32_t first = 0;

    for (size_t i = 0; i < b->count; i++) {
        struct hierarchy_node *node = &out->nodes[position[i]];

        *node = b->found[i];
        if (node->parent != HIERARCHY_NONE)
            node->parent = position[node->parent];
    }
    out->count = b->count;
    for (size_t i = 0; i < out->count; i++) {
        out->nodes[i].first = first;
        first += out->nodes[i].count;
        out->nodes[i].count = 0;
    }
    for (uint32_t i = 0; i < b->history->thread_count; i++) {
        struct hierarchy_node *node = &out->nodes[position[b->of_thread[i]]];

        out->of_thread[i] = position[b->of_thread[i]];
        out->order[node->first + node->count++] = i;
    }
}

static enum status build(struct hierarchy_builder *b, struct hierarchy *out)
{
    uint32_t *position, *cursor, *next;
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < b->history->thread_count && status == STATUS_OK; i++)
        status = place_thread(b, i);
    if (status != STATUS_OK)
        return status;
    position = calloc(b->count + 1, sizeof(*position));
    cursor = calloc(b->count + 1, sizeof(*cursor));
    next = calloc(b->history->process_count + 1, sizeof(*next));
    out->nodes = calloc(b->count + 1, sizeof(*out->nodes));
    if (position && cursor && next && out->nodes) {
        number_nodes(b, position, cursor, next);
        fill(b, position, out);
    } else {
        status = STATUS_NO_MEMORY;
    }
    free(position);
    free(cursor);
    free(next);
    return status;
}

enum status hierarchy_create(const struct history *history, const struct identities *identities,
                             struct hierarchy **out)
{
    struct hierarchy_builder b = {.history = history, .identities = identities};
    struct hierarchy *hierarchy = calloc(1, sizeof(*hierarchy));
    enum status status = STATUS_NO_MEMORY;

    b.of_thread = calloc(history->thread_count + 1, sizeof(*b.of_thread));
    if (hierarchy) {
        hierarchy->order = calloc(history->thread_count + 1, sizeof(*hierarchy->order));
        hierarchy->of_thread = calloc(history->thread_count + 1, sizeof(*hierarchy->of_thread));
    }
    if (b.of_thread && hierarchy && hierarchy->order && hierarchy->of_thread)
        status = build(&b, hierarchy);
    free(b.found);
    free(b.of_thread);
    index_deinit(&b.index);
    if (status == STATUS_OK)
        *out = hierarchy;
    else
        hierarchy_destroy(hierarchy);
    return status;
}

void hierarchy_destroy(struct hierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    free(hierarchy->nodes);
    free(hierarchy->order);
    free(hierarchy->of_thread);
    free(hierarchy);
}
