/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/code_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/pc_ranges.h"

#define DEPTH_MAX  512 /* nested DIEs; deeper ones are not seen */
#define NAMING_MAX 64  /* around a name */

struct index_walk {
    struct debug_reader *reader;
    struct code_index *index;
    uint32_t parent;
    uint64_t last_off;
};

static void note_entry(struct debug_reader *reader, die_ref ref, uint64_t vaddr)
{
    if (ref && !map_put(&reader->entries, ref, vaddr))
        _exit(CHILD_EXIT_MEMORY);
}

/* Notes the function's start for all DIEs that stand for it. */
static void note_entries(struct debug_reader *reader, const struct debug_die *die, uint64_t vaddr)
{
    struct debug_die at = *die, next;

    note_entry(reader, die_self(reader, die), vaddr);
    for (int i = 0; i < DIE_CHAIN_MAX; i++) {
        const bool is = attr_follow(reader, &at, DW_AT_abstract_origin, &next) ||
                        attr_follow(reader, &at, DW_AT_specification, &next);

        if (i > 0)
            die_close(reader, &at);
        if (!is)
            return;
        note_entry(reader, die_self(reader, &next), vaddr);
        at = next;
    }
    die_close(reader, &at);
}

static void add_function(struct index_walk *walk, const struct debug_die *die, uint64_t off)
{
    struct code_index *index = walk->index;
    struct pc_ranges ranges = {0};

    pc_ranges_of(walk->reader, die, &ranges);
    for (size_t i = 0; i < ranges.count; i++) {
        index->functions = child_reserve(index->functions, &index->function_cap,
                                         index->function_count + 1, sizeof(*index->functions));
        index->functions[index->function_count++] =
            (struct indexed_function){.start = ranges.list[i].start,
                                      .end = ranges.list[i].end,
                                      .die_off = off};
    }
    if (ranges.count > 0)
        note_entries(walk->reader, die, ranges.list[0].start);
    free(ranges.list);
}

static bool gives_name(uint16_t tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type || tag == DW_TAG_module || tag == DW_TAG_interface_type ||
           tag == DW_TAG_enumeration_type || tag == DW_TAG_subprogram;
}

static void walk_children(struct index_walk *walk, const struct debug_die *parent, unsigned depth)
{
    struct debug_reader *reader = walk->reader;
    struct debug_die die;

    if (depth == DEPTH_MAX || !die_first_child(reader, parent, &die))
        return;
    do {
        const uint16_t tag = die_tag(reader, &die);
        const uint64_t off = die_ref_off(die_self(reader, &die));
        const uint32_t outer = walk->parent;
        const bool names = gives_name(tag);

        walk->last_off = off;
        if (tag == DW_TAG_subprogram)
            add_function(walk, &die, off);
        if (names) {
            struct code_index *index = walk->index;

            index->naming = child_reserve(index->naming, &index->naming_cap,
                                          index->naming_count + 1, sizeof(*index->naming));
            index->naming[index->naming_count++] =
                (struct naming_die){.off = off, .parent = outer, .tag = tag};
            walk->parent = (uint32_t)index->naming_count;
        }
        walk_children(walk, &die, depth + 1);
        if (names)
            walk->index->naming[walk->parent - 1].last_off = walk->last_off;
        walk->parent = outer;
    } while (die_next(reader, &die));
}

static int by_start(const void *a, const void *b)
{
    const struct indexed_function *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->die_off < y->die_off ? -1 : x->die_off > y->die_off;
}

struct code_index *code_index_of(struct debug_reader *reader, struct debug_unit *unit)
{
    struct code_index *index = unit->index;
    struct index_walk walk = {.reader = reader};
    struct debug_die top;
    uint64_t max_end = 0;

    if (index)
        return index;
    index = unit->index = walk.index = child_alloc(sizeof(*index));
    if (unit->is_bad || !die_open(reader, unit_ref(unit, unit->die_off), &top))
        return index;
    reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
    walk_children(&walk, &top, 0);
    die_close(reader, &top);
    if (index->function_count > 0)
        qsort(index->functions, index->function_count, sizeof(*index->functions), by_start);
    for (size_t i = 0; i < index->function_count; i++) {
        if (index->functions[i].end > max_end)
            max_end = index->functions[i].end;
        index->functions[i].max_end = max_end;
    }
    reader->notes->unit = 0;
    return index;
}

struct indexed_function *code_index_find(const struct code_index *index, uint64_t vaddr)
{
    struct indexed_function *best = NULL;
    size_t first = 0, end = index->function_count;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (index->functions[middle].start <= vaddr)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first > 0 && index->functions[first - 1].max_end > vaddr; first--) {
        struct indexed_function *function = &index->functions[first - 1];

        if (function->end > vaddr &&
            (!best || function->end - function->start <= best->end - best->start))
            best = function;
    }
    return best;
}

/* Returns the index plus 1 of the innermost naming DIE around `off`; 0: none. */
static uint32_t naming_around(const struct code_index *index, uint64_t off)
{
    size_t first = 0, end = index->naming_count;
    uint32_t at;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (index->naming[middle].off < off)
            first = middle + 1;
        else
            end = middle;
    }
    at = (uint32_t)first;
    while (at > 0 && index->naming[at - 1].last_off < off)
        at = index->naming[at - 1].parent;
    return at;
}

/* Returns the DIE's part of a qualified name; NULL: none. */
static const char *part_of(struct debug_reader *reader, struct debug_unit *unit,
                           const struct naming_die *naming)
{
    struct debug_die die;
    const char *name;

    if (naming->tag == DW_TAG_subprogram || naming->tag == DW_TAG_enumeration_type ||
        !die_open(reader, unit_ref(unit, naming->off), &die))
        return NULL;
    name = attr_text(reader, &die, DW_AT_name);
    if (!name && naming->tag == DW_TAG_namespace)
        name = "(anonymous namespace)";
    die_close(reader, &die);
    return name;
}

char *die_qualified_name(struct debug_reader *reader, const struct die_chain *chain)
{
    const struct debug_die *named = chain_find(reader, chain, DW_AT_name);
    const struct debug_die *declared = chain->count > 0 ? &chain->list[chain->count - 1] : NULL;
    const char *parts[NAMING_MAX];
    const struct code_index *index;
    size_t count = 0, len = 0;
    char *text, *at;

    parts[count++] = named ? attr_text(reader, named, DW_AT_name) : NULL;
    if (!parts[0])
        return NULL;
    /* The declaration's scopes count; a definition may lie outside of them. */
    index = code_index_of(reader, declared->unit);
    for (uint32_t i = naming_around(index, die_ref_off(die_self(reader, declared)));
         i > 0 && count < NAMING_MAX; i = index->naming[i - 1].parent) {
        /* Names inside a function are not qualified further. */
        if (index->naming[i - 1].tag == DW_TAG_subprogram)
            break;
        parts[count] = part_of(reader, declared->unit, &index->naming[i - 1]);
        count += parts[count] != NULL;
    }
    for (size_t i = 0; i < count; i++)
        len += strnlen(parts[i], WIRE_TEXT_MAX) + 2;
    text = at = child_alloc(len + 1);
    for (size_t i = count; i > 0; i--) {
        const size_t part = strnlen(parts[i - 1], WIRE_TEXT_MAX);

        memcpy(at, parts[i - 1], part);
        at += part;
        if (i > 1)
            at = mempcpy(at, "::", 2);
    }
    return text;
}
