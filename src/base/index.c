/* SPDX-License-Identifier: MIT */
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

void index_deinit(struct index *index)
{
    hash_deinit(&index->table);
}

enum status index_add(struct index *index, uint64_t hash, uint32_t id)
{
    struct hash_slot slot = {.hash = (uint32_t)hash, .mark = id + 1};

    if (id > INDEX_ID_MAX || hash_reserve(&index->table, sizeof(slot)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *hash_free_slot(&index->table, sizeof(slot), slot.hash) = slot;
    index->table.len++;
    return STATUS_OK;
}

void pool_deinit(struct pool *pool)
{
    free(pool->texts);
    arena_deinit(&pool->arena);
    index_deinit(&pool->index);
    pool_init(pool);
}

enum status pool_intern(struct pool *pool, const char *text, uint32_t *id)
{
    uint64_t hash = keyed_text(text);
    struct index_probe probe = index_find(&pool->index, hash);
    size_t len;
    char *copy;

    while (index_next(&probe, id))
        if (strcmp(pool->texts[*id], text) == 0)
            return STATUS_OK;
    if (vec_reserve(&pool->texts, &pool->cap, pool->len + 1, sizeof(*pool->texts)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    len = strlen(text);
    copy = arena_join(&pool->arena, text, len, "");
    *id = (uint32_t)pool->len;
    if (!copy || index_add(&pool->index, hash, *id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    pool->texts[pool->len++] = copy;
    pool->bytes += len + 1;
    return STATUS_OK;
}
