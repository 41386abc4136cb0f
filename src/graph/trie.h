/* SPDX-License-Identifier: MIT */
/*
 * A tree of sequences of numbers that share their beginnings: a node is its parent and one more
 * number (the key). Node 0 is the root, the empty sequence; a parent's number is below its
 * children's, so that one loop upwards visits parents first and one downwards children first.
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
    uint32_t parent; /* of the root: TRIE_NONE */
    uint32_t key;
};

struct trie {
    struct trie_node *nodes; /* owned */
    size_t len, cap;
    struct index index;
};

/* With the root in it. */
MUST_CHECK enum status trie_init(struct trie *trie);
/* Also of a zeroed one. */
void trie_deinit(struct trie *trie);

/* The child of `parent` by `key`, made when it was absent. */
MUST_CHECK enum status trie_step(struct trie *trie, uint32_t parent, uint32_t key, uint32_t *child);

/* The child of `parent` by `key`, or TRIE_NONE. */
uint32_t trie_find(const struct trie *trie, uint32_t parent, uint32_t key);

/*
 * Children as lists: first[node] and next[node], TRIE_NONE at the end, in no useful order. Both
 * have trie->len elements and are the caller's to free.
 */
MUST_CHECK enum status trie_children(const struct trie *trie, uint32_t **first, uint32_t **next);

#endif
