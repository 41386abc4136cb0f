/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/definitions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/keyed_hash.h"
#include "confine/child.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/code_index.h"

static bool is_type(uint16_t tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_enumeration_type || tag == DW_TAG_interface_type;
}

static bool is_in_function(const struct code_index *index, const struct naming_die *naming)
{
    for (uint32_t i = naming->parent; i > 0; i = index->naming[i - 1].parent)
        if (index->naming[i - 1].tag == DW_TAG_subprogram)
            return true;
    return false;
}

static uint64_t size_of(struct debug_reader *reader, die_ref ref)
{
    struct debug_die die;
    uint64_t size;

    if (!die_open(reader, ref, &die))
        return UINT64_MAX;
    if (!attr_unsigned(reader, &die, DW_AT_byte_size, &size))
        size = UINT64_MAX;
    die_close(reader, &die);
    return size;
}

/* Notes a definition by name. Definitions of different sizes, which C allows, cancel each other. */
static void note_definition(struct debug_reader *reader, const struct debug_unit *unit,
                            const struct naming_die *naming)
{
    const die_ref ref = unit_ref(unit, naming->off);
    struct die_chain chain;
    uint64_t *known;
    char *name;

    if (!is_type(naming->tag) || is_in_function(unit->index, naming) ||
        !chain_open(reader, ref, &chain))
        return;
    name = attr_flag(reader, &chain.list[0], DW_AT_declaration)
               ? NULL
               : die_qualified_name(reader, &chain);
    if (name) {
        known = map_put(&reader->definitions, keyed_text(name), ref);
        if (!known)
            _exit(CHILD_EXIT_MEMORY);
        if (*known != ref && *known != 0 && size_of(reader, *known) != size_of(reader, ref))
            *known = 0;
    }
    free(name);
    chain_close(reader, &chain);
}

/* Continues the search, for at most half the time that an answer may take. */
static void look_through_units(struct debug_reader *reader)
{
    const int64_t deadline = clock_now_ms() + reader->search_ms;

    while (reader->definitions_file < reader->source_count) {
        const struct debug_units *units =
            reader_units(reader, reader->definitions_file, reader->definitions_in_types);

        while (units && reader->definitions_next < units->count) {
            struct debug_unit *unit = units->list[reader->definitions_next++];
            const struct code_index *index = code_index_of(reader, unit);

            reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
            for (size_t i = 0; i < index->naming_count; i++)
                note_definition(reader, unit, &index->naming[i]);
            reader->notes->unit = 0;
            if (clock_now_ms() > deadline)
                return;
        }
        reader->definitions_next = 0;
        if (reader->definitions_in_types)
            reader->definitions_file++;
        reader->definitions_in_types = !reader->definitions_in_types;
    }
}

/* Keeps names with the same hash apart. */
static bool has_name(struct debug_reader *reader, die_ref ref, const char *name)
{
    struct die_chain chain;
    char *found;
    bool is;

    if (!chain_open(reader, ref, &chain))
        return false;
    found = die_qualified_name(reader, &chain);
    is = found && strcmp(found, name) == 0;
    free(found);
    chain_close(reader, &chain);
    return is;
}

die_ref definition_of(struct debug_reader *reader, const struct die_chain *chain)
{
    char *name = die_qualified_name(reader, chain);
    const uint64_t *found;
    die_ref ref = 0;

    if (!name)
        return 0;
    found = map_get(&reader->definitions, keyed_text(name));
    if (!found) {
        look_through_units(reader);
        found = map_get(&reader->definitions, keyed_text(name));
    }
    if (found && *found && has_name(reader, *found, name))
        ref = *found;
    free(name);
    return ref;
}
