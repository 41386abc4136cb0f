/* SPDX-License-Identifier: MIT */
#include "graph/by_thread.h"

#include <stdlib.h>

#include "base/vec.h"

struct splitter {
    const struct profile *from;
    struct profile *to;
    uint32_t *label; /* by thread */
    /* By trie node and by frame of `from`: its copy for the label stamp - 1. */
    uint32_t *node, *node_stamp;
    uint32_t *frame, *frame_stamp;
    uint32_t *origin; /* by frame of `to`: that of `from`; UINT32_MAX: a thread's */
    size_t origin_cap;
    uint32_t *path;
    size_t path_cap;
};

static enum status add_frame(struct splitter *s, const struct profile_frame *frame, uint32_t origin,
                             uint32_t *id)
{
    struct profile *to = s->to;

    *id = (uint32_t)to->frame_count;
    if (to->frame_count >= INDEX_ID_MAX ||
        vec_reserve(&to->frames, &to->frame_cap, to->frame_count + 1, sizeof(*to->frames)) !=
            STATUS_OK ||
        vec_reserve(&s->origin, &s->origin_cap, to->frame_count + 1, sizeof(*s->origin)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    s->origin[*id] = origin;
    to->frames[to->frame_count++] = *frame;
    return STATUS_OK;
}

/* Sets *id to the label's copy of a frame. */
static enum status copy_frame(struct splitter *s, uint32_t frame, uint32_t label, uint32_t *id)
{
    struct profile_frame copy = s->from->frames[frame];
    enum status status = STATUS_OK;

    if (s->frame_stamp[frame] != label + 1) {
        copy.thread = label + 1;
        status = add_frame(s, &copy, frame, &s->frame[frame]);
        s->frame_stamp[frame] = label + 1;
    }
    *id = s->frame[frame];
    return status;
}

/* Copies the path of a trie node of `from` to below `root`, a label's node. */
static enum status copy_path(struct splitter *s, uint32_t leaf, uint32_t label, uint32_t root,
                             uint32_t *out)
{
    const struct trie_node *nodes = s->from->trie.nodes;
    enum status status = STATUS_OK;
    size_t depth = 0;
    uint32_t node = leaf;
    uint32_t at;

    for (; node != TRIE_ROOT && s->node_stamp[node] != label + 1; node = nodes[node].parent) {
        if (vec_reserve(&s->path, &s->path_cap, depth + 1, sizeof(*s->path)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        s->path[depth++] = node;
    }
    at = node == TRIE_ROOT ? root : s->node[node];
    while (status == STATUS_OK && depth-- > 0) {
        uint32_t key;

        node = s->path[depth];
        status = copy_frame(s, nodes[node].key, label, &key);
        if (status == STATUS_OK)
            status = trie_step(&s->to->trie, at, key, &at);
        s->node[node] = at;
        s->node_stamp[node] = label + 1;
    }
    *out = at;
    return status;
}

static enum status add_cell(struct splitter *s, const struct profile_cell *cell, uint32_t root)
{
    const struct profile_chain *chain = &s->from->chains[cell->chain];
    struct profile *to = s->to;
    struct profile_cell copy = *cell;
    uint32_t leaf;
    enum status status = copy_path(s, chain->leaf, s->label[cell->thread], root, &leaf);

    if (status != STATUS_OK)
        return status;
    if (vec_reserve(&to->chains, &to->chain_cap, to->chain_count + 1, sizeof(*to->chains)) !=
            STATUS_OK ||
        vec_reserve(&to->cells, &to->cell_cap, to->cell_count + 1, sizeof(*to->cells)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    copy.chain = (uint32_t)to->chain_count;
    to->chains[to->chain_count++] = (struct profile_chain){.leaf = leaf, .stop = chain->stop};
    to->cells[to->cell_count++] = copy;
    return STATUS_OK;
}

static int compare_cells(const void *a, const void *b, void *context)
{
    const struct splitter *s = context;
    uint32_t ia = *(const uint32_t *)a;
    uint32_t ib = *(const uint32_t *)b;
    uint32_t la = s->label[s->from->cells[ia].thread];
    uint32_t lb = s->label[s->from->cells[ib].thread];

    if (la != lb)
        return la < lb ? -1 : 1;
    return ia < ib ? -1 : ia > ib;
}

/* Adds the cells in the order of labels, so that stamps stay valid for long. */
static enum status add_cells(struct splitter *s)
{
    const struct profile *from = s->from;
    uint32_t *order = calloc(from->cell_count + 1, sizeof(*order));
    enum status status = order ? STATUS_OK : STATUS_NO_MEMORY;
    uint32_t last = UINT32_MAX;
    uint32_t root = TRIE_ROOT;

    for (size_t i = 0; status == STATUS_OK && i < from->cell_count; i++)
        order[i] = (uint32_t)i;
    if (status == STATUS_OK)
        qsort_r(order, from->cell_count, sizeof(*order), compare_cells, s);
    for (size_t i = 0; i < from->cell_count && status == STATUS_OK; i++) {
        const struct profile_cell *cell = &from->cells[order[i]];
        uint32_t label = s->label[cell->thread];
        uint32_t key;

        if (label != last) {
            struct profile_frame frame = {.thread = label + 1, .is_thread = true};

            status = add_frame(s, &frame, UINT32_MAX, &key);
            if (status == STATUS_OK)
                status = trie_step(&s->to->trie, TRIE_ROOT, key, &root);
            last = label;
        }
        if (status == STATUS_OK)
            status = add_cell(s, cell, root);
    }
    free(order);
    return status;
}

static enum status copy_threads(struct splitter *s)
{
    const struct profile *from = s->from;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < from->thread_count && status == STATUS_OK; i++) {
        const struct profile_thread *thread = &from->threads[i];
        uint32_t id;

        status = pool_intern(&s->to->labels, profile_thread_label(from, (uint32_t)i), &s->label[i]);
        if (status == STATUS_OK)
            status = profile_thread(s->to, thread->pid, thread->tid, thread->name, &id);
    }
    return status;
}

/* Copies both programs, for names in comparisons. */
static enum status copy_programs(const struct profile *from, struct profile *to)
{
    enum status status = STATUS_OK;

    if (from->program)
        status = profile_program(to, from->program);
    if (status != STATUS_OK || !from->base_program)
        return status;
    profile_weigh_base(to, true);
    status = profile_program(to, from->base_program);
    profile_weigh_base(to, false);
    return status;
}

static enum status split(struct splitter *s)
{
    const struct profile *from = s->from;
    struct profile *to = s->to;
    enum status status;

    s->label = calloc(from->thread_count + 1, sizeof(*s->label));
    s->node = calloc(from->trie.len, sizeof(*s->node));
    s->node_stamp = calloc(from->trie.len, sizeof(*s->node_stamp));
    s->frame = calloc(from->frame_count + 1, sizeof(*s->frame));
    s->frame_stamp = calloc(from->frame_count + 1, sizeof(*s->frame_stamp));
    if (!s->label || !s->node || !s->node_stamp || !s->frame || !s->frame_stamp)
        return STATUS_NO_MEMORY;
    status = copy_threads(s);
    if (status == STATUS_OK)
        status = copy_programs(from, to);
    if (status == STATUS_OK)
        status = add_cells(s);
    if (status != STATUS_OK)
        return status;
    to->names = from->names;
    to->by_process = from->by_process;
    to->places = calloc(to->frame_count + 1, sizeof(*to->places));
    if (!to->places)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < to->frame_count; i++)
        to->places[i] = s->origin[i] == UINT32_MAX ? NULL : from->places[s->origin[i]];
    return STATUS_OK;
}

enum status profile_by_thread(const struct profile *profile, struct profile **out)
{
    struct splitter s = {.from = profile};
    enum status status = profile_create(&s.to);

    if (status == STATUS_OK)
        status = split(&s);
    free(s.label);
    free(s.node);
    free(s.node_stamp);
    free(s.frame);
    free(s.frame_stamp);
    free(s.origin);
    free(s.path);
    if (status == STATUS_OK)
        *out = s.to;
    else
        profile_destroy(s.to);
    return status;
}
