/* SPDX-License-Identifier: MIT */
#include "graph/trie.h"

#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

static enum status append(struct trie *trie, uint32_t parent, uint32_t key)
{
    if (trie->len > INDEX_ID_MAX ||
        vec_reserve(&trie->nodes, &trie->cap, trie->len + 1, sizeof(*trie->nodes)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    trie->nodes[trie->len++] = (struct trie_node){.parent = parent, .key = key, .child = TRIE_NONE};
    return STATUS_OK;
}

enum status trie_init(struct trie *trie)
{
    *trie = (struct trie){0};
    return append(trie, TRIE_NONE, 0);
}

void trie_deinit(struct trie *trie)
{
    free(trie->nodes);
    index_deinit(&trie->index);
    *trie = (struct trie){0};
}

uint32_t trie_find(const struct trie *trie, uint32_t parent, uint32_t key)
{
    struct index_probe probe;
    uint32_t id = trie->nodes[parent].child;

    if (id == TRIE_NONE || trie->nodes[id].key == key)
        return id;
    probe = index_find(&trie->index, keyed_words(parent, key));
    while (index_next(&probe, &id))
        if (trie->nodes[id].parent == parent && trie->nodes[id].key == key)
            return id;
    return TRIE_NONE;
}

enum status trie_step(struct trie *trie, uint32_t parent, uint32_t key, uint32_t *child)
{
    uint32_t id = trie_find(trie, parent, key);

    if (id != TRIE_NONE) {
        *child = id;
        return STATUS_OK;
    }
    id = (uint32_t)trie->len;
    if (append(trie, parent, key) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (trie->nodes[parent].child == TRIE_NONE) {
        trie->nodes[parent].child = id;
    } else if (index_add(&trie->index, keyed_words(parent, key), id) != STATUS_OK) {
        trie->len--;
        return STATUS_NO_MEMORY;
    }
    *child = id;
    return STATUS_OK;
}

enum status trie_children(const struct trie *trie, uint32_t **first, uint32_t **next)
{
    *first = malloc(trie->len * sizeof(**first));
    *next = malloc(trie->len * sizeof(**next));
    if (!*first || !*next) {
        free(*first);
        free(*next);
        *first = *next = NULL; /* callers free what they got in any case */
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < trie->len; i++)
        (*first)[i] = (*next)[i] = TRIE_NONE;
    for (size_t i = trie->len; i-- > 1;) {
        uint32_t parent = trie->nodes[i].parent;

        (*next)[i] = (*first)[parent];
        (*first)[parent] = (uint32_t)i;
    }
    return STATUS_OK;
}
