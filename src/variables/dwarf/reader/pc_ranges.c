/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/pc_ranges.h"

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/split_ranges.h"

static void add(struct debug_reader *reader, struct pc_ranges *ranges, uint64_t start, uint64_t end)
{
    start &= reader->pc_mask;
    end &= reader->pc_mask;
    if (start >= end || ranges->count >= PC_RANGES_MAX)
        return;
    ranges->list =
        child_reserve(ranges->list, &ranges->cap, ranges->count + 1, sizeof(*ranges->list));
    ranges->list[ranges->count++] = (struct pc_range){.start = start, .end = end};
}

/* The unit's DW_AT_low_pc, which addresses in lists are relative to; 0: none. */
static uint64_t base_of(struct debug_reader *reader, const struct debug_die *die)
{
    const struct debug_unit *unit = die->unit->skeleton ? die->unit->skeleton : die->unit;
    struct debug_die top;
    uint64_t base;

    if (!die_open(reader, unit_ref(unit, unit->die_off), &top))
        return 0;
    if (!attr_address(reader, &top, DW_AT_low_pc, &base))
        base = 0;
    die_close(reader, &top);
    return base;
}

static bool indexed(struct debug_reader *reader, const struct debug_die *die, uint64_t index,
                    uint64_t *vaddr)
{
    Dwarf_Addr addr;

    if (!reader_ok(reader, unit_dbg(die->unit),
                   reader->dw->debug_addr_index_to_addr(die->handle, index, &addr, &reader->error)))
        return false;
    *vaddr = addr;
    return true;
}

/* Adds an entry as the section has it: libdwarf does not look up the addresses of split files. */
static void add_entry(struct debug_reader *reader, const struct debug_die *die, unsigned code,
                      uint64_t first, uint64_t second, uint64_t *base, struct pc_ranges *ranges)
{
    uint64_t start, end;

    switch (code) {
    case DW_RLE_base_address:
        *base = first;
        break;
    case DW_RLE_base_addressx:
        if (!indexed(reader, die, first, base))
            *base = 0;
        break;
    case DW_RLE_offset_pair:
        add(reader, ranges, *base + first, *base + second);
        break;
    case DW_RLE_start_end:
        add(reader, ranges, first, second);
        break;
    case DW_RLE_start_length:
        add(reader, ranges, first, first + second);
        break;
    case DW_RLE_startx_length:
        if (indexed(reader, die, first, &start))
            add(reader, ranges, start, start + second);
        break;
    case DW_RLE_startx_endx:
        if (indexed(reader, die, first, &start) && indexed(reader, die, second, &end))
            add(reader, ranges, start, end);
        break;
    }
}

/* DWARF 5: .debug_rnglists */
static void read_range_lists(struct debug_reader *reader, const struct debug_die *die,
                             Dwarf_Attribute attr, uint64_t value, struct pc_ranges *ranges)
{
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    uint64_t base = base_of(reader, die);
    Dwarf_Rnglists_Head head;
    Dwarf_Unsigned count, off;

    if (!reader_ok(reader, dbg,
                   reader->dw->rnglists_get_rle_head(attr, attr_form(reader, die, attr), value,
                                                     &head, &count, &off, &reader->error)))
        return;
    for (Dwarf_Unsigned i = 0; i < count && ranges->count < PC_RANGES_MAX; i++) {
        Dwarf_Unsigned first, second, start, end;
        unsigned length, code;
        Dwarf_Bool unavailable;

        if (!reader_ok(reader, dbg,
                       reader->dw->get_rnglists_entry_fields_a(head, i, &length, &code, &first,
                                                               &second, &unavailable, &start, &end,
                                                               &reader->error)))
            break;
        add_entry(reader, die, code, first, second, &base, ranges);
    }
    reader->dw->dealloc_rnglists_head(head);
}

static void read_split_list(struct debug_reader *reader, const struct debug_die *die,
                            uint64_t index, struct pc_ranges *ranges)
{
    uint64_t base = base_of(reader, die), first, second;
    struct cursor list;
    uint8_t code;

    if (!split_ranges_find(reader, die, index, &list))
        return;
    while (ranges->count < PC_RANGES_MAX &&
           split_ranges_next(&list, die->unit->address_size, &code, &first, &second))
        add_entry(reader, die, code, first, second, &base, ranges);
}

/* DWARF 3 and 4: .debug_ranges, relative to the unit's low_pc or to a base entry. */
static void read_ranges(struct debug_reader *reader, const struct debug_die *die, uint64_t off,
                        struct pc_ranges *ranges)
{
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    uint64_t base = base_of(reader, die);
    Dwarf_Ranges *list;
    Dwarf_Signed count;
    Dwarf_Unsigned bytes;
    Dwarf_Off real_off;

    if (!reader_ok(reader, dbg,
                   reader->dw->get_ranges_b(dbg, off, die->handle, &real_off, &list, &count, &bytes,
                                            &reader->error)))
        return;
    for (Dwarf_Signed i = 0; i < count; i++) {
        if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = list[i].dwr_addr2;
        else if (list[i].dwr_type == DW_RANGES_ENTRY)
            add(reader, ranges, base + list[i].dwr_addr1, base + list[i].dwr_addr2);
        else
            break;
    }
    reader->dw->dealloc_ranges(dbg, list, count);
}

static void read_attribute(struct debug_reader *reader, const struct debug_die *die,
                           Dwarf_Attribute attr, struct pc_ranges *ranges)
{
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    Dwarf_Unsigned value;
    Dwarf_Off off;
    bool is;

    /* `value`: an index, or in DWARF 2 and 3 a constant; else an offset in a section. */
    switch (attr_form(reader, die, attr)) {
    case DW_FORM_rnglistx:
    case DW_FORM_data4:
    case DW_FORM_data8:
        is = reader_ok(reader, dbg, reader->dw->formudata(attr, &value, &reader->error));
        break;
    default:
        is = reader_ok(reader, dbg, reader->dw->global_formref(attr, &off, &reader->error));
        value = off;
    }
    if (is && die->unit->file >= DEBUG_FILE_SPLIT &&
        attr_form(reader, die, attr) == DW_FORM_rnglistx)
        read_split_list(reader, die, value, ranges);
    else if (is && die->unit->version >= 5)
        read_range_lists(reader, die, attr, value, ranges);
    else if (is)
        read_ranges(reader, die, value, ranges);
}

void pc_ranges_of(struct debug_reader *reader, const struct debug_die *die,
                  struct pc_ranges *ranges)
{
    Dwarf_Attribute attr;
    uint64_t low;

    if (attr_open(reader, die, DW_AT_ranges, &attr)) {
        read_attribute(reader, die, attr, ranges);
        attr_close(reader, attr);
    } else if (attr_address(reader, die, DW_AT_low_pc, &low)) {
        enum Dwarf_Form_Class class;
        Dwarf_Addr high;
        Dwarf_Half form;

        if (reader_ok(reader, unit_dbg(die->unit),
                      reader->dw->highpc_b(die->handle, &high, &form, &class, &reader->error)))
            add(reader, ranges, low, class == DW_FORM_CLASS_CONSTANT ? low + high : high);
    }
}
