/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/split_unit.h"

/* Columns of .debug_cu_index, by number. The last one is of DWARF 5 alone. */
enum { PART_INFO = 1, PART_ABBREV = 3, PART_STR_OFFSETS = 6, PART_RNGLISTS = 8, PART_COUNT = 9 };

struct package_index {
    uint16_t version; /* 2, of DWARF 4, or 5 */
    uint32_t column_count, row_count, slot_count;
    struct cursor ids, rows; /* of the slots: 64 bits; 32 bits, 0: the slot is free, 1: row 0 */
    struct cursor offs;      /* by row and column, 32 bits each */
    uint32_t columns[PART_COUNT]; /* number of the column with that part, plus 1; 0: none */
};

/* Returns a view of the next `size` bytes, and moves past them. */
static bool take(struct cursor *c, uint64_t size, struct cursor *out)
{
    *out = *c;
    if (!cursor_skip(c, size))
        return false;
    out->size = c->pos;
    return true;
}

static bool read_index(struct cursor c, struct package_index *index)
{
    uint32_t part;

    *index = (struct package_index){.version = 0};
    if (!cursor_u16(&c, &index->version) || (index->version != 2 && index->version != 5) ||
        !cursor_skip(&c, 2) || !cursor_u32(&c, &index->column_count) ||
        !cursor_u32(&c, &index->row_count) || !cursor_u32(&c, &index->slot_count) ||
        !take(&c, UINT64_C(8) * index->slot_count, &index->ids) ||
        !take(&c, UINT64_C(4) * index->slot_count, &index->rows))
        return false;
    for (uint32_t i = 0; i < index->column_count; i++) {
        if (!cursor_u32(&c, &part))
            return false;
        if (part < PART_COUNT)
            index->columns[part] = i + 1;
    }
    index->offs = c;
    return index->columns[PART_INFO] != 0;
}

/*
 * Sets offs[] to where a row's parts of sections begin; 0: the package has no such part. False: the
 * index ends before it says so, and 0 would be another unit's part.
 */
static bool read_row(const struct package_index *index, uint32_t row, uint32_t offs[PART_COUNT])
{
    const uint64_t first = (uint64_t)row * index->column_count;

    for (unsigned part = 0; part < PART_COUNT; part++) {
        struct cursor c = index->offs;

        offs[part] = 0;
        if (index->columns[part] && (!cursor_skip(&c, 4 * (first + index->columns[part] - 1)) ||
                                     !cursor_u32(&c, &offs[part])))
            return false;
    }
    return true;
}

/* Adds the units of a package, and notes where their parts of sections begin. */
static enum status list_package(struct dwarf_file *file, struct package_index *index,
                                uint64_t first, struct map *ids)
{
    uint32_t row, offs[PART_COUNT];
    struct dwarf_unit *unit;
    uint64_t id;

    while (cursor_u64(&index->ids, &id) && cursor_u32(&index->rows, &row)) {
        if (row-- == 0 || row >= index->row_count || !read_row(index, row, offs))
            continue;
        unit = dwarf_unit_from(file, offs[PART_INFO]);
        if (!unit || unit->bases_read || (unit->split_id && unit->split_id != id))
            continue;
        unit->bases_read = true;
        unit->abbrev_off += offs[PART_ABBREV];
        unit->bases.info_off = offs[PART_INFO];
        unit->bases.str_off = offs[PART_STR_OFFSETS];
        if (index->version >= 5)
            unit->bases.lists_off = offs[PART_RNGLISTS];
        if (!map_put(ids, id, first + (uint64_t)(unit - file->units)))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* Returns the id of a skeleton or split unit; 0: none. */
static uint64_t split_id(const struct die *unit_die)
{
    const struct form_value *id = &unit_die->values.value[SLOT_DWO_ID];

    if (unit_die->unit->split_id || !die_has(&unit_die->values, SLOT_DWO_ID))
        return unit_die->unit->split_id;
    return id->class == FORM_CONSTANT ? id->number : 0;
}

bool split_wanted_by(const struct die *unit_die, struct split_wanted *out)
{
    *out = (struct split_wanted){.id = split_id(unit_die),
                                 .name = die_text(unit_die, SLOT_DWO_NAME),
                                 .directory = die_text(unit_die, SLOT_COMP_DIR)};
    return out->id && out->name;
}

/* Whether the file is a package, be its index sound or not. */
static bool is_package(struct dwarf_file *file)
{
    struct elf_section index;

    return elf_image_section(file->image, ".debug_cu_index", &index) != STATUS_NOT_FOUND;
}

enum status split_units_list(struct dwarf_file *file, uint64_t first, struct map *ids)
{
    struct package_index index;
    struct die die;
    uint64_t id;

    if (read_index(dwarf_section_at(file, DWARF_CU_INDEX, 0), &index))
        return list_package(file, &index, first, ids);
    if (is_package(file)) /* without its index nothing says which strings and lists are a unit's */
        return STATUS_OK;
    for (size_t i = 0; i < file->unit_count; i++) {
        id = die_read_unit(file, &file->units[i], &die) ? split_id(&die) : 0;
        if (id && !map_put(ids, id, first + i))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/*
 * DWARF 5 has tables of offsets behind a header each, which no attribute of a split unit tells:
 *
 *     .debug_str_offsets.dwo   length, version, padding                    8 or 16 bytes
 *     .debug_rnglists.dwo      length, version, sizes, number of offsets   12 or 20 bytes
 */
void split_unit_tie(const struct split_found *split, const struct die *skeleton)
{
    const struct unit_bases *from = die_unit_bases(skeleton->file, skeleton->unit);
    struct dwarf_unit *unit = split->unit;
    struct unit_bases *bases = &unit->bases;
    const bool is_long = unit->sizes.off == 8;

    if (!split->file->skeletons)
        skeleton->file->function_budget += split->file->function_budget;
    split->file->skeletons = skeleton->file;
    bases->low_pc = from->low_pc;
    bases->addr_off = from->addr_off;
    bases->has_strs = true;
    if (unit->sizes.version >= 5) {
        bases->ranges_off = bases->lists_off;
        bases->str_off += is_long ? 16 : 8;
        bases->lists_off += is_long ? 20 : 12;
        bases->has_lists = true;
    } else {
        bases->ranges_off = die_has(&skeleton->values, SLOT_RANGES_BASE)
                                ? skeleton->values.value[SLOT_RANGES_BASE].number
                                : 0;
    }
}
