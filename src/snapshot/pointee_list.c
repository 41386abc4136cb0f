/* SPDX-License-Identifier: MIT */
#include "snapshot/pointee_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

void pointee_list_clear(struct pointee_list *list)
{
    free(list->pieces);
    *list = (struct pointee_list){0};
}

/* Returns the list's bytes for the piece, if one of its pieces has them all; else NULL. */
static const uint8_t *known_bytes(const struct pointee_list *list, const struct snap_region *piece)
{
    const struct snap_region *old = list->pieces;
    const size_t at = SEARCH_FIRST(i, 0, list->count, old[i].start_addr <= piece->start_addr);

    if (!at || piece->end_addr > old[at - 1].end_addr)
        return NULL;
    return old[at - 1].bytes + (piece->start_addr - old[at - 1].start_addr);
}

/* Reads the next piece; its bytes are borrowed from the record or the list. */
static enum status read_piece(const struct pointee_list *list, struct cursor *c,
                              struct snap_region *piece, const char **what)
{
    uint32_t size;
    uint8_t kind;

    *what = "pointees record is too short";
    *piece = (struct snap_region){0};
    if (!cursor_u64(c, &piece->start_addr) || !cursor_u32(c, &size) || !cursor_u8(c, &kind))
        return STATUS_BAD_DATA;
    if (!size || __builtin_add_overflow(piece->start_addr, size, &piece->end_addr) ||
        kind > SNAP_POINTEE_KNOWN) {
        *what = "pointees record is inconsistent";
        return STATUS_BAD_DATA;
    }
    if (kind == SNAP_POINTEE_NEW)
        return cursor_bytes(c, size, &piece->bytes) ? STATUS_OK : STATUS_BAD_DATA;
    *what = "pointees record refers to bytes that were never captured";
    piece->bytes = known_bytes(list, piece);
    return piece->bytes ? STATUS_OK : STATUS_BAD_DATA;
}

/* Reads all pieces; *total: their bytes together. */
static enum status read_pieces(const struct pointee_list *list, struct cursor *c,
                               struct snap_region *pieces, uint32_t count, size_t *total,
                               const char **what)
{
    *total = 0;
    for (uint32_t i = 0; i < count; i++) {
        enum status status = read_piece(list, c, &pieces[i], what);

        if (status != STATUS_OK)
            return status;
        *what = "pointees overlap, or do not ascend, or are more than the format allows";
        if (i && pieces[i].start_addr < pieces[i - 1].end_addr)
            return STATUS_BAD_DATA;
        *total += (size_t)(pieces[i].end_addr - pieces[i].start_addr);
        if (*total > SNAP_POINTEES_MAX)
            return STATUS_BAD_DATA;
    }
    return STATUS_OK;
}

/* Copies to one block: the pieces, then their bytes. NULL: no memory. */
static struct snap_region *copy(const struct snap_region *pieces, uint32_t count, size_t total)
{
    struct snap_region *block = malloc(count * sizeof(*block) + total);
    uint8_t *bytes;

    if (!block)
        return NULL;
    bytes = (uint8_t *)(block + count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t size = (size_t)(pieces[i].end_addr - pieces[i].start_addr);

        block[i] = pieces[i];
        block[i].bytes = bytes;
        memcpy(bytes, pieces[i].bytes, size);
        bytes += size;
    }
    return block;
}

enum status pointee_list_take(struct pointee_list *list, struct cursor *c, const char **what)
{
    struct snap_region pieces[SNAP_POINTEE_COUNT];
    struct pointee_list next = {0};
    enum status status;
    uint16_t count;
    size_t total;

    *what = "pointees record is too short";
    if (!cursor_u64(c, &next.time_ns) || !cursor_u16(c, &count))
        return STATUS_BAD_DATA;
    *what = "pointees record has more pieces than the format allows";
    if (count > SNAP_POINTEE_COUNT)
        return STATUS_BAD_DATA;
    status = read_pieces(list, c, pieces, count, &total, what);
    if (status != STATUS_OK)
        return status;
    if (count) {
        next.pieces = copy(pieces, count, total);
        if (!next.pieces)
            return STATUS_NO_MEMORY;
        next.size = count * sizeof(*pieces) + total;
    }
    next.count = count;
    pointee_list_clear(list);
    *list = next;
    return STATUS_OK;
}
