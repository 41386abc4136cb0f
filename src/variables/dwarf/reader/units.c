/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/code_index.h"
#include "variables/dwarf/reader/pc_ranges.h"
#include "variables/dwarf/reader/split.h"

bool reader_ok(struct debug_reader *reader, Dwarf_Debug dbg, int result)
{
    if (result == DW_DLV_ERROR && reader->error) {
        reader->dw->dealloc_error(dbg, reader->error);
        reader->error = NULL;
    }
    return result == DW_DLV_OK;
}

/* The same, and counts an error as damage. */
static bool reader_reads(struct debug_reader *reader, Dwarf_Debug dbg, int result)
{
    reader->damage += result == DW_DLV_ERROR && reader->damage < UINT32_MAX;
    return reader_ok(reader, dbg, result);
}

static bool is_bad_unit(const struct debug_reader *reader, const struct debug_unit *unit)
{
    for (size_t i = 0; i < reader->bad_unit_count; i++)
        if (reader->bad_units[i] == unit_ref(unit, unit->header_off))
            return true;
    return false;
}

static uint64_t signature_of(const Dwarf_Sig8 *signature)
{
    uint64_t value;

    memcpy(&value, signature->signature, sizeof(value));
    return value;
}

static bool has_word(const char *text, const char *word)
{
    const size_t len = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + len, word))
        if (at[len] == '\0' || at[len] == ' ')
            return true;
    return false;
}

/*
 * Does gcc give variables registers without saying when these are reused? It does so without
 * optimisation, or with -fno-var-tracking. Its options follow its name, unless
 * -gno-record-gcc-switches was given.
 */
static bool is_untracked(const char *producer)
{
    if (strncmp(producer, "GNU ", 4) != 0 || !strstr(producer, " -m"))
        return false;
    return has_word(producer, " -fno-var-tracking") || !strstr(producer, " -O") ||
           has_word(producer, " -O0");
}

/* Reads the unit's own DIE. */
static void read_unit_die(struct debug_reader *reader, struct debug_unit *unit)
{
    struct debug_die die = {.unit = unit};
    const char *producer;
    uint64_t value;

    reader->notes->unit = unit_ref(unit, unit->header_off) + 1;
    if (!reader_reads(reader, unit_dbg(unit),
                      reader->dw->siblingof_b(unit_dbg(unit), NULL, !unit->in_types, &die.handle,
                                              &reader->error))) {
        unit->is_bad = true;
    } else {
        unit->die_off = die_ref_off(die_self(reader, &die));
        if (attr_unsigned(reader, &die, DW_AT_language, &value))
            unit->language = (uint16_t)value;
        if (!unit->signature && attr_unsigned(reader, &die, DW_AT_GNU_dwo_id, &value))
            unit->signature = value;
        producer = attr_text(reader, &die, DW_AT_producer);
        unit->is_untracked = producer && is_untracked(producer);
        die_close(reader, &die);
    }
    reader->notes->unit = 0;
}

static void note_unit(struct debug_reader *reader, struct debug_unit *unit)
{
    const die_ref ref = unit_ref(unit, unit->header_off);
    struct map *map = NULL;

    if (unit->is_type_unit)
        map = &reader->signatures;
    else if (unit->file >= DEBUG_FILE_SPLIT && unit->signature)
        map = &reader->split_units;
    if (map && !map_put(map, unit->signature, ref))
        _exit(CHILD_EXIT_MEMORY);
}

static void add_unit(struct debug_reader *reader, struct debug_units *units,
                     const struct debug_unit *found)
{
    struct debug_unit *unit = child_alloc(sizeof(*unit));

    *unit = *found;
    unit->is_bad = is_bad_unit(reader, unit);
    if (!unit->is_bad)
        read_unit_die(reader, unit);
    units->list =
        child_reserve(units->list, &units->cap, units->count + 1, sizeof(struct debug_unit *));
    units->list[units->count++] = unit;
    note_unit(reader, unit);
}

static void read_group(struct debug_reader *reader, uint32_t file, bool in_types,
                       const struct unit_group *group, struct debug_units *units)
{
    uint64_t header_off = 0;

    for (;;) {
        Dwarf_Unsigned length, type_off, next;
        Dwarf_Half version, address_size, offset_size, extension, kind;
        Dwarf_Off abbrev_off;
        Dwarf_Sig8 signature = {{0}};
        struct debug_unit unit = {.group = group, .file = file, .in_types = in_types};

        if (!reader_reads(reader, group->dbg,
                          reader->dw->next_cu_header_d(group->dbg, !in_types, &length, &version,
                                                       &abbrev_off, &address_size, &offset_size,
                                                       &extension, &signature, &type_off, &next,
                                                       &kind, &reader->error)) ||
            next <= header_off)
            return;
        unit.is_type_unit = in_types || kind == DW_UT_type || kind == DW_UT_split_type;
        unit.version = version;
        unit.address_size = address_size;
        unit.offset_size = offset_size;
        unit.header_off = group->base + header_off;
        unit.end_off = group->base + next;
        unit.signature = signature_of(&signature);
        unit.type_off = type_off;
        add_unit(reader, units, &unit);
        header_off = next;
    }
}

struct debug_units *reader_units(struct debug_reader *reader, uint32_t file, bool in_types)
{
    struct debug_source *source = file < reader->source_count ? reader->sources[file] : NULL;
    const struct unit_group *group;
    struct debug_units *units;
    uint64_t off = 0;

    if (!source)
        return NULL;
    units = in_types ? &source->types : &source->info;
    if (units->is_tried)
        return units;
    units->is_tried = true;
    while ((group = unit_group_next(reader, file, in_types, &off)) != NULL)
        if (group->dbg)
            read_group(reader, file, in_types, group, units);
        else
            reader->damage++;
    return units;
}

uint16_t reader_language(struct debug_reader *reader, const struct debug_unit *unit)
{
    const struct debug_units *units;

    if (unit->language)
        return unit->language;
    units = reader_units(reader, DEBUG_FILE_MAIN, false);
    for (size_t i = 0; units && i < units->count; i++)
        if (units->list[i]->language)
            return units->list[i]->language;
    return 0;
}

struct debug_unit *reader_unit(struct debug_reader *reader, die_ref ref)
{
    const struct debug_units *units =
        reader_units(reader, die_ref_file(ref), die_ref_in_types(ref));
    const uint64_t off = die_ref_off(ref);
    size_t first = 0, end = units ? units->count : 0;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (units->list[middle]->end_off <= off)
            first = middle + 1;
        else
            end = middle;
    }
    if (!units || first == units->count || units->list[first]->header_off > off ||
        units->list[first]->is_bad)
        return NULL;
    return units->list[first];
}

bool die_open(struct debug_reader *reader, die_ref ref, struct debug_die *out)
{
    struct debug_unit *unit = ref ? reader_unit(reader, ref) : NULL;

    if (!unit || die_ref_off(ref) < unit->die_off)
        return false;
    out->unit = unit;
    return reader_ok(reader, unit_dbg(unit),
                     reader->dw->offdie_b(unit_dbg(unit), die_ref_off(ref) - unit->group->base,
                                          !unit->in_types, &out->handle, &reader->error));
}

void die_close(struct debug_reader *reader, struct debug_die *die)
{
    if (die->handle)
        reader->dw->dealloc_die(die->handle);
    die->handle = NULL;
}

bool die_first_child(struct debug_reader *reader, const struct debug_die *die,
                     struct debug_die *child)
{
    child->unit = die->unit;
    return reader_reads(reader, unit_dbg(die->unit),
                        reader->dw->child(die->handle, &child->handle, &reader->error));
}

bool die_next(struct debug_reader *reader, struct debug_die *die)
{
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    Dwarf_Die next = NULL;
    const bool is = reader_reads(reader, dbg,
                                 reader->dw->siblingof_b(dbg, die->handle, !die->unit->in_types,
                                                         &next, &reader->error));

    die_close(reader, die);
    die->handle = is ? next : NULL;
    return is;
}

uint16_t die_tag(struct debug_reader *reader, const struct debug_die *die)
{
    Dwarf_Half tag;

    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->tag(die->handle, &tag, &reader->error))
               ? tag
               : 0;
}

die_ref die_self(struct debug_reader *reader, const struct debug_die *die)
{
    Dwarf_Off off;

    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->dieoffset(die->handle, &off, &reader->error))
               ? unit_ref(die->unit, die->unit->group->base + off)
               : 0;
}
