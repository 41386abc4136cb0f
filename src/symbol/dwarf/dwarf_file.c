/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/dwarf_file.h"

#include <stdio.h>
#include <stdlib.h>

#include <dwarf.h>

#include "base/keyed_hash.h"
#include "base/search.h"
#include "base/vec.h"

/* A compiled table of abbreviations; units of other sizes have one of their own. */
struct abbrev_entry {
    uint64_t off;
    struct form_sizes sizes;
    struct abbrev_table *table; /* owned */
};

/* In a split file all but the last have ".dwo" behind. */
static const char *const section_names[DWARF_SECTION_COUNT] = {
    [DWARF_INFO] = ".debug_info",
    [DWARF_ABBREV] = ".debug_abbrev",
    [DWARF_STR] = ".debug_str",
    [DWARF_LINE_STR] = ".debug_line_str",
    [DWARF_STR_OFFSETS] = ".debug_str_offsets",
    [DWARF_ADDR] = ".debug_addr",
    [DWARF_LINE] = ".debug_line",
    [DWARF_RANGES] = ".debug_ranges",
    [DWARF_RNGLISTS] = ".debug_rnglists",
    [DWARF_ARANGES] = ".debug_aranges",
    [DWARF_CU_INDEX] = ".debug_cu_index",
};

struct cursor dwarf_section_at(struct dwarf_file *file, enum dwarf_section section, uint64_t off)
{
    struct elf_section found;
    struct cursor c;
    char name[32];

    if (file->skeletons && (section == DWARF_ADDR || section == DWARF_RANGES))
        return dwarf_section_at(file->skeletons, section, off);
    if (!(file->sections_tried >> section & 1)) {
        file->sections_tried |= 1u << section;
        snprintf(name, sizeof(name), "%s%s", section_names[section],
                 file->is_split && section != DWARF_CU_INDEX ? ".dwo" : "");
        if (elf_image_section(file->image, name, &found) == STATUS_OK && found.bytes)
            file->sections[section] = cursor_init(found.bytes, (size_t)found.size);
        else
            file->sections[section] = cursor_init("", 0);
        if (section == DWARF_RANGES || section == DWARF_RNGLISTS || section == DWARF_ARANGES)
            dwarf_code_file(file)->range_budget +=
                DWARF_RANGE_FACTOR * file->sections[section].size;
        if (section == DWARF_INFO)
            file->function_budget += file->sections[section].size / DWARF_FUNCTION_SIZE;
        if (section == DWARF_ABBREV)
            file->abbrev_budget += DWARF_ABBREV_FACTOR * file->sections[section].size;
        if (section == DWARF_LINE)
            file->line_budget += DWARF_LINE_FACTOR * file->sections[section].size;
    }
    c = file->sections[section];
    if (!cursor_skip(&c, off))
        c.pos = c.size;
    return c;
}

/* Reads a unit's length; the cursor then ends with the unit. */
static bool read_length(struct cursor *c, struct dwarf_unit *unit)
{
    uint32_t short_length;
    uint64_t length;

    if (!cursor_u32(c, &short_length))
        return false;
    length = short_length;
    unit->sizes.off = 4;
    if (short_length == 0xffffffff) {
        unit->sizes.off = 8;
        if (!cursor_u64(c, &length))
            return false;
    } else if (short_length >= 0xfffffff0) {
        return false;
    }
    if (length > cursor_left(c))
        return false;
    c->size = c->pos + (size_t)length;
    return true;
}

/* Reads the rest of the header, up to the unit's own DIE. False: unsound, or not known. */
static bool read_header(struct cursor c, struct dwarf_unit *unit, uint8_t word_size)
{
    uint8_t type = DW_UT_compile, word = 0;
    uint16_t version;
    uint64_t more = 0;

    if (!cursor_u16(&c, &version) || version < 2 || version > 5)
        return false;
    if (version == 5 && (!cursor_u8(&c, &type) || !cursor_u8(&c, &word)))
        return false;
    if (!cursor_uint(&c, unit->sizes.off, &unit->abbrev_off) ||
        (version < 5 && !cursor_u8(&c, &word)) || word != word_size)
        return false;
    if ((type == DW_UT_skeleton || type == DW_UT_split_compile) && !cursor_u64(&c, &unit->split_id))
        return false;
    if (type == DW_UT_type || type == DW_UT_split_type)
        more = 8u + unit->sizes.off; /* signature, and the type's offset */
    if (!cursor_skip(&c, more))
        return false;
    unit->end_off = c.size;
    unit->header_size = (uint8_t)(c.pos - unit->off);
    unit->sizes.word = word;
    unit->sizes.version = (uint8_t)version;
    unit->has_code = type == DW_UT_compile || type == DW_UT_skeleton;
    return true;
}

/*
 * Reads a unit's header; moves *at behind the unit. False: not even the length can be used. *known:
 * the rest can be, too.
 */
static bool read_unit(struct cursor *at, struct dwarf_unit *unit, uint8_t word_size, bool *known)
{
    struct cursor c = *at;

    *unit = (struct dwarf_unit){.off = c.pos};
    if (!read_length(&c, unit))
        return false;
    at->pos = c.size;
    *known = read_header(c, unit, word_size);
    return true;
}

static enum status read_units(struct dwarf_file *file)
{
    uint8_t word_size = elf_image_arch(file->image)->word_size;
    struct cursor c = dwarf_section_at(file, DWARF_INFO, 0);
    struct dwarf_unit unit;
    bool known;

    while (cursor_left(&c) > 0 && file->unit_count < DWARF_UNITS_MAX &&
           read_unit(&c, &unit, word_size, &known)) {
        if (!known)
            continue;
        if (vec_reserve(&file->units, &file->unit_cap, file->unit_count + 1,
                        sizeof(*file->units)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        file->units[file->unit_count++] = unit;
    }
    if (file->unit_count == DWARF_UNITS_MAX && cursor_left(&c) > 0)
        file->cut_short = true;
    return file->unit_count > 0 ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Lists the units of a file whose other members are set. */
static enum status open_file(const struct dwarf_file *members, struct dwarf_file **out)
{
    struct dwarf_file *file = calloc(1, sizeof(*file));
    enum status status;

    if (!file)
        return STATUS_NO_MEMORY;
    *file = *members;
    status = read_units(file);
    if (status != STATUS_OK) {
        dwarf_file_close(file);
        return status;
    }
    *out = file;
    return STATUS_OK;
}

enum status dwarf_file_open(struct elf_image *image, struct dwarf_file *shared,
                            struct dwarf_file **out)
{
    const struct dwarf_file members = {.image = image,
                                       .shared = shared,
                                       .abbrev_budget = DWARF_ABBREV_BUDGET,
                                       .range_budget = DWARF_RANGE_BUDGET,
                                       .function_budget = DWARF_FUNCTION_BUDGET,
                                       .line_budget = DWARF_LINE_BUDGET};

    return open_file(&members, out);
}

enum status dwarf_file_open_split(struct elf_image *image, struct dwarf_file **out)
{
    const struct dwarf_file members = {.image = image, .is_split = true};

    return open_file(&members, out);
}

static void drop_abbrevs(struct dwarf_file *file)
{
    for (size_t i = 0; i < file->abbrev_count; i++)
        abbrev_table_destroy(file->abbrevs[i].table);
    index_deinit(&file->abbrev_index);
    free(file->abbrevs);
    file->abbrevs = NULL;
    file->abbrev_count = file->abbrev_cap = file->abbrev_bytes = 0;
}

void dwarf_file_close(struct dwarf_file *file)
{
    if (!file)
        return;
    drop_abbrevs(file);
    free(file->units);
    free(file);
}

struct dwarf_unit *dwarf_unit_from(const struct dwarf_file *file, uint64_t off)
{
    size_t at = SEARCH_FIRST(i, 0, file->unit_count, file->units[i].off < off);

    return at < file->unit_count && file->units[at].off == off ? &file->units[at] : NULL;
}

struct dwarf_unit *dwarf_unit_at(const struct dwarf_file *file, uint64_t off)
{
    size_t at = SEARCH_FIRST(i, 0, file->unit_count, file->units[i].end_off <= off);
    struct dwarf_unit *unit;

    if (at == file->unit_count)
        return NULL;
    unit = &file->units[at];
    return off >= unit->off && off - unit->off >= unit->header_size ? unit : NULL;
}

/* Reads a unit's table; NULL: no memory, or the budget is spent. */
static struct abbrev_table *read_abbrevs(struct dwarf_file *file, const struct dwarf_unit *unit)
{
    struct abbrev_table *table;
    const struct cursor section = dwarf_section_at(file, DWARF_ABBREV, 0);
    uint64_t end_off, spent;

    if (file->abbrev_budget == 0) {
        file->cut_short = true;
        return NULL;
    }
    if (abbrev_table_create(section, unit->abbrev_off, &unit->sizes, &end_off, &table) != STATUS_OK)
        return NULL;
    spent = end_off > unit->abbrev_off ? end_off - unit->abbrev_off : 1;
    file->abbrev_budget -= spent < file->abbrev_budget ? spent : file->abbrev_budget;
    return table;
}

static enum status add_abbrevs(struct dwarf_file *file, uint64_t hash,
                               const struct abbrev_entry *entry)
{
    if (vec_reserve(&file->abbrevs, &file->abbrev_cap, file->abbrev_count + 1,
                    sizeof(*file->abbrevs)) != STATUS_OK ||
        index_add(&file->abbrev_index, hash, (uint32_t)file->abbrev_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    file->abbrevs[file->abbrev_count++] = *entry;
    file->abbrev_bytes += abbrev_table_size(entry->table);
    return STATUS_OK;
}

const struct abbrev_table *dwarf_abbrevs(struct dwarf_file *file, const struct dwarf_unit *unit)
{
    const struct form_sizes *sizes = &unit->sizes;
    struct abbrev_entry fresh = {.off = unit->abbrev_off, .sizes = *sizes};
    uint64_t hash = keyed_words(unit->abbrev_off, 0);
    struct index_probe probe;
    uint32_t id;

    probe = index_find(&file->abbrev_index, hash);
    while (index_next(&probe, &id)) {
        const struct abbrev_entry *entry = &file->abbrevs[id];

        if (entry->off == unit->abbrev_off && entry->sizes.word == sizes->word &&
            entry->sizes.off == sizes->off && entry->sizes.version == sizes->version)
            return entry->table;
    }
    if (file->abbrev_bytes > DWARF_ABBREV_CACHE)
        drop_abbrevs(file);
    fresh.table = read_abbrevs(file, unit);
    if (fresh.table && add_abbrevs(file, hash, &fresh) != STATUS_OK) {
        abbrev_table_destroy(fresh.table);
        return NULL;
    }
    return fresh.table;
}
