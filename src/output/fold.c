/* SPDX-License-Identifier: MIT */
#include "output/fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

struct folder {
    struct fold *fold;
    const struct view *view;
    enum fold_keys keys;
    uint32_t *node_key;     /* by the view's node */
    uint32_t *thread_label; /* by the profile's thread; FOLD_NODES: all 0 */
    /* By the profile's trie node: its node in the fold, for the thread label stamp - 1. */
    uint32_t *place;
    uint32_t *stamp;
    uint32_t *path;
    size_t path_cap;
    uint64_t *self, *base;
    size_t self_cap, base_cap;
    /* Inverted: */
    uint32_t *length;    /* by the profile's trie node: steps on the way there */
    uint32_t *outermost; /* and the first node on it */
    uint32_t depth;      /* at most so many steps of a chain are taken */
    uint32_t cut;        /* FOLD_TEXT: the key of FOLD_CUT */
    bool is_full;        /* FOLD_INVERTED_MAX was not enough */
};

/* Interns a name with ':' for ';', which separates frames in the folded format. */
static enum status intern_text(struct pool *pool, const char *name, uint32_t *id)
{
    char *text = strdup(*name ? name : "?");
    enum status status;

    if (!text)
        return STATUS_NO_MEMORY;
    for (char *c = text; *c; c++)
        if (*c == ';')
            *c = ':';
    status = pool_intern(pool, text, id);
    free(text);
    return status;
}

/* Threads with one label share nodes: else pools of workers would be unreadable. */
static enum status label_threads(struct folder *f)
{
    const struct profile *profile = f->view->profile;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < profile->thread_count && status == STATUS_OK; i++) {
        const char *label = profile_thread_label(profile, (uint32_t)i);
        char *clean = text_clean(label, TEXT_REPLACE_CONTROLS);

        status =
            clean ? intern_text(&f->fold->texts, clean, &f->thread_label[i]) : STATUS_NO_MEMORY;
        free(clean);
    }
    return status;
}

static enum status reserve_weights(struct folder *f, size_t count)
{
    enum status status = vec_reserve(&f->self, &f->self_cap, count, sizeof(*f->self));

    return status == STATUS_OK ? vec_reserve(&f->base, &f->base_cap, count, sizeof(*f->base))
                               : status;
}

/* Moves *at to its child with the key, made if needed, with room for weights. */
static enum status step(struct folder *f, uint32_t *at, uint32_t key)
{
    struct trie *trie = &f->fold->trie;
    size_t before = trie->len;
    enum status status = trie_step(trie, *at, key, at);

    if (status == STATUS_OK)
        status = reserve_weights(f, trie->len);
    f->is_full |= f->view->inverted && trie->len > FOLD_INVERTED_MAX;
    if (status == STATUS_OK && trie->len > before)
        f->self[*at] = f->base[*at] = 0;
    return status;
}

/* Takes a step of the view; by module, steps within a module make no new node. */
static enum status take_step(struct folder *f, uint32_t view_step, uint32_t base, uint32_t *at)
{
    const uint32_t key = f->node_key[f->view->steps[view_step].node];

    return *at != base && view_joins(f->view, f->fold->trie.nodes[*at].key, key) ? STATUS_OK
                                                                                 : step(f, at, key);
}

/* Takes the steps of a profile's frame, outermost first; `base`: the node above all frames. */
static enum status follow(struct folder *f, uint32_t frame, uint32_t base, uint32_t *at)
{
    const struct view_range range = f->view->frames[frame];
    enum status status = STATUS_OK;

    for (uint32_t i = range.first; i < range.first + range.count && status == STATUS_OK; i++)
        status = take_step(f, i, base, at);
    return status;
}

/* Sets *at to the node where a cell's chain ends, from the outermost frame inwards. */
static enum status follow_chain(struct folder *f, const struct profile_cell *cell, uint32_t base,
                                uint32_t *at)
{
    const struct profile *profile = f->view->profile;
    const struct trie_node *nodes = profile->trie.nodes;
    uint32_t label = f->thread_label[cell->thread];
    uint32_t node = profile->chains[cell->chain].leaf;
    size_t depth = 0;
    enum status status = STATUS_OK;

    for (; status == STATUS_OK && node != TRIE_ROOT && f->stamp[node] != label + 1;
         node = nodes[node].parent) {
        status = vec_reserve(&f->path, &f->path_cap, depth + 1, sizeof(*f->path));
        if (status == STATUS_OK)
            f->path[depth++] = node;
    }
    *at = node == TRIE_ROOT ? base : f->place[node];
    while (status == STATUS_OK && depth-- > 0) {
        node = f->path[depth];
        status = follow(f, nodes[node].key, base, at);
        f->place[node] = *at;
        f->stamp[node] = label + 1;
    }
    return status;
}

/* As follow, from the innermost step outwards, for at most `left` steps. */
static enum status climb(struct folder *f, uint32_t frame, uint32_t base, uint32_t *at,
                         uint32_t *left)
{
    const struct view_range range = f->view->frames[frame];
    enum status status = STATUS_OK;

    for (uint32_t i = range.first + range.count; i-- > range.first && *left && status == STATUS_OK;
         --*left)
        status = take_step(f, i, base, at);
    return status;
}

/* Sets *at to the node where an inverted chain ends. */
static enum status climb_chain(struct folder *f, const struct profile_cell *cell, uint32_t base,
                               uint32_t *at)
{
    const struct profile *profile = f->view->profile;
    const struct trie_node *nodes = profile->trie.nodes;
    uint32_t label = f->thread_label[cell->thread];
    uint32_t leaf = profile->chains[cell->chain].leaf, end = TRIE_ROOT;
    uint32_t left = f->depth;
    enum status status = STATUS_OK;

    if (f->stamp[leaf] == label + 1) {
        *at = f->place[leaf];
        return STATUS_OK;
    }
    *at = base;
    if (profile->frames[nodes[f->outermost[leaf]].key].is_thread) {
        end = f->outermost[leaf];
        status = follow(f, nodes[end].key, base, at);
        base = *at;
    }
    for (uint32_t node = leaf; node != end && left && status == STATUS_OK;
         node = nodes[node].parent)
        status = climb(f, nodes[node].key, base, at, &left);
    if (status == STATUS_OK && f->keys == FOLD_TEXT && f->length[leaf] > f->depth)
        status = step(f, at, f->cut);
    f->place[leaf] = *at;
    f->stamp[leaf] = label + 1;
    return status;
}

static enum status add_cell(struct folder *f, const struct profile_cell *cell)
{
    uint32_t base = TRIE_ROOT;
    uint64_t *sums;
    uint32_t at;
    enum status status = STATUS_OK;

    if (f->keys == FOLD_TEXT)
        status = step(f, &base, f->thread_label[cell->thread]);
    if (status == STATUS_OK)
        status =
            f->view->inverted ? climb_chain(f, cell, base, &at) : follow_chain(f, cell, base, &at);
    if (status != STATUS_OK)
        return status;
    sums = cell->is_base ? f->base : f->self;
    sums[at] = weight_add(sums[at], cell->weights.value[f->view->weight]);
    return STATUS_OK;
}

static int compare_cells(const void *a, const void *b, void *context)
{
    const struct folder *f = context;
    uint32_t ia = *(const uint32_t *)a;
    uint32_t ib = *(const uint32_t *)b;
    uint32_t la = f->thread_label[f->view->profile->cells[ia].thread];
    uint32_t lb = f->thread_label[f->view->profile->cells[ib].thread];

    if (la != lb)
        return la < lb ? -1 : 1;
    return ia < ib ? -1 : ia > ib;
}

/* Fills length and outermost for an inverted fold, and returns the greatest length. */
static uint32_t measure_chains(struct folder *f)
{
    const struct profile *profile = f->view->profile;
    const struct trie_node *nodes = profile->trie.nodes;
    uint32_t longest = 0;

    for (uint32_t i = 1; i < profile->trie.len; i++) {
        bool is_thread = profile->frames[nodes[i].key].is_thread;

        f->length[i] =
            f->length[nodes[i].parent] + (is_thread ? 0 : f->view->frames[nodes[i].key].count);
        f->outermost[i] = nodes[i].parent == TRIE_ROOT ? i : f->outermost[nodes[i].parent];
        if (f->length[i] > longest)
            longest = f->length[i];
    }
    return longest;
}

/* Returns the steps of all chains, cut at f->depth. */
static uint64_t count_steps(struct folder *f, const uint32_t *order, size_t count)
{
    const struct profile *profile = f->view->profile;
    uint64_t steps = 0;

    for (size_t i = 0; i < count; i++) {
        const struct profile_cell *cell = &profile->cells[order[i]];
        uint32_t leaf = profile->chains[cell->chain].leaf;

        if (f->stamp[leaf] != f->thread_label[cell->thread] + 1)
            steps += f->length[leaf] < f->depth ? f->length[leaf] : f->depth;
        f->stamp[leaf] = f->thread_label[cell->thread] + 1;
    }
    memset(f->stamp, 0, profile->trie.len * sizeof(*f->stamp));
    return steps;
}

static enum status restart(struct folder *f)
{
    enum status status;

    trie_deinit(&f->fold->trie);
    memset(f->stamp, 0, f->view->profile->trie.len * sizeof(*f->stamp));
    f->is_full = false;
    status = trie_init(&f->fold->trie);
    if (status == STATUS_OK)
        status = reserve_weights(f, 1);
    if (status == STATUS_OK)
        f->self[TRIE_ROOT] = f->base[TRIE_ROOT] = 0;
    return status;
}

static enum status add_ordered(struct folder *f, const uint32_t *order, size_t count)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && !f->is_full && status == STATUS_OK; i++)
        status = add_cell(f, &f->view->profile->cells[order[i]]);
    return status;
}

static enum status add_inverted(struct folder *f, const uint32_t *order, size_t count)
{
    const size_t node_count = f->view->profile->trie.len;
    enum status status = STATUS_OK;
    uint32_t longest;

    f->length = calloc(node_count, sizeof(*f->length));
    f->outermost = calloc(node_count, sizeof(*f->outermost));
    if (!f->length || !f->outermost)
        return STATUS_NO_MEMORY;
    if (f->keys == FOLD_TEXT)
        status = intern_text(&f->fold->texts, FOLD_CUT, &f->cut);
    f->depth = longest = measure_chains(f);
    while (f->depth > 1 && count_steps(f, order, count) > FOLD_STEPS_MAX)
        f->depth /= 2;
    if (status == STATUS_OK)
        status = add_ordered(f, order, count);
    while (status == STATUS_OK && f->is_full && f->depth > 1) {
        f->depth /= 2;
        status = restart(f);
        if (status == STATUS_OK)
            status = add_ordered(f, order, count);
    }
    f->fold->cut_depth = f->depth < longest ? f->depth : 0;
    return status == STATUS_OK && f->is_full ? STATUS_NO_MEMORY : status;
}

/* Adds cells sorted by thread label, so that the stamps are of use. */
static enum status add_cells(struct folder *f)
{
    const struct profile *profile = f->view->profile;
    uint32_t *order = calloc(profile->cell_count + 1, sizeof(*order));
    enum status status = STATUS_NO_MEMORY;
    size_t count = 0;

    if (order) {
        for (size_t i = 0; i < profile->cell_count; i++)
            if (f->view->cell_shown[i])
                order[count++] = (uint32_t)i;
        qsort_r(order, count, sizeof(*order), compare_cells, f);
        status = f->view->inverted ? add_inverted(f, order, count) : add_ordered(f, order, count);
    }
    free(order);
    return status;
}

/* Sets totals: each node's self, and the totals of its children. */
static enum status sum_up(const struct trie *trie, const uint64_t *self, uint64_t **total_out)
{
    uint64_t *total = calloc(trie->len, sizeof(*total));

    *total_out = total;
    if (!total)
        return STATUS_NO_MEMORY;
    for (size_t i = trie->len; i-- > 0;) {
        uint32_t parent = trie->nodes[i].parent;

        total[i] = weight_add(total[i], self[i]);
        if (parent != TRIE_NONE)
            total[parent] = weight_add(total[parent], total[i]);
    }
    return STATUS_OK;
}

enum status fold_complete(struct fold *fold)
{
    enum status status = trie_children(&fold->trie, &fold->first, &fold->next);

    if (status == STATUS_OK)
        status = sum_up(&fold->trie, fold->self, &fold->total);
    return status == STATUS_OK ? sum_up(&fold->trie, fold->base_self, &fold->base_total) : status;
}

static enum status finish(struct folder *f)
{
    f->fold->self = f->self;
    f->fold->base_self = f->base;
    f->self = f->base = NULL;
    return fold_complete(f->fold);
}

static enum status build(struct folder *f)
{
    const struct view *view = f->view;
    const struct profile *profile = view->profile;
    enum status status;

    f->node_key = calloc(view->node_count + 1, sizeof(*f->node_key));
    f->thread_label = calloc(profile->thread_count + 1, sizeof(*f->thread_label));
    f->place = calloc(profile->trie.len, sizeof(*f->place));
    f->stamp = calloc(profile->trie.len, sizeof(*f->stamp));
    if (!f->node_key || !f->thread_label || !f->place || !f->stamp)
        return STATUS_NO_MEMORY;
    status = restart(f);
    for (size_t i = 0; i < view->node_count && status == STATUS_OK; i++) {
        if (f->keys == FOLD_TEXT)
            status = intern_text(&f->fold->texts, view->nodes[i].name, &f->node_key[i]);
        else
            f->node_key[i] = (uint32_t)i;
    }
    if (status == STATUS_OK && f->keys == FOLD_TEXT)
        status = label_threads(f);
    if (status == STATUS_OK)
        status = add_cells(f);
    return status == STATUS_OK ? finish(f) : status;
}

enum status fold_create(const struct view *view, enum fold_keys keys, struct fold **out)
{
    struct folder f = {.view = view, .keys = keys, .fold = calloc(1, sizeof(*f.fold))};
    enum status status;

    if (!f.fold)
        return STATUS_NO_MEMORY;
    f.fold->view = view;
    status = build(&f);
    free(f.node_key);
    free(f.thread_label);
    free(f.place);
    free(f.stamp);
    free(f.path);
    free(f.length);
    free(f.outermost);
    free(f.self);
    free(f.base);
    if (status == STATUS_OK)
        *out = f.fold;
    else
        fold_destroy(f.fold);
    return status;
}

void fold_destroy(struct fold *fold)
{
    if (!fold)
        return;
    trie_deinit(&fold->trie);
    free(fold->self);
    free(fold->total);
    free(fold->base_self);
    free(fold->base_total);
    free(fold->first);
    free(fold->next);
    pool_deinit(&fold->texts);
    free(fold);
}

int fold_compare(const void *a, const void *b, void *context)
{
    const struct fold *fold = context;
    uint32_t ia = *(const uint32_t *)a;
    uint32_t ib = *(const uint32_t *)b;
    uint64_t wa = view_importance(fold->view, fold->total[ia], fold->base_total[ia]);
    uint64_t wb = view_importance(fold->view, fold->total[ib], fold->base_total[ib]);

    if (wa != wb)
        return wa > wb ? -1 : 1;
    if (fold->total[ia] != fold->total[ib])
        return fold->total[ia] > fold->total[ib] ? -1 : 1;
    if (fold->self[ia] != fold->self[ib])
        return fold->self[ia] > fold->self[ib] ? -1 : 1;
    return view_compare_nodes(fold->view, fold->trie.nodes[ia].key, fold->trie.nodes[ib].key);
}
