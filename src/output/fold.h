/* SPDX-License-Identifier: MIT */
/*
 * Merges the shown chains of a view into one tree with weights, which folded, tree and flame show.
 *
 *     2  main;f;g             main 3            inverted:   g 2         f 1
 *     1  main;f               `-- f 3                       `-- f 2     `-- main 1
 *                                 `-- g 2                       `-- main 2
 *
 * In a fold of an inverted view a function's callers are below it, and the total of a function at
 * the top is its self weight. A thread's node or label is outermost all the same.
 *
 * Inverted chains share no nodes for common outer frames, so that deep chains would make a large
 * tree. An inverted fold has at most FOLD_INVERTED_MAX nodes and takes at most FOLD_STEPS_MAX
 * steps: where that is not enough all chains are cut at one depth, which does not depend on the
 * order of the input.
 */
#ifndef OUTPUT_FOLD_H
#define OUTPUT_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/trie.h"
#include "graph/view.h"

enum fold_keys {
    FOLD_NODES, /* keys of the trie are the view's nodes; threads are merged */
    FOLD_TEXT,  /* keys are ids in fold.texts; a chain's outermost key is its thread's label */
};

#define FOLD_INVERTED_MAX (1u << 22)
#define FOLD_STEPS_MAX    (1u << 25)
#define FOLD_CUT          "[callers left out]" /* FOLD_TEXT: stands for callers cut off */

struct fold {
    const struct view *view; /* borrowed */
    struct trie trie;
    uint64_t *self;                   /* by node of the trie: weight of the chains that end there */
    uint64_t *total;                  /* by node: sum of self of the node and of all below it */
    uint64_t *base_self, *base_total; /* self and total of the baseline; all 0 without one */
    uint32_t *first;                  /* lists of children by node, see trie_children */
    uint32_t *next;
    uint32_t cut_depth; /* inverted: functions to which each chain is cut; 0: none is cut */
    struct pool texts;  /* FOLD_TEXT: names and labels of threads, with ':' instead of ';' */
};

/* Makes the tree of the view's shown chains. Borrows `view`. Fails only with NO_MEMORY. */
MUST_CHECK enum status fold_create(const struct view *view, enum fold_keys keys, struct fold **out);
void fold_destroy(struct fold *fold);

/* Sets first, next, total and base_total from the trie, self and base_self. NO_MEMORY. */
MUST_CHECK enum status fold_complete(struct fold *fold);

/*
 * Compares two nodes (uint32_t) of `fold`, a FOLD_NODES fold, for qsort_r: the heaviest first, by
 * view_importance of the total, then by total, self and name.
 */
int fold_compare(const void *a, const void *b, void *fold);

#endif
