#include "base/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void index_deinit(struct index *index)
{
    free(index->slots);
    index_init(index);
}

static void place(struct index *index, struct index_slot slot)
{
    size_t pos = slot.hash & (index->cap - 1);

    while (index->slots[pos].id_plus_1)
        pos = (pos + 1) & (index->cap - 1);
    index->slots[pos] = slot;
}

static enum status grow(struct index *index)
{
    struct index bigger = {.cap = index->cap ? index->cap * 2 : 16, .len = index->len};

    bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
    if (!bigger.slots)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < index->cap; i++)
        if (index->slots[i].id_plus_1)
            place(&bigger, index->slots[i]);
    free(index->slots);
    *index = bigger;
    return STATUS_OK;
}

enum status index_add(struct index *index, uint64_t hash, uint32_t id)
{
    if (id > INDEX_ID_MAX)
        return STATUS_NO_MEMORY;
    if ((index->len + 1) * 3 > index->cap * 2 && grow(index) != STATUS_OK)
        return STATUS_NO_MEMORY;
    place(index, (struct index_slot){.hash = (uint32_t)hash, .id_plus_1 = id + 1});
    index->len++;
    return STATUS_OK;
}

/* FNV-1a. */
uint64_t index_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

void pool_deinit(struct pool *pool)
{
    for (size_t i = 0; i < pool->len; i++)
        free(pool->texts[i]);
    free(pool->texts);
    index_deinit(&pool->index);
    pool_init(pool);
}

enum status pool_intern(struct pool *pool, const char *text, uint32_t *id)
{
    uint64_t hash = index_hash_text(text);
    struct index_probe probe = index_find(&pool->index, hash);
    char *copy;

    while (index_next(&probe, id))
        if (strcmp(pool->texts[*id], text) == 0)
            return STATUS_OK;
    if (vec_reserve(&pool->texts, &pool->cap, pool->len + 1, sizeof(*pool->texts)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    copy = strdup(text);
    if (!copy)
        return STATUS_NO_MEMORY;
    *id = (uint32_t)pool->len;
    if (index_add(&pool->index, hash, *id) != STATUS_OK) {
        free(copy);
        return STATUS_NO_MEMORY;
    }
    pool->texts[pool->len++] = copy;
    return STATUS_OK;
}
