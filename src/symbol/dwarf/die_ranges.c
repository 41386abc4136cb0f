/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/die_ranges.h"

#include "symbol/dwarf/range_list.h"

/* Reports one DIE's ranges. */
struct ranges {
    struct dwarf_file *file;
    const struct dwarf_unit *unit;
    const struct unit_bases *bases;
    die_range_fn *report;
    void *context;
};

static enum status report_range(const struct ranges *to, uint64_t start, uint64_t end)
{
    uint64_t section_start, section_end;

    if (start >= end || elf_image_exec_range(dwarf_code_file(to->file)->image, start,
                                             &section_start, &section_end) != STATUS_OK)
        return STATUS_OK;
    return to->report(to->context, start, end < section_end ? end : section_end);
}

/* Pays for an entry of a list. */
static bool spend(const struct ranges *to)
{
    struct dwarf_file *payer = dwarf_code_file(to->file);

    if (payer->range_budget == 0) {
        payer->cut_short = true;
        return false;
    }
    payer->range_budget--;
    return true;
}

static bool addr_at(void *context, uint64_t index, uint64_t *vaddr)
{
    const struct ranges *to = context;
    const struct form_value value = {.class = FORM_ADDRESS_INDEX, .number = index};

    return die_address(to->file, to->bases, to->unit, &value, vaddr);
}

static enum status read_list(struct ranges *to, enum dwarf_section section, uint64_t off)
{
    struct range_list list = {.entries = dwarf_section_at(to->file, section, off),
                              .version = to->unit->sizes.version,
                              .word_size = to->unit->sizes.word,
                              .base = to->bases->low_pc,
                              .addr_at = addr_at,
                              .context = to};
    enum status status = STATUS_OK;
    uint64_t start, end;

    while (status == STATUS_OK && spend(to) && range_list_next(&list, &start, &end))
        status = report_range(to, start, end);
    return status;
}

static enum status read_ranges(struct ranges *to, const struct form_value *value)
{
    const struct unit_bases *bases = to->bases;
    uint64_t off = value->number;

    if (value->class == FORM_LIST_INDEX) {
        if (!bases->has_lists ||
            !range_list_by_index(dwarf_section_at(to->file, DWARF_RNGLISTS, bases->lists_off),
                                 value->number, to->unit->sizes.off, &off))
            return STATUS_OK;
    } else if ((value->class != FORM_SECTION_OFF && value->class != FORM_CONSTANT) ||
               __builtin_add_overflow(off, bases->ranges_off, &off)) {
        return STATUS_OK;
    }
    return read_list(to, to->unit->sizes.version >= 5 ? DWARF_RNGLISTS : DWARF_RANGES, off);
}

enum status die_ranges(struct dwarf_file *file, struct dwarf_unit *unit,
                       const struct die_values *values, die_range_fn *report, void *context)
{
    struct ranges to = {.file = file,
                        .unit = unit,
                        .bases = die_unit_bases(file, unit),
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
