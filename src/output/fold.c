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
    /* By the profile's trie node: where it went for the thread label stamp - 1. */
    uint32_t *place;
    uint32_t *stamp;
    uint32_t *path;
    size_t path_cap;
    uint64_t *self, *base;
    size_t self_cap, base_cap;
};

/* For the folded format, where ';' separates frames. */
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

/* Threads of one name are one line of descent: pools of workers would be unreadable otherwise. */
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

/* One more node below `*at`, with room for its weight. */
static enum status step(struct folder *f, uint32_t *at, uint32_t key)
{
    struct trie *trie = &f->fold->trie;
    size_t before = trie->len;
    enum status status = trie_step(trie, *at, key, at);

    if (status == STATUS_OK)
        status = reserve_weights(f, trie->len);
    if (status == STATUS_OK && trie->len > before)
        f->self[*at] = f->base[*at] = 0;
    return status;
}

/* Follows a profile's frame from *at downwards; `base` is the node above all frames. */
static enum status follow(struct folder *f, uint32_t frame, uint32_t base, uint32_t *at)
{
    const struct view *view = f->view;
    struct view_range range = view->frames[frame];

    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        uint32_t key = f->node_key[view->steps[i].node];
        enum status status;

        if (*at != base && view_joins(view, f->fold->trie.nodes[*at].key, key))
            continue;
        status = step(f, at, key);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status add_cell(struct folder *f, const struct profile_cell *cell)
{
    const struct profile *profile = f->view->profile;
    const struct trie_node *nodes = profile->trie.nodes;
    uint32_t label = f->thread_label[cell->thread];
    uint32_t node = profile->chains[cell->chain].leaf;
    uint32_t base = TRIE_ROOT;
    uint64_t *sums;
    uint32_t at;
    size_t depth = 0;
    enum status status = STATUS_OK;

    if (f->keys == FOLD_TEXT)
        status = step(f, &base, label);
    for (; status == STATUS_OK && node != TRIE_ROOT && f->stamp[node] != label + 1;
         node = nodes[node].parent) {
        status = vec_reserve(&f->path, &f->path_cap, depth + 1, sizeof(*f->path));
        if (status == STATUS_OK)
            f->path[depth++] = node;
    }
    at = node == TRIE_ROOT ? base : f->place[node];
    while (status == STATUS_OK && depth-- > 0) {
        node = f->path[depth];
        status = follow(f, nodes[node].key, base, &at);
        f->place[node] = at;
        f->stamp[node] = label + 1;
    }
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

/* Cells of one thread label after each other, so that the stamps are worth something. */
static enum status add_cells(struct folder *f)
{
    const struct profile *profile = f->view->profile;
    uint32_t *order = calloc(profile->cell_count + 1, sizeof(*order));
    enum status status = order ? STATUS_OK : STATUS_NO_MEMORY;
    size_t count = 0;

    for (size_t i = 0; status == STATUS_OK && i < profile->cell_count; i++)
        if (f->view->cell_shown[i])
            order[count++] = (uint32_t)i;
    if (status == STATUS_OK)
        qsort_r(order, count, sizeof(*order), compare_cells, f);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_cell(f, &profile->cells[order[i]]);
    free(order);
    return status;
}

/* Adds what is below each node to it. */
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
    enum status status = trie_init(&f->fold->trie);

    f->node_key = calloc(view->node_count + 1, sizeof(*f->node_key));
    f->thread_label = calloc(profile->thread_count + 1, sizeof(*f->thread_label));
    f->place = calloc(profile->trie.len, sizeof(*f->place));
    f->stamp = calloc(profile->trie.len, sizeof(*f->stamp));
    if (!f->node_key || !f->thread_label || !f->place || !f->stamp)
        return STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = reserve_weights(f, 1);
    if (status == STATUS_OK)
        f->self[TRIE_ROOT] = f->base[TRIE_ROOT] = 0;
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
