/* SPDX-License-Identifier: MIT */
#include "output/flame_layout.h"

#include <stdlib.h>

#include "base/vec.h"

struct placer {
    struct flame_layout *layout;
    const struct fold *fold;
    uint64_t least;
    uint32_t *depth; /* by the fold's node */
    bool *is_kept;   /* it gets a frame */
    uint32_t *kids;
    size_t kids_cap;
    struct flame_frame *stack; /* frames to come */
    size_t count, cap;
};

/* The heaviest first; of equal weight, the less deep first. */
static int compare_candidates(const void *a, const void *b, void *context)
{
    const struct placer *p = context;
    const struct fold *fold = p->fold;
    uint32_t ia = *(const uint32_t *)a;
    uint32_t ib = *(const uint32_t *)b;

    if (fold->total[ia] != fold->total[ib])
        return fold->total[ia] > fold->total[ib] ? -1 : 1;
    if (p->depth[ia] != p->depth[ib])
        return p->depth[ia] < p->depth[ib] ? -1 : 1;
    return ia < ib ? -1 : ia > ib;
}

/* Chooses the nodes that get frames. No caller is lighter than its callee: it is kept with it. */
static enum status choose(struct placer *p)
{
    const struct fold *fold = p->fold;
    const size_t count = fold->trie.len;
    uint32_t *candidates = calloc(count, sizeof(*candidates));
    size_t found = 0;

    p->depth = calloc(count, sizeof(*p->depth));
    p->is_kept = calloc(count, sizeof(*p->is_kept));
    if (p->depth && candidates && p->is_kept) {
        for (uint32_t i = 1; i < count; i++) {
            p->depth[i] = p->depth[fold->trie.nodes[i].parent] + 1;
            if (p->depth[i] <= FLAME_LEVELS_MAX && fold->total[i] >= p->least)
                candidates[found++] = i;
        }
        if (found > FLAME_FRAMES_MAX) {
            qsort_r(candidates, found, sizeof(*candidates), compare_candidates, p);
            p->layout->is_full = true;
            found = FLAME_FRAMES_MAX;
        }
        for (size_t i = 0; i < found; i++)
            p->is_kept[candidates[i]] = true;
    }
    free(candidates);
    return p->depth && candidates && p->is_kept ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status push(struct placer *p, struct flame_frame frame)
{
    enum status status = vec_reserve(&p->stack, &p->cap, p->count + 1, sizeof(*p->stack));

    if (status == STATUS_OK)
        p->stack[p->count++] = frame;
    return status;
}

/* Sorts the callees of a node that are kept, and adds the others to `rest`. */
static enum status sort_kids(struct placer *p, uint32_t node, size_t *count,
                             struct flame_frame *rest)
{
    const struct fold *fold = p->fold;

    *count = 0;
    for (uint32_t kid = fold->first[node]; kid != TRIE_NONE; kid = fold->next[kid]) {
        if (p->is_kept[kid]) {
            enum status status = vec_reserve(&p->kids, &p->kids_cap, *count + 1, sizeof(*p->kids));

            if (status != STATUS_OK)
                return status;
            p->kids[(*count)++] = kid;
        } else if (fold->total[kid]) {
            rest->count++;
            rest->weight = weight_add(rest->weight, fold->total[kid]);
            rest->base = weight_add(rest->base, fold->base_total[kid]);
        }
    }
    if (*count)
        qsort_r(p->kids, *count, sizeof(*p->kids), fold_compare, (void *)fold);
    return STATUS_OK;
}

/* Pushes frames for the callees of a node, which begins at `start`. */
static enum status push_kids(struct placer *p, uint32_t node, uint32_t level, uint64_t start)
{
    struct flame_frame rest = {.node = TRIE_NONE, .level = level, .start = start};
    uint64_t *left_out = level < FLAME_LEVELS_MAX ? &p->layout->narrow : &p->layout->deep;
    size_t count;
    enum status status = sort_kids(p, node, &count, &rest);

    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t kid = p->kids[i];
        struct flame_frame frame = {.node = kid,
                                    .level = level,
                                    .start = rest.start,
                                    .weight = p->fold->total[kid],
                                    .base = p->fold->base_total[kid]};

        status = push(p, frame);
        rest.start = weight_add(rest.start, frame.weight);
    }
    *left_out = weight_add(*left_out, rest.weight);
    if (status == STATUS_OK && rest.weight >= p->least)
        status = push(p, rest);
    return status;
}

static enum status place(struct placer *p)
{
    struct flame_layout *layout = p->layout;
    enum status status = push_kids(p, TRIE_ROOT, 0, 0);

    while (status == STATUS_OK && p->count) {
        struct flame_frame frame = p->stack[--p->count];

        status =
            vec_reserve(&layout->frames, &layout->cap, layout->count + 1, sizeof(*layout->frames));
        if (status != STATUS_OK)
            break;
        layout->frames[layout->count++] = frame;
        if (frame.level >= layout->levels)
            layout->levels = frame.level + 1;
        if (frame.node != TRIE_NONE)
            status = push_kids(p, frame.node, frame.level + 1, frame.start);
    }
    return status;
}

/* Sums up the outermost nodes without present weight: deeper ones are in their totals. */
static uint64_t weigh_gone(const struct fold *fold)
{
    uint64_t gone = 0;

    for (size_t i = 1; i < fold->trie.len; i++) {
        uint32_t parent = fold->trie.nodes[i].parent;

        if (!fold->total[i] && (parent == TRIE_ROOT || fold->total[parent]))
            gone = weight_add(gone, fold->base_total[i]);
    }
    return gone;
}

enum status flame_layout_init(struct flame_layout *layout, const struct fold *fold, uint64_t least)
{
    struct placer p = {.layout = layout, .fold = fold, .least = least};
    enum status status;

    *layout = (struct flame_layout){.gone = weigh_gone(fold)};
    status = choose(&p);
    if (status == STATUS_OK)
        status = place(&p);
    free(p.depth);
    free(p.is_kept);
    free(p.kids);
    free(p.stack);
    if (status != STATUS_OK)
        flame_layout_deinit(layout);
    return status;
}

void flame_layout_deinit(struct flame_layout *layout)
{
    free(layout->frames);
    *layout = (struct flame_layout){0};
}
