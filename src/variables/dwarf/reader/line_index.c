/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/line_index.h"

#include <stdlib.h>

#include "variables/dwarf/child_memory.h"

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

static void add_line(struct debug_reader *reader, Dwarf_Debug dbg, Dwarf_Line line,
                     struct line_index *index)
{
    Dwarf_Unsigned number = 0, isa, discriminator;
    Dwarf_Bool ends_sequence, prologue_end = 0, epilogue_begin;
    Dwarf_Addr vaddr;

    if (!reader_ok(reader, dbg, reader->dw->lineaddr(line, &vaddr, &reader->error)) ||
        !reader_ok(reader, dbg,
                   reader->dw->lineendsequence(line, &ends_sequence, &reader->error)) ||
        !reader_ok(reader, dbg, reader->dw->lineno(line, &number, &reader->error)) ||
        !reader_ok(reader, dbg,
                   reader->dw->prologue_end_etc(line, &prologue_end, &epilogue_begin, &isa,
                                                &discriminator, &reader->error)) ||
        ends_sequence || number == 0)
        return;
    index->list = child_reserve(index->list, &index->cap, index->count + 1, sizeof(*index->list));
    index->list[index->count] = (struct line_start){.vaddr = vaddr & reader->pc_mask,
                                                    .order = (uint32_t)index->count,
                                                    .ends_prologue = prologue_end};
    index->count++;
}

static struct line_index *index_of(struct debug_reader *reader, struct debug_unit *unit)
{
    const Dwarf_Debug dbg = unit_dbg(unit);
    struct line_index *index = unit->lines;
    Dwarf_Line_Context context;
    Dwarf_Unsigned version;
    Dwarf_Small tables;
    Dwarf_Signed count;
    struct debug_die top;
    Dwarf_Line *lines;

    if (index)
        return index;
    index = unit->lines = child_alloc(sizeof(*index));
    if (!die_open(reader, unit_ref(unit, unit->die_off), &top))
        return index;
    reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
    if (reader_ok(reader, dbg,
                  reader->dw->srclines_b(top.handle, &version, &tables, &context,
                                         &reader->error))) {
        if (reader_ok(reader, dbg,
                      reader->dw->srclines_from_linecontext(context, &lines, &count,
                                                            &reader->error)))
            for (Dwarf_Signed i = 0; i < count; i++)
                add_line(reader, dbg, lines[i], index);
        reader->dw->srclines_dealloc_b(context);
    }
    die_close(reader, &top);
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
