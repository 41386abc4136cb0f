/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/unit_index.h"

#include <stdlib.h>

#include "base/vec.h"
#include "symbol/dwarf/die.h"
#include "symbol/dwarf/die_ranges.h"

struct indexing {
    struct dwarf_file *file;
    struct interval *intervals;
    size_t count, cap;
    uint32_t unit; /* whose ranges are being added */
    bool *listed;  /* of units: they have ranges */
};

static enum status add_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct indexing *indexing = context;
    struct interval *last = indexing->count > 0 ? &indexing->intervals[indexing->count - 1] : NULL;

    if (last && last->id == indexing->unit && start_vaddr >= last->start &&
        start_vaddr <= last->end) { /* it goes on, or is repeated */
        if (end_vaddr > last->end)
            last->end = end_vaddr;
        return STATUS_OK;
    }
    if (vec_reserve(&indexing->intervals, &indexing->cap, indexing->count + 1,
                    sizeof(*indexing->intervals)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    indexing->listed[indexing->unit] = true;
    indexing->intervals[indexing->count++] =
        (struct interval){.start = start_vaddr, .end = end_vaddr, .id = indexing->unit};
    return STATUS_OK;
}

/*
 * Adds the pairs of a set, without those of dropped code at or near 0. The set's length ends it:
 * linkers that drop a function of no size leave a pair of zeros in the middle.
 */
static enum status add_pairs(struct indexing *indexing, struct cursor c, unsigned word)
{
    struct dwarf_file *file = indexing->file;
    uint64_t start, size, section_start, section_end;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && file->range_budget > 0 && cursor_uint(&c, word, &start) &&
           cursor_uint(&c, word, &size)) {
        file->range_budget--;
        if (size == 0 ||
            elf_image_exec_range(file->image, start, &section_start, &section_end) != STATUS_OK)
            continue;
        if (size > section_end - start)
            size = section_end - start;
        status = add_range(indexing, start, start + size);
    }
    file->cut_short |= file->range_budget == 0;
    return status;
}

/* Reads the set that began at `set_off`; `c` is its content behind the length. */
static enum status add_set(struct indexing *indexing, struct cursor c, size_t set_off,
                           unsigned off_size)
{
    const struct dwarf_file *file = indexing->file;
    const struct dwarf_unit *unit;
    uint64_t info_off;
    uint16_t version;
    uint8_t word, segment;

    if (!cursor_u16(&c, &version) || !cursor_uint(&c, off_size, &info_off) ||
        !cursor_u8(&c, &word) || !cursor_u8(&c, &segment) || segment != 0 ||
        word != elf_image_arch(file->image)->word_size ||
        !(unit = dwarf_unit_from(file, info_off)) || !unit->has_code)
        return STATUS_OK;
    indexing->unit = (uint32_t)(unit - file->units);
    /* The pairs begin at a multiple of their size, counted from the set's start. */
    if (!cursor_skip(&c, -(uint64_t)(c.pos - set_off) & (2u * word - 1)))
        return STATUS_OK;
    return add_pairs(indexing, c, word);
}

static enum status add_aranges(struct indexing *indexing)
{
    struct cursor c = dwarf_section_at(indexing->file, DWARF_ARANGES, 0);
    enum status status = STATUS_OK;

    while (status == STATUS_OK && cursor_left(&c) > 0) {
        size_t set_off = c.pos;
        unsigned off_size = 4;
        uint32_t short_length;
        uint64_t length;
        struct cursor set;

        if (!cursor_u32(&c, &short_length))
            break;
        length = short_length;
        if (short_length == 0xffffffff) {
            off_size = 8;
            if (!cursor_u64(&c, &length))
                break;
        }
        set = c;
        if (!cursor_skip(&c, length))
            break;
        set.size = c.pos;
        status = add_set(indexing, set, set_off, off_size);
    }
    return status;
}

static enum status add_units(struct indexing *indexing)
{
    struct dwarf_file *file = indexing->file;
    enum status status = STATUS_OK;
    struct die die;

    for (size_t i = 0; status == STATUS_OK && i < file->unit_count; i++) {
        if (indexing->listed[i] || !file->units[i].has_code ||
            !die_read_unit(file, &file->units[i], &die))
            continue;
        indexing->unit = (uint32_t)i;
        status = die_ranges(file, &file->units[i], &die.values, add_range, indexing);
    }
    return status;
}

enum status unit_index_create(struct dwarf_file *file, struct interval_set **out)
{
    struct indexing indexing = {.file = file, .listed = calloc(file->unit_count + 1, 1)};
    enum status status = indexing.listed ? STATUS_OK : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        status = add_aranges(&indexing);
    if (status == STATUS_OK)
        status = add_units(&indexing);
    if (status == STATUS_OK)
        status = interval_sort(indexing.intervals, indexing.count);
    if (status == STATUS_OK)
        status = interval_set_create(indexing.intervals, indexing.count, out);
    free(indexing.intervals);
    free(indexing.listed);
    return status;
}
