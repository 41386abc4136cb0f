/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/pc_ranges.h"

#include "symbol/dwarf/range_list.h"
#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"

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

/* A unit's own DIE says this for its lists of ranges; for a split unit its skeleton's does. */
struct unit_lists {
    uint64_t low_pc;    /* addresses in lists count from it; 0: none */
    uint64_t table_off; /* of the unit's table of offsets in .debug_rnglists; 0: not told */
    uint64_t pairs_off; /* GNU's split DWARF 4: offsets in .debug_ranges count from it; else 0 */
};

static struct unit_lists unit_lists_of(struct debug_reader *reader, const struct debug_unit *unit)
{
    const struct debug_unit *teller = unit->skeleton ? unit->skeleton : unit;
    struct unit_lists lists = {0};
    struct debug_die top;

    if (!die_open(reader, unit_ref(teller, teller->die_off), &top))
        return lists;
    if (!attr_address(reader, &top, DW_AT_low_pc, &lists.low_pc))
        lists.low_pc = 0;
    if (teller != unit && !attr_section_off(reader, &top, DW_AT_GNU_ranges_base, &lists.pairs_off))
        lists.pairs_off = 0;
    if (teller == unit && !attr_section_off(reader, &top, DW_AT_rnglists_base, &lists.table_off))
        lists.table_off = 0;
    die_close(reader, &top);
    return lists;
}

static struct cursor section_at(const struct debug_unit *unit, const char *name, uint64_t off)
{
    const struct debug_file_section *section = debug_file_section(&unit->group->file, name);
    struct cursor c =
        section ? cursor_init(section->bytes, (size_t)section->size) : cursor_init("", 0);

    if (!cursor_skip(&c, off))
        c.pos = c.size;
    return c;
}

/* The table of a split unit, which does not tell it: behind the header of its part of a package. */
static uint64_t split_table_off(struct debug_reader *reader, const struct debug_die *die)
{
    struct Dwarf_Debug_Fission_Per_CU_s parts = {.pcu_type = NULL};
    const unsigned header_size = die->unit->offset_size == 8 ? 20 : 12;

    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->get_debugfission_for_die(die->handle, &parts, &reader->error)) &&
                   parts.pcu_type
               ? parts.pcu_offset[DW_SECT_RNGLISTS] + header_size
               : header_size;
}

/* Sets *list to where the list begins that DW_AT_ranges names by an offset or index. */
static bool find_list(struct debug_reader *reader, const struct debug_die *die, bool is_index,
                      uint64_t off, struct range_list *list)
{
    const struct debug_unit *unit = die->unit;
    const struct unit_lists lists = unit_lists_of(reader, unit);
    const bool is_split = unit->file >= DEBUG_FILE_SPLIT;
    const char *name = is_split ? ".debug_rnglists.dwo" : ".debug_rnglists";
    const uint64_t table_off = is_split ? split_table_off(reader, die) : lists.table_off;

    if (is_index &&
        !range_list_by_index(section_at(unit, name, table_off), off, unit->offset_size, &off))
        return false;
    list->base = lists.low_pc;
    list->entries = unit->version >= 5 ? section_at(unit, name, off)
                                       : section_at(unit->skeleton ? unit->skeleton : unit,
                                                    ".debug_ranges", off + lists.pairs_off);
    return true;
}

struct addresses {
    struct debug_reader *reader;
    const struct debug_die *die;
};

static bool addr_at(void *context, uint64_t index, uint64_t *vaddr)
{
    const struct addresses *of = context;
    Dwarf_Addr addr;

    if (!reader_ok(of->reader, unit_dbg(of->die->unit),
                   of->reader->dw->debug_addr_index_to_addr(of->die->handle, index, &addr,
                                                            &of->reader->error)))
        return false;
    *vaddr = addr;
    return true;
}

static void read_list(struct debug_reader *reader, const struct debug_die *die, bool is_index,
                      uint64_t off, struct pc_ranges *ranges)
{
    struct addresses of = {.reader = reader, .die = die};
    struct range_list list = {.version = die->unit->version,
                              .word_size = (uint8_t)die->unit->address_size,
                              .addr_at = addr_at,
                              .context = &of};
    uint64_t start, end;

    if (!find_list(reader, die, is_index, off, &list))
        return;
    while (ranges->count < PC_RANGES_MAX && range_list_next(&list, &start, &end))
        add(reader, ranges, start, end);
}

void pc_ranges_of(struct debug_reader *reader, const struct debug_die *die,
                  struct pc_ranges *ranges)
{
    Dwarf_Attribute attr;
    uint64_t low, off;

    if (attr_open(reader, die, DW_AT_ranges, &attr)) {
        const bool is_index = attr_form(reader, die, attr) == DW_FORM_rnglistx;

        attr_close(reader, attr);
        if (attr_section_off(reader, die, DW_AT_ranges, &off))
            read_list(reader, die, is_index, off, ranges);
    } else if (attr_address(reader, die, DW_AT_low_pc, &low)) {
        enum Dwarf_Form_Class class;
        Dwarf_Addr high;
        Dwarf_Half form;

        if (reader_ok(reader, unit_dbg(die->unit),
                      reader->dw->highpc_b(die->handle, &high, &form, &class, &reader->error)))
            add(reader, ranges, low, class == DW_FORM_CLASS_CONSTANT ? low + high : high);
    }
}
