/* SPDX-License-Identifier: MIT */
#include "unwind/functions/kept_search.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define KIND         "search of code, 1"  /* another number when records change */
#define TOTAL_MAX    (UINT64_C(32) << 20) /* when there is more, what this run has not used goes */
#define IDENTITY_MAX 128

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
    uint8_t *loaded; /* what the cache had */
    bool is_loaded, is_changed;
    struct kept_record *records;
    size_t count, cap;
};

/* Of the tables of segments and sections, as far as they are in the file. */
static uint64_t hash_headers(const struct elf_image *image)
{
    size_t size;
    const uint8_t *file = elf_image_file_bytes(image, &size);
    const size_t head_size = size < sizeof(Elf64_Ehdr) ? size : sizeof(Elf64_Ehdr);
    const bool is_64 = elf_image_arch(image)->word_size == 8;
    uint64_t hash = cache_hash(size, file, head_size), sections_off = 0, sections_size = 0;
    Elf64_Ehdr head64 = {0};
    Elf32_Ehdr head32 = {0};

    if (is_64 && size >= sizeof(head64)) {
        memcpy(&head64, file, sizeof(head64));
        sections_off = head64.e_shoff;
        sections_size = (uint64_t)head64.e_shnum * head64.e_shentsize;
    } else if (!is_64 && size >= sizeof(head32)) {
        memcpy(&head32, file, sizeof(head32));
        sections_off = head32.e_shoff;
        sections_size = (uint64_t)head32.e_shnum * head32.e_shentsize;
    }
    if (sections_off <= size && sections_size <= size - sections_off)
        hash = cache_hash(hash, file + sections_off, (size_t)sections_size);
    return hash;
}

enum status kept_search_create(struct cache *cache, const struct elf_image *image,
                               struct kept_search **out)
{
    size_t id_size;
    const uint8_t *build_id = elf_image_build_id(image, &id_size);
    const uint64_t headers = hash_headers(image);
    uint8_t identity[IDENTITY_MAX];
    struct kept_search *kept;

    if (id_size == 0 || id_size > sizeof(identity) - sizeof(headers))
        return STATUS_UNSUPPORTED;
    kept = calloc(1, sizeof(*kept));
    if (!kept)
        return STATUS_NO_MEMORY;
    memcpy(identity, &headers, sizeof(headers));
    memcpy(identity + sizeof(headers), build_id, id_size);
    kept->cache = cache;
    kept->key = cache_key(cache, KIND, identity, sizeof(headers) + id_size);
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
    free(kept->loaded);
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
    size_t size;

    kept->is_loaded = true;
    if (cache_load(kept->cache, &kept->key, &kept->loaded, &size) != STATUS_OK)
        return;
    c = cursor_init(kept->loaded, size);
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
        memset(&head, 0, sizeof(head)); /* what lies between its members, too */
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
