/* SPDX-License-Identifier: MIT */
/*
 * A tree of sequences of numbers that share their beginnings. A node is its parent's sequence and
 * one more number, the key. Node 0 is the root, the empty sequence. A parent's index is below its
 * children's: a loop upwards visits parents first, one downwards children first.
 */
#ifndef GRAPH_TRIE_H
#define GRAPH_TRIE_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"

#define TRIE_ROOT 0
#define TRIE_NONE UINT32_MAX

struct trie_node {
    uint32_t parent; /* index of the parent; TRIE_NONE for the root */
    uint32_t key;
    uint32_t child; /* private: the child made first; TRIE_NONE: none */
};

struct trie {
    struct trie_node *nodes; /* owned; `len` of them, the root first */
    size_t len, cap;
    struct index index; /* the other children; most nodes have one child, which costs no look-up */
};

/* Makes a trie with a root. NO_MEMORY. */
MUST_CHECK enum status trie_init(struct trie *trie);
/* Frees the nodes; a zeroed trie is allowed. */
void trie_deinit(struct trie *trie);

/* Sets *child to the child of `parent` by `key`, a new node if absent. NO_MEMORY. */
MUST_CHECK enum status trie_step(struct trie *trie, uint32_t parent, uint32_t key, uint32_t *child);

/* Returns the child of `parent` by `key`; TRIE_NONE: none. */
uint32_t trie_find(const struct trie *trie, uint32_t parent, uint32_t key);

/*
 * Makes lists of children by ascending index: (*first)[node] is the node's first child,
 * (*next)[child] its next sibling, TRIE_NONE: none. Both have trie->len elements and are the
 * caller's to free. NO_MEMORY: both are NULL.
 */
MUST_CHECK enum status trie_children(const struct trie *trie, uint32_t **first, uint32_t **next);

#endif
