/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/die_ranges.h"

#include <dwarf.h>

#include "base/cursor.h"

/* Reports one DIE's ranges. */
struct ranges {
    struct dwarf_file *file;
    const struct dwarf_unit *unit;
    const struct unit_bases *bases;
    unsigned word_size;
    die_range_fn *report;
    void *context;
};

static enum status report_range(const struct ranges *to, uint64_t start, uint64_t end)
{
    uint64_t section_start, section_end;

    if (start >= end ||
        elf_image_exec_range(to->file->image, start, &section_start, &section_end) != STATUS_OK)
        return STATUS_OK;
    return to->report(to->context, start, end < section_end ? end : section_end);
}

/* Pays for an entry of a list. */
static bool spend(const struct ranges *to)
{
    if (to->file->range_budget == 0) {
        to->file->cut_short = true;
        return false;
    }
    to->file->range_budget--;
    return true;
}

/*
 * Pairs of offsets from a base; one that begins with the highest address sets the base; zeroes end.
 */
static enum status read_pairs(const struct ranges *to, uint64_t off)
{
    struct cursor c = dwarf_section_at(to->file, DWARF_RANGES, off);
    uint64_t highest = to->word_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = to->bases->low_pc, start, end;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && spend(to) && cursor_uint(&c, to->word_size, &start) &&
           cursor_uint(&c, to->word_size, &end) && (start | end) != 0) {
        if (start == highest)
            base = end;
        else
            status = report_range(to, base + start, base + end);
    }
    return status;
}

/* An address by its index in the unit's part of .debug_addr. */
static bool read_index(const struct ranges *to, struct cursor *c, uint64_t *addr)
{
    struct form_value value = {.class = FORM_ADDRESS_INDEX};

    return cursor_uleb(c, &value.number) &&
           die_address(to->file, to->bases, to->unit, &value, addr);
}

/*
 * Reads an entry of .debug_rnglists. A base entry changes *base and leaves *end 0. False: the end
 * of the list, or damage.
 */
static bool read_entry(const struct ranges *to, struct cursor *c, uint64_t *base, uint64_t *start,
                       uint64_t *end)
{
    uint8_t kind;
    uint64_t length;

    *start = *end = 0;
    if (!cursor_u8(c, &kind))
        return false;
    switch (kind) {
    case DW_RLE_base_addressx:
        return read_index(to, c, base);
    case DW_RLE_base_address:
        return cursor_uint(c, to->word_size, base);
    case DW_RLE_startx_endx:
        return read_index(to, c, start) && read_index(to, c, end);
    case DW_RLE_start_end:
        return cursor_uint(c, to->word_size, start) && cursor_uint(c, to->word_size, end);
    case DW_RLE_offset_pair:
        if (!cursor_uleb(c, start) || !cursor_uleb(c, end))
            return false;
        *start += *base;
        *end += *base;
        return true;
    case DW_RLE_startx_length:
        if (!read_index(to, c, start) || !cursor_uleb(c, &length))
            return false;
        *end = *start + length;
        return true;
    case DW_RLE_start_length:
        if (!cursor_uint(c, to->word_size, start) || !cursor_uleb(c, &length))
            return false;
        *end = *start + length;
        return true;
    default: /* DW_RLE_end_of_list, or a kind of a later version */
        return false;
    }
}

static enum status read_list(const struct ranges *to, uint64_t off)
{
    struct cursor c = dwarf_section_at(to->file, DWARF_RNGLISTS, off);
    uint64_t base = to->bases->low_pc, start, end;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && spend(to) && read_entry(to, &c, &base, &start, &end))
        status = report_range(to, start, end);
    return status;
}

/* DW_FORM_rnglistx: an index into the unit's table of offsets, which count from that table. */
static bool list_by_index(const struct ranges *to, uint64_t index, uint64_t *off)
{
    const struct unit_bases *bases = to->bases;
    unsigned off_size = to->unit->sizes.off;
    struct cursor table;
    uint64_t entry;

    if (!bases->has_lists || __builtin_mul_overflow(index, off_size, &entry) ||
        __builtin_add_overflow(entry, bases->lists_off, &entry))
        return false;
    table = dwarf_section_at(to->file, DWARF_RNGLISTS, entry);
    return cursor_uint(&table, off_size, off) &&
           !__builtin_add_overflow(*off, bases->lists_off, off);
}

static enum status read_ranges(const struct ranges *to, const struct form_value *value)
{
    uint64_t off = value->number;

    if (value->class == FORM_LIST_INDEX) {
        if (!list_by_index(to, value->number, &off))
            return STATUS_OK;
    } else if (value->class != FORM_SECTION_OFF && value->class != FORM_CONSTANT) {
        return STATUS_OK;
    }
    return to->unit->sizes.version >= 5 ? read_list(to, off) : read_pairs(to, off);
}

enum status die_ranges(struct dwarf_file *file, struct dwarf_unit *unit,
                       const struct die_values *values, die_range_fn *report, void *context)
{
    struct ranges to = {.file = file,
                        .unit = unit,
                        .bases = die_unit_bases(file, unit),
                        .word_size = unit->sizes.word,
                        .report = report,
                        .context = context};
    const struct form_value *value = &values->value[SLOT_HIGH_PC];
    uint64_t low, high;

    if (!die_has(values, SLOT_HIGH_PC))
        return die_has(values, SLOT_RANGES) ? read_ranges(&to, &values->value[SLOT_RANGES])
                                            : STATUS_OK;
    if (!die_has(values, SLOT_LOW_PC) ||
        !die_address(file, to.bases, unit, &values->value[SLOT_LOW_PC], &low))
        return STATUS_OK;
    /* DWARF 4: a constant is counted from the low pc. A sum that wraps is an empty range. */
    if (value->class == FORM_CONSTANT)
        return report_range(&to, low, low + value->number);
    if (!die_address(file, to.bases, unit, value, &high))
        return STATUS_OK;
    return report_range(&to, low, high);
}
