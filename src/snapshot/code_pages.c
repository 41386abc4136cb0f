/* SPDX-License-Identifier: MIT */
#include "snapshot/code_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

void code_pages_deinit(struct code_pages *pages)
{
    for (size_t i = 0; i < pages->len; i++)
        free(pages->extents[i].bytes);
    free(pages->extents);
    *pages = (struct code_pages){0};
}

static uint64_t end_of(const struct code_extent *extent)
{
    return extent->off + extent->size;
}

/* Returns the index of the first extent that ends at `off` or behind it. */
static size_t first_from(const struct code_pages *pages, uint64_t off)
{
    return SEARCH_FIRST(i, 0, pages->len, end_of(&pages->extents[i]) < off);
}

static enum status append(struct code_pages *pages, struct code_extent *extent,
                          const uint8_t *bytes, size_t size)
{
    if (size > CODE_PAGES_MAX - pages->total ||
        vec_reserve(&extent->bytes, &extent->cap, extent->size + size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    memcpy(extent->bytes + extent->size, bytes, size);
    extent->size += size;
    pages->total += size;
    return STATUS_OK;
}

static enum status insert(struct code_pages *pages, size_t at, uint64_t off)
{
    if (vec_reserve(&pages->extents, &pages->cap, pages->len + 1, sizeof(*pages->extents)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    memmove(&pages->extents[at + 1], &pages->extents[at],
            (pages->len - at) * sizeof(*pages->extents));
    pages->extents[at] = (struct code_extent){.off = off};
    pages->len++;
    return STATUS_OK;
}

static void drop(struct code_pages *pages, size_t at)
{
    free(pages->extents[at].bytes);
    pages->len--;
    memmove(&pages->extents[at], &pages->extents[at + 1],
            (pages->len - at) * sizeof(*pages->extents));
}

/* Joins the extent to the one before, which reaches it. */
static enum status merge(struct code_pages *pages, size_t at)
{
    struct code_extent *next = &pages->extents[at];
    enum status status;

    pages->total -= next->size;
    status = append(pages, &pages->extents[at - 1], next->bytes, next->size);
    if (status == STATUS_OK)
        drop(pages, at);
    else
        pages->total += next->size;
    return status;
}

enum status code_pages_add(struct code_pages *pages, uint64_t off, const uint8_t *bytes,
                           size_t size)
{
    uint64_t end;
    size_t at = first_from(pages, off);

    if (__builtin_add_overflow(off, size, &end))
        return STATUS_NO_MEMORY;
    while (off < end) {
        struct code_extent *extent = at < pages->len ? &pages->extents[at] : NULL;
        const struct code_extent *next;
        uint64_t until;
        enum status status;

        if (!extent || extent->off > off) {
            status = insert(pages, at, off);
            if (status != STATUS_OK)
                return status;
            extent = &pages->extents[at];
        } else if (end_of(extent) >= end) {
            return STATUS_OK;
        } else if (end_of(extent) > off) {
            bytes += end_of(extent) - off;
            off = end_of(extent);
        }
        next = at + 1 < pages->len ? &pages->extents[at + 1] : NULL;
        until = next && next->off < end ? next->off : end;
        status = append(pages, extent, bytes, (size_t)(until - off));
        if (status != STATUS_OK) {
            if (!extent->size)
                drop(pages, at);
            return status;
        }
        bytes += until - off;
        off = until;
        if (next && next->off == until && (status = merge(pages, at + 1)) != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status code_pages_replace(struct code_pages *pages, uint64_t off, const uint8_t *bytes,
                               size_t size, bool *changed)
{
    uint64_t end;

    if (__builtin_add_overflow(off, size, &end))
        return STATUS_NO_MEMORY;
    for (size_t at = first_from(pages, off); at < pages->len && pages->extents[at].off < end;
         at++) {
        struct code_extent *extent = &pages->extents[at];
        const uint64_t from = extent->off > off ? extent->off : off;
        const uint64_t until = end_of(extent) < end ? end_of(extent) : end;
        uint8_t *to = extent->bytes + (from - extent->off);

        if (from >= until || memcmp(to, bytes + (from - off), (size_t)(until - from)) == 0)
            continue;
        memcpy(to, bytes + (from - off), (size_t)(until - from));
        *changed = true;
    }
    return code_pages_add(pages, off, bytes, size);
}

const uint8_t *code_pages_at(const struct code_pages *pages, uint64_t off, uint64_t *avail)
{
    size_t at = off < UINT64_MAX ? first_from(pages, off + 1) : pages->len;
    const struct code_extent *extent = at < pages->len ? &pages->extents[at] : NULL;

    if (!extent || extent->off > off)
        return NULL;
    *avail = end_of(extent) - off;
    return extent->bytes + (off - extent->off);
}
