/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/range_list.h"

#include <dwarf.h>

/* Pairs of offsets from the base; one that begins with the highest address sets it; zeroes end. */
static bool next_pair(struct range_list *list, uint64_t *start, uint64_t *end)
{
    const uint64_t highest = list->word_size == 8 ? UINT64_MAX : UINT32_MAX;

    if (!cursor_uint(&list->entries, list->word_size, start) ||
        !cursor_uint(&list->entries, list->word_size, end) || (*start | *end) == 0)
        return false;
    if (*start == highest) {
        list->base = *end;
        *start = *end = 0;
    } else {
        *start += list->base;
        *end += list->base;
    }
    return true;
}

static bool read_word(struct range_list *list, uint64_t *addr)
{
    return cursor_uint(&list->entries, list->word_size, addr);
}

static bool read_indexed(struct range_list *list, uint64_t *addr)
{
    uint64_t index;

    return cursor_uleb(&list->entries, &index) && list->addr_at(list->context, index, addr);
}

static bool read_end(struct range_list *list, uint64_t start, uint64_t *end)
{
    uint64_t length;

    if (!cursor_uleb(&list->entries, &length))
        return false;
    *end = start + length;
    return true;
}

bool range_list_next(struct range_list *list, uint64_t *start, uint64_t *end)
{
    uint8_t kind;

    *start = *end = 0;
    if (list->version < 5)
        return next_pair(list, start, end);
    if (!cursor_u8(&list->entries, &kind))
        return false;
    switch (kind) {
    case DW_RLE_base_addressx:
        return read_indexed(list, &list->base);
    case DW_RLE_base_address:
        return read_word(list, &list->base);
    case DW_RLE_startx_endx:
        return read_indexed(list, start) && read_indexed(list, end);
    case DW_RLE_startx_length:
        return read_indexed(list, start) && read_end(list, *start, end);
    case DW_RLE_start_end:
        return read_word(list, start) && read_word(list, end);
    case DW_RLE_start_length:
        return read_word(list, start) && read_end(list, *start, end);
    case DW_RLE_offset_pair:
        if (!cursor_uleb(&list->entries, start) || !cursor_uleb(&list->entries, end))
            return false;
        *start += list->base;
        *end += list->base;
        return true;
    default: /* DW_RLE_end_of_list, or a kind of a later version */
        return false;
    }
}

bool range_list_by_index(struct cursor table, uint64_t index, unsigned off_size, uint64_t *off)
{
    const uint64_t table_off = table.pos;
    uint64_t entry;

    return !__builtin_mul_overflow(index, off_size, &entry) && cursor_skip(&table, entry) &&
           cursor_uint(&table, off_size, off) && !__builtin_add_overflow(*off, table_off, off);
}
