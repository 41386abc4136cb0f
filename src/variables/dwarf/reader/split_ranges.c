/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/split_ranges.h"

/* Where the unit's part of the section begins: not at 0 in a package. */
static uint64_t part_of_package(struct debug_reader *reader, const struct debug_die *die)
{
    struct Dwarf_Debug_Fission_Per_CU_s parts = {.pcu_type = NULL};

    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->get_debugfission_for_die(die->handle, &parts, &reader->error)) &&
                   parts.pcu_type
               ? parts.pcu_offset[DW_SECT_RNGLISTS]
               : 0;
}

bool split_ranges_find(struct debug_reader *reader, const struct debug_die *die, uint64_t index,
                       struct cursor *list)
{
    const struct debug_file_section *section =
        debug_file_section(&die->unit->group->file, ".debug_rnglists.dwo");
    struct cursor c;
    uint64_t length, off;
    uint32_t word, count;
    unsigned offset_size = 4;
    size_t table;

    if (!section)
        return false;
    c = cursor_init(section->bytes, (size_t)section->size);
    if (!cursor_skip(&c, part_of_package(reader, die)) || !cursor_u32(&c, &word))
        return false;
    length = word;
    if (word == UINT32_MAX) {
        offset_size = 8;
        if (!cursor_u64(&c, &length))
            return false;
    }
    /* Skips the version and two sizes; the number of offsets follows. */
    if (length > cursor_left(&c) || !cursor_skip(&c, 4) || !cursor_u32(&c, &count) ||
        index >= count)
        return false;
    table = c.pos;
    if (!cursor_skip(&c, index * offset_size) || !cursor_uint(&c, offset_size, &off))
        return false;
    c.pos = table;
    *list = c;
    return cursor_skip(list, off);
}

bool split_ranges_next(struct cursor *list, unsigned address_size, uint8_t *code, uint64_t *first,
                       uint64_t *second)
{
    *first = *second = 0;
    if (!cursor_u8(list, code))
        return false;
    switch (*code) {
    case DW_RLE_base_addressx:
        return cursor_uleb(list, first);
    case DW_RLE_startx_endx:
    case DW_RLE_startx_length:
    case DW_RLE_offset_pair:
        return cursor_uleb(list, first) && cursor_uleb(list, second);
    case DW_RLE_base_address:
        return cursor_uint(list, address_size, first);
    case DW_RLE_start_end:
        return cursor_uint(list, address_size, first) && cursor_uint(list, address_size, second);
    case DW_RLE_start_length:
        return cursor_uint(list, address_size, first) && cursor_uleb(list, second);
    default: /* DW_RLE_end_of_list */
        return false;
    }
}
