/* SPDX-License-Identifier: MIT */
/*
 * The shown chains of a view merged into one tree with weights: what folded, tree and flame
 * show.
 *
 * Of an inverted view chains begin with their innermost frames, so that below a function are its
 * callers; a root's total is what the function weighs itself. What is outermost all the same is the
 * thread: by its label, or by thread.
 *
 * Chains that have their outer frames in common have nothing in common from the inside. So that
 * deep chains cannot make it larger by their depth, an inverted fold has no more than
 * FOLD_INVERTED_MAX nodes, and takes no more than FOLD_STEPS_MAX steps: where that is not enough,
 * all chains are cut at one depth, the same whatever the order of the input.
 */
#ifndef OUTPUT_FOLD_H
#define OUTPUT_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/trie.h"
#include "graph/view.h"

enum fold_keys {
    FOLD_NODES, /* keys are the view's nodes, threads are merged */
    FOLD_TEXT,  /* keys are ids of texts below; the first of a chain is its thread's label */
};

#define FOLD_INVERTED_MAX (1u << 22)
#define FOLD_STEPS_MAX    (1u << 25)
#define FOLD_CUT          "[callers left out]" /* FOLD_TEXT: where a chain was cut */

struct fold {
    const struct view *view; /* borrowed */
    struct trie trie;
    uint64_t *self;                   /* by node of the trie */
    uint64_t *total;                  /* self of a node and of all below it */
    uint64_t *base_self, *base_total; /* the same of the baseline; all 0 without */
    uint32_t *first;                  /* children, see trie_children */
    uint32_t *next;
    uint32_t cut_depth; /* inverted: functions that are left of each chain; 0: all */
    /*
     * FOLD_TEXT: names of nodes with ';' replaced by ':', and labels of threads
     * (profile_thread_label).
     */
    struct pool texts;
};

MUST_CHECK enum status fold_create(const struct view *view, enum fold_keys keys, struct fold **out);
void fold_destroy(struct fold *fold);

/* For who makes a fold's trie and self weights: the children, and the totals. */
MUST_CHECK enum status fold_complete(struct fold *fold);

/*
 * For qsort_r over children (uint32_t) of a FOLD_NODES, which is the context: the heaviest first,
 * by view_importance of total, then by total, self and name.
 */
int fold_compare(const void *a, const void *b, void *fold);

#endif
