/* SPDX-License-Identifier: MIT */
#include "symbol/elf/inflated.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/elf/elf_identity.h"
#include "symbol/elf/inflate.h"

#define KEPT_SECTION_MIN 131072 /* compressed bytes: a millisecond */

struct inflated_id { /* no padding */
    struct elf_identity file;
    uint64_t off, size;
};

/* The key of a section that takes longer to inflate than to load; false: nothing is kept of it. */
static bool kept_key(const struct compressed *from, struct cache_key *key)
{
    struct inflated_id id;

    if (!from->cache || from->size < KEPT_SECTION_MIN)
        return false;
    memset(&id, 0, sizeof(id));
    if (!elf_image_identity(from->image, &id.file))
        return false;
    id.off = from->off;
    id.size = from->size;
    *key = cache_key(from->cache, "inflated section, 1", &id, sizeof(id));
    return true;
}

/* Has the view the wanted size, and zeroes behind it? */
static bool is_inflated(const struct cache_view *view, uint64_t wanted)
{
    static const uint8_t zeroes[INFLATE_PAD];

    return view->size >= INFLATE_PAD && view->size - INFLATE_PAD == wanted &&
           memcmp(view->bytes + wanted, zeroes, INFLATE_PAD) == 0;
}

/* Loads a section that an earlier run inflated. */
static bool load(const struct compressed *from, const uint8_t *bytes, bool wide, bool zdebug,
                 uint64_t max, struct inflated *out)
{
    struct cache_key key;
    uint64_t wanted;

    if (!kept_key(from, &key) || !inflate_size(bytes, (size_t)from->size, wide, zdebug, &wanted) ||
        wanted > max || cache_load(from->cache, &key, &out->kept) != STATUS_OK)
        return false;
    if (!is_inflated(&out->kept, wanted)) {
        cache_view_end(&out->kept);
        return false;
    }
    out->bytes = out->kept.bytes;
    out->size = wanted;
    return true;
}

enum status inflated_make(const struct compressed *from, bool zdebug, uint64_t max,
                          struct inflated *out)
{
    const bool wide = elf_image_arch(from->image)->word_size == 8;
    const size_t size = (size_t)from->size;
    size_t file_size;
    const uint8_t *bytes = elf_image_file_bytes(from->image, &file_size) + from->off;
    enum status status;
    uint8_t *inflated;
    uint64_t inflated_size;

    if (load(from, bytes, wide, zdebug, max, out))
        return STATUS_OK;
    status = zdebug ? inflate_zdebug(bytes, size, max, &inflated, &inflated_size)
                    : inflate_section(bytes, size, wide, max, &inflated, &inflated_size);
    if (status != STATUS_OK)
        return status;
    out->bytes = inflated;
    out->size = inflated_size;
    return STATUS_OK;
}

void inflated_end(const struct compressed *from, struct inflated *inflated)
{
    struct cache_key key;

    if (inflated->bytes && !inflated->kept.map) {
        if (kept_key(from, &key))
            cache_store(from->cache, &key, inflated->bytes, (size_t)inflated->size + INFLATE_PAD);
        free((void *)(uintptr_t)inflated->bytes);
    }
    cache_view_end(&inflated->kept);
}
