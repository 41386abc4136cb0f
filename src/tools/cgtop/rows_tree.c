/* SPDX-License-Identifier: MIT */
/* The rows of the tree of calls, as `cgunwind -f tree`: only branches are indented. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/amount.h"
#include "tools/cgtop/rows.h"

/* Siblings with a smaller share become one row, as cgunwind's --node-fraction. */
#define NODE_FRACTION 0.005

/* A row to be added. */
struct tree_pending {
    uint32_t node; /* TRIE_NONE: the siblings that were cut */
    uint32_t cut, level;
    uint64_t weight, key;
    bool is_branch;
};

struct tree_rows {
    const struct rows_wanted *wanted;
    const struct fold *fold;
    struct shown_rows *rows;
    uint64_t cutoff;
    struct tree_pending *stack;
    size_t count, cap;
    uint32_t *kids;
    size_t kids_cap;
};

static const struct view_node *node_of(const struct tree_rows *t, uint32_t node)
{
    return &t->wanted->aspect->view->nodes[t->fold->trie.nodes[node].key];
}

static int compare_kids(const void *a, const void *b, void *context)
{
    const struct tree_rows *t = context;
    const struct fold *fold = t->fold;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (fold->total[x] != fold->total[y])
        return fold->total[x] > fold->total[y] ? -1 : 1;
    if (fold->self[x] != fold->self[y])
        return fold->self[x] > fold->self[y] ? -1 : 1;
    return view_compare_nodes(t->wanted->aspect->view, fold->trie.nodes[x].key,
                              fold->trie.nodes[y].key);
}

static enum status push(struct tree_rows *t, struct tree_pending pending)
{
    enum status status = vec_reserve(&t->stack, &t->cap, t->count + 1, sizeof(*t->stack));

    if (status == STATUS_OK)
        t->stack[t->count++] = pending;
    return status;
}

static bool has_kids(const struct fold *fold, uint32_t node)
{
    for (uint32_t kid = fold->first[node]; kid != TRIE_NONE; kid = fold->next[kid])
        if (fold->total[kid])
            return true;
    return false;
}

/* Pushes the callees of a node, the heaviest last, so that it is taken first. */
static enum status push_kids(struct tree_rows *t, uint32_t node, uint32_t level, uint64_t key)
{
    const struct fold *fold = t->fold;
    struct tree_pending cut = {.node = TRIE_NONE, .level = level, .key = key, .is_branch = true};
    enum status status = STATUS_OK;
    size_t count = 0;

    for (uint32_t kid = fold->first[node]; kid != TRIE_NONE; kid = fold->next[kid]) {
        if (fold->total[kid] == 0)
            continue;
        if (fold->total[kid] < t->cutoff) {
            cut.cut++;
            cut.weight = weight_add(cut.weight, fold->total[kid]);
            continue;
        }
        status = vec_reserve(&t->kids, &t->kids_cap, count + 1, sizeof(*t->kids));
        if (status != STATUS_OK)
            return status;
        t->kids[count++] = kid;
    }
    if (count)
        qsort_r(t->kids, count, sizeof(*t->kids), compare_kids, t);
    if (cut.cut)
        status = push(t, cut);
    for (size_t i = count; i-- > 0 && status == STATUS_OK;) {
        const struct view_node *named = node_of(t, t->kids[i]);

        status =
            push(t,
                 (struct tree_pending){.node = t->kids[i],
                                       .level = level,
                                       .key = hash_words(key, hash_words(hash_text(named->label),
                                                                         hash_text(named->module))),
                                       .is_branch = count > 1 || cut.cut});
    }
    return status;
}

static enum status take(struct tree_rows *t)
{
    const struct tree_pending next = t->stack[--t->count];
    struct shown_row row = {.key = next.key, .level = next.level};
    const struct view_node *named;
    enum status status;

    if (next.node == TRIE_NONE) {
        row.key = ~next.key;
        row.cut = next.cut;
        row.total = next.weight;
        row.name = row.module = "";
    } else {
        named = node_of(t, next.node);
        row.self = t->fold->self[next.node];
        row.total = t->fold->total[next.node];
        row.name = named->label;
        row.module = text_basename(named->module);
        row.has_kids = has_kids(t->fold, next.node);
        row.is_folded = map_get(t->wanted->folded, next.key) != NULL;
    }
    status = vec_reserve(&t->rows->list, &t->rows->cap, t->rows->count + 1, sizeof(row));
    if (status != STATUS_OK)
        return status;
    t->rows->list[t->rows->count++] = row;
    if (next.node == TRIE_NONE || row.is_folded)
        return STATUS_OK;
    return push_kids(t, next.node, next.level + next.is_branch, next.key);
}

enum status rows_of_tree(struct shown_rows *rows, const struct rows_wanted *wanted)
{
    struct tree_rows t = {.wanted = wanted,
                          .fold = wanted->aspect->fold,
                          .rows = rows,
                          .cutoff = amount_cutoff(wanted->aspect->view->total, NODE_FRACTION)};
    enum status status;

    rows_clear(rows);
    status = push_kids(&t, TRIE_ROOT, 0, 0);
    while (status == STATUS_OK && t.count)
        status = take(&t);
    free(t.stack);
    free(t.kids);
    return status;
}
