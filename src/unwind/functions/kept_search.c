/* SPDX-License-Identifier: MIT */
#include "unwind/functions/kept_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbol/elf/elf_identity.h"

#define KIND      "search of code, 1"  /* another number when records change */
#define TOTAL_MAX (UINT64_C(32) << 20) /* above, records that were not used are dropped */

struct kept_record {
    struct kept_id id;
    const uint8_t *bytes;
    size_t size;
    bool owned, used;
};

struct kept_head { /* before each record's bytes, in the cache */
    struct kept_id id;
    uint64_t size;
};

struct kept_search {
    struct cache *cache;
    struct cache_key key;
    struct cache_view loaded; /* the cache's entry */
    bool is_loaded, is_changed;
    struct kept_record *records;
    size_t count, cap;
};

enum status kept_search_create(struct cache *cache, const struct elf_image *image,
                               struct kept_search **out)
{
    struct elf_identity identity;
    struct kept_search *kept;

    if (!elf_image_identity(image, &identity))
        return STATUS_UNSUPPORTED;
    kept = calloc(1, sizeof(*kept));
    if (!kept)
        return STATUS_NO_MEMORY;
    kept->cache = cache;
    kept->key = cache_key(cache, KIND, &identity, sizeof(identity));
    *out = kept;
    return STATUS_OK;
}

void kept_search_destroy(struct kept_search *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->count; i++)
        if (kept->records[i].owned)
            free((void *)kept->records[i].bytes);
    free(kept->records);
    cache_view_end(&kept->loaded);
    free(kept);
}

static bool add(struct kept_search *kept, const struct kept_record *record)
{
    if (vec_reserve(&kept->records, &kept->cap, kept->count + 1, sizeof(*kept->records)) !=
        STATUS_OK)
        return false;
    kept->records[kept->count++] = *record;
    return true;
}

static void load(struct kept_search *kept)
{
    struct kept_head head;
    struct cursor c;

    kept->is_loaded = true;
    if (cache_load(kept->cache, &kept->key, &kept->loaded) != STATUS_OK)
        return;
    c = cursor_init(kept->loaded.bytes, kept->loaded.size);
    while (cursor_left(&c) >= sizeof(head)) {
        struct kept_record record = {.owned = false};

        memcpy(&head, c.data + c.pos, sizeof(head));
        c.pos += sizeof(head);
        record.id = head.id;
        record.size = (size_t)head.size;
        if (!cursor_bytes(&c, head.size, &record.bytes) || !add(kept, &record))
            return;
    }
}

static struct kept_record *find(const struct kept_search *kept, const struct kept_id *id)
{
    for (size_t i = 0; i < kept->count; i++) {
        struct kept_record *record = &kept->records[i];

        if (record->id.kind == id->kind && record->id.number == id->number &&
            record->id.basis == id->basis)
            return record;
    }
    return NULL;
}

bool kept_search_find(struct kept_search *kept, const struct kept_id *id, struct cursor *out)
{
    struct kept_record *record;

    if (!kept->is_loaded)
        load(kept);
    record = find(kept, id);
    if (!record)
        return false;
    record->used = true;
    *out = cursor_init(record->bytes, record->size);
    return true;
}

void kept_search_put(struct kept_search *kept, const struct kept_id *id, uint8_t *bytes,
                     size_t size)
{
    const struct kept_record record = {
        .id = *id, .bytes = bytes, .size = size, .owned = true, .used = true};
    struct kept_record *before = find(kept, id);

    if (!bytes)
        return;
    if (before) {
        if (before->owned)
            free((void *)before->bytes);
        *before = record;
    } else if (!add(kept, &record)) {
        free(bytes);
        return;
    }
    kept->is_changed = true;
}

static bool is_saved(const struct kept_record *record, bool all)
{
    return all || record->used;
}

static size_t size_of(const struct kept_search *kept, bool all)
{
    size_t size = 0;

    for (size_t i = 0; i < kept->count; i++)
        if (is_saved(&kept->records[i], all))
            size += sizeof(struct kept_head) + kept->records[i].size;
    return size;
}

void kept_search_save(struct kept_search *kept)
{
    const bool all = size_of(kept, true) <= TOTAL_MAX;
    const size_t size = size_of(kept, all);
    uint8_t *bytes, *at;

    if (!kept->is_changed || size > CACHE_ENTRY_MAX || !(bytes = malloc(size)))
        return;
    at = bytes;
    for (size_t i = 0; i < kept->count; i++) {
        const struct kept_record *record = &kept->records[i];
        struct kept_head head;

        if (!is_saved(record, all))
            continue;
        memset(&head, 0, sizeof(head)); /* padding, too */
        head.id.kind = record->id.kind;
        head.id.number = record->id.number;
        head.id.basis = record->id.basis;
        head.size = record->size;
        memcpy(at, &head, sizeof(head));
        memcpy(at + sizeof(head), record->bytes, record->size);
        at += sizeof(head) + record->size;
    }
    cache_store(kept->cache, &kept->key, bytes, size);
    free(bytes);
}
