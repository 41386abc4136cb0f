/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/line_index.h"

#include <stdlib.h>

#include "symbol/dwarf/line_program.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/attributes.h"

struct line_start {
    uint64_t vaddr;
    uint32_t order; /* in the table; keeps lines of one address in their order */
    bool ends_prologue;
};

struct line_index {
    struct line_start *list; /* by address; without ends of sequences and lines 0 */
    size_t count, cap;
};

static int by_address(const void *a, const void *b)
{
    const struct line_start *x = a, *y = b;

    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

struct line_indexing {
    struct line_index *index;
    uint64_t pc_mask;
};

static enum status add_line(void *context, const struct line_row *row)
{
    const struct line_indexing *to = context;
    struct line_index *index = to->index;

    if (row->ends || row->line == 0)
        return STATUS_OK;
    index->list = child_reserve(index->list, &index->cap, index->count + 1, sizeof(*index->list));
    index->list[index->count] = (struct line_start){.vaddr = row->addr & to->pc_mask,
                                                    .order = (uint32_t)index->count,
                                                    .ends_prologue = row->ends_prologue};
    index->count++;
    return STATUS_OK;
}

static void read_lines(struct debug_reader *reader, const struct debug_unit *unit,
                       struct line_index *index)
{
    const struct debug_file_section *section =
        debug_file_section(&unit->group->file, ".debug_line");
    struct line_indexing to = {.index = index, .pc_mask = reader->pc_mask};
    struct line_header header;
    struct debug_die top;
    uint64_t off;

    if (!section || !die_open(reader, unit_ref(unit, unit->die_off), &top))
        return;
    if (attr_section_off(reader, &top, DW_AT_stmt_list, &off) &&
        line_header_read(section->bytes, (size_t)section->size, off, &header) == STATUS_OK)
        (void)!line_program_run(&header, add_line, &to);
    die_close(reader, &top);
}

static struct line_index *index_of(struct debug_reader *reader, struct debug_unit *unit)
{
    struct line_index *index = unit->lines;

    if (index)
        return index;
    index = unit->lines = child_alloc(sizeof(*index));
    reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
    read_lines(reader, unit, index);
    if (index->count > 0)
        qsort(index->list, index->count, sizeof(*index->list), by_address);
    reader->notes->unit = 0;
    return index;
}

uint64_t line_index_body(struct debug_reader *reader, struct debug_unit *unit, uint64_t entry_vaddr,
                         uint64_t end_vaddr)
{
    const struct line_index *index = index_of(reader, unit);
    size_t first = 0, end = index->count;
    uint64_t second = 0;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (index->list[middle].vaddr < entry_vaddr)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == index->count || index->list[first].vaddr != entry_vaddr)
        return entry_vaddr;
    for (; first < index->count && index->list[first].vaddr < end_vaddr; first++) {
        const struct line_start *line = &index->list[first];

        if (line->ends_prologue)
            return line->vaddr;
        if (second == 0 && line->vaddr > entry_vaddr)
            second = line->vaddr;
    }
    return second ? second : entry_vaddr;
}
