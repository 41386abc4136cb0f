/* SPDX-License-Identifier: MIT */
/* Units by the address of their code. */
#include "variables/dwarf/reader/reader.h"

#include <stdlib.h>

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/pc_ranges.h"
#include "variables/dwarf/reader/split.h"

static int by_start(const void *a, const void *b)
{
    const struct unit_range *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static void add_unit(struct debug_reader *reader, struct debug_unit *unit)
{
    struct pc_ranges ranges = {0};
    struct debug_die die;
    size_t added = 0;

    if (unit->is_bad || unit->is_type_unit ||
        !die_open(reader, unit_ref(unit, unit->die_off), &die))
        return;
    reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
    pc_ranges_of(reader, &die, &ranges);
    for (size_t i = 0; i < ranges.count; i++) {
        reader->ranges = child_reserve(reader->ranges, &reader->range_cap, reader->range_count + 1,
                                       sizeof(*reader->ranges));
        reader->ranges[reader->range_count++] = (struct unit_range){.start = ranges.list[i].start,
                                                                    .end = ranges.list[i].end,
                                                                    .unit = unit};
        added++;
    }
    if (added == 0 && die_tag(reader, &die) != DW_TAG_partial_unit) {
        reader->loose = child_reserve(reader->loose, &reader->loose_cap, reader->loose_count + 1,
                                      sizeof(*reader->loose));
        reader->loose[reader->loose_count++] = unit;
    }
    reader->notes->unit = 0;
    free(ranges.list);
    die_close(reader, &die);
}

void reader_index_units(struct debug_reader *reader)
{
    const struct debug_units *units = reader_units(reader, DEBUG_FILE_MAIN, false);
    uint64_t max_end = 0;

    if (reader->is_indexed)
        return;
    reader->is_indexed = true;
    for (size_t i = 0; units && i < units->count; i++)
        add_unit(reader, units->list[i]);
    if (reader->range_count > 0)
        qsort(reader->ranges, reader->range_count, sizeof(*reader->ranges), by_start);
    for (size_t i = 0; i < reader->range_count; i++) {
        if (reader->ranges[i].end > max_end)
            max_end = reader->ranges[i].end;
        reader->ranges[i].max_end = max_end;
    }
}

struct debug_unit *reader_unit_at(struct debug_reader *reader, uint64_t vaddr, size_t i)
{
    size_t first = 0, end;

    reader_index_units(reader);
    end = reader->range_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (reader->ranges[middle].start <= vaddr)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first > 0 && reader->ranges[first - 1].max_end > vaddr; first--)
        if (reader->ranges[first - 1].end > vaddr && i-- == 0)
            return reader->ranges[first - 1].unit;
    return i < reader->loose_count ? reader->loose[i] : NULL;
}

struct debug_unit *unit_with_dies(struct debug_reader *reader, struct debug_unit *unit)
{
    if (!unit->split_tried) {
        unit->split_tried = true;
        unit->split = split_find(reader, unit);
        if (unit->split)
            unit->split->skeleton = unit;
    }
    return unit->split ? unit->split : unit;
}
