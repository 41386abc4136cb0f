/* SPDX-License-Identifier: MIT */
/*
 * The shown chains of a view merged into one tree with weights: what the folded and the tree format
 * print.
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

struct fold {
    struct trie trie;
    uint64_t *self;                   /* by node of the trie */
    uint64_t *total;                  /* self of a node and of all below it */
    uint64_t *base_self, *base_total; /* the same of the baseline; all 0 without */
    uint32_t *first;                  /* children, see trie_children */
    uint32_t *next;
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

#endif
