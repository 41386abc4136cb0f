/* SPDX-License-Identifier: MIT */
#include "boards/rtos/debug/entries.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/vec.h"

#define DEPTH_MAX 64

struct spec {
    uint32_t attribute, form;
    int64_t implicit; /* value of DW_FORM_implicit_const */
};

struct abbreviation {
    uint64_t code;
    uint32_t tag, first_spec, spec_count;
    bool has_children;
};

struct entry_table {
    uint64_t off; /* in .debug_abbrev */
    struct abbreviation *list;
    size_t count, cap;
    struct spec *specs;
    size_t spec_count, spec_cap;
};

static void destroy_table(struct entry_table *table)
{
    if (!table)
        return;
    free(table->list);
    free(table->specs);
    free(table);
}

void entries_close(struct entries *entries)
{
    for (size_t i = 0; i < ENTRIES_TABLES; i++)
        destroy_table(entries->tables[i]);
    free(entries->units);
    *entries = (struct entries){0};
}

static bool at(const struct cursor *section, uint64_t off, struct cursor *out)
{
    *out = *section;
    return cursor_skip(out, off);
}

static bool read_specs(struct entry_table *table, struct cursor *c, bool *no_memory)
{
    uint64_t attribute, form;
    struct spec spec;

    for (;;) {
        spec = (struct spec){0};
        if (!cursor_uleb(c, &attribute) || !cursor_uleb(c, &form) || attribute > UINT32_MAX ||
            form > UINT32_MAX ||
            (form == DW_FORM_implicit_const && !cursor_sleb(c, &spec.implicit)))
            return false;
        if (attribute == 0 && form == 0)
            return true;
        if (table->spec_count >= 10 * (size_t)ENTRIES_ABBREVS_MAX)
            return false;
        *no_memory = vec_reserve(&table->specs, &table->spec_cap, table->spec_count + 1,
                                 sizeof(spec)) != STATUS_OK;
        if (*no_memory)
            return false;
        spec.attribute = (uint32_t)attribute;
        spec.form = (uint32_t)form;
        table->specs[table->spec_count++] = spec;
    }
}

/* Reads an abbreviation. False: no more. */
static bool read_abbreviation(struct entry_table *table, struct cursor *c, bool *no_memory)
{
    struct abbreviation a = {.first_spec = (uint32_t)table->spec_count};
    uint64_t tag;
    uint8_t children;

    if (!cursor_uleb(c, &a.code) || a.code == 0 || !cursor_uleb(c, &tag) || tag > UINT32_MAX ||
        !cursor_u8(c, &children) || !read_specs(table, c, no_memory))
        return false;
    a.tag = (uint32_t)tag;
    a.has_children = children != 0;
    a.spec_count = (uint32_t)table->spec_count - a.first_spec;
    *no_memory = vec_reserve(&table->list, &table->cap, table->count + 1, sizeof(a)) != STATUS_OK;
    if (*no_memory)
        return false;
    table->list[table->count++] = a;
    return true;
}

/* Returns the table of abbreviations; NULL: unreadable, or no memory. */
static const struct entry_table *find_table(struct entries *entries, uint64_t off)
{
    struct entry_table **place = &entries->tables[off % 31 % ENTRIES_TABLES];
    struct cursor c;

    if (*place && (*place)->off == off)
        return *place;
    destroy_table(*place);
    *place = NULL;
    if (!at(&entries->abbrev, off, &c))
        return NULL;
    *place = calloc(1, sizeof(**place));
    if (!*place) {
        entries->no_memory = true;
        return NULL;
    }
    (*place)->off = off;
    while (entries->table_reads_left > 0 && (*place)->count < ENTRIES_ABBREVS_MAX &&
           read_abbreviation(*place, &c, &entries->no_memory))
        entries->table_reads_left--;
    return *place;
}

/* Compilers number abbreviations from 1 on. */
static const struct abbreviation *find_abbreviation(const struct entry_table *table, uint64_t code)
{
    if (code <= table->count && table->list[code - 1].code == code)
        return &table->list[code - 1];
    for (size_t i = 0; i < table->count; i++)
        if (table->list[i].code == code)
            return &table->list[i];
    return NULL;
}

/* Reads a unit's header (DWARF 5, 7.5.1; DWARF 4, 7.5.1.1). False: malformed. */
static bool read_unit(const struct entries *entries, uint64_t off, struct entry_unit *out)
{
    struct cursor c;
    uint64_t length;
    uint32_t small;
    uint16_t version;
    uint8_t type = DW_UT_compile, word;

    *out = (struct entry_unit){.off = off, .sizes = {.off = 4}};
    if (!at(&entries->info, off, &c) || !cursor_u32(&c, &small))
        return false;
    length = small;
    if (small == UINT32_MAX) {
        out->sizes.off = 8;
        if (!cursor_u64(&c, &length))
            return false;
    }
    if (length > cursor_left(&c))
        return false;
    out->end_off = c.pos + length;
    if (!cursor_u16(&c, &version))
        return false;
    if (version >= 5 && (!cursor_u8(&c, &type) || !cursor_u8(&c, &word)))
        return false;
    if (!cursor_uint(&c, out->sizes.off, &out->abbrev_off) ||
        (version < 5 && !cursor_u8(&c, &word)))
        return false;
    if ((type == DW_UT_type || type == DW_UT_split_type) && !cursor_skip(&c, 8u + out->sizes.off))
        return false;
    if ((type == DW_UT_skeleton || type == DW_UT_split_compile) && !cursor_skip(&c, 8))
        return false;
    out->sizes.version = (uint8_t)version;
    out->sizes.word = word;
    out->strings_off = out->sizes.off == 4 ? 8 : 16; /* after the header of the first part */
    out->first_off = c.pos;
    if (version < 2 || version > 5 || (word != 4 && word != 8)) /* skipped: as if without entries */
        out->first_off = out->end_off;
    return true;
}

enum status entries_open(struct firmware *firmware, struct entries *out)
{
    struct entry_unit unit;
    uint64_t off = 0;

    *out =
        (struct entries){.reads_left = ENTRIES_READ_MAX, .table_reads_left = ENTRIES_TABLE_READS};
    out->info = firmware_section(firmware, ".debug_info");
    out->abbrev = firmware_section(firmware, ".debug_abbrev");
    out->strings = firmware_section(firmware, ".debug_str");
    out->line_strings = firmware_section(firmware, ".debug_line_str");
    out->string_offsets = firmware_section(firmware, ".debug_str_offsets");
    for (; out->unit_count < ENTRIES_UNITS_MAX && read_unit(out, off, &unit); off = unit.end_off) {
        if (vec_reserve(&out->units, &out->unit_cap, out->unit_count + 1, sizeof(unit)) !=
            STATUS_OK) {
            entries_close(out);
            return STATUS_NO_MEMORY;
        }
        out->units[out->unit_count++] = unit;
    }
    return out->unit_count ? STATUS_OK : STATUS_BAD_DATA;
}

static const char *text_at(const struct cursor *section, uint64_t off)
{
    struct cursor c;
    const char *text;

    return at(section, off, &c) && cursor_string(&c, &text) && text[0] ? text : NULL;
}

static const char *text_of(const struct entries *entries, const struct entry_unit *unit,
                           const struct form_value *value)
{
    struct cursor c;
    uint64_t off;

    switch (value->class) {
    case FORM_TEXT:
        return value->text[0] ? value->text : NULL;
    case FORM_STR:
        return text_at(&entries->strings, value->number);
    case FORM_LINE_STR:
        return text_at(&entries->line_strings, value->number);
    case FORM_STR_INDEX:
        if (value->number > UINT32_MAX || !at(&entries->string_offsets, unit->strings_off, &c) ||
            !cursor_skip(&c, value->number * unit->sizes.off) ||
            !cursor_uint(&c, unit->sizes.off, &off))
            return NULL;
        return text_at(&entries->strings, off);
    default:
        return NULL;
    }
}

/* Returns the offset in .debug_info that the value refers to; 0: none. */
static uint64_t reference(const struct entry_unit *unit, const struct form_value *value)
{
    if (value->class == FORM_UNIT_REF && value->number < unit->end_off - unit->off)
        return unit->off + value->number;
    return value->class == FORM_REF ? value->number : 0;
}

/*
 * Evaluates an expression of one operation `wanted`, the address of a variable or (in DWARF 2)
 * offset of a member. False: another expression, or none.
 */
static bool read_expression(struct cursor c, const struct spec *spec,
                            const struct form_sizes *sizes, uint8_t wanted, uint64_t *out)
{
    uint64_t length;
    uint8_t operation;
    bool is_there;

    switch (spec->form) {
    case DW_FORM_exprloc:
    case DW_FORM_block:
        is_there = cursor_uleb(&c, &length);
        break;
    case DW_FORM_block1:
        is_there = cursor_uint(&c, 1, &length);
        break;
    default:
        return false;
    }
    if (!is_there || length > cursor_left(&c))
        return false;
    c.size = c.pos + (size_t)length;
    if (!cursor_u8(&c, &operation) || operation != wanted)
        return false;
    return (wanted == DW_OP_addr ? cursor_uint(&c, sizes->word, out) : cursor_uleb(&c, out)) &&
           cursor_left(&c) == 0;
}

static void take_number(const struct form_value *value, bool *is_there, uint64_t *out)
{
    *is_there = value->class == FORM_CONSTANT;
    *out = value->number;
}

static void take_attribute(struct entries *entries, const struct entry_unit *unit,
                           const struct spec *spec, struct cursor before,
                           const struct form_value *value, struct entry *out)
{
    switch (spec->attribute) {
    case DW_AT_name:
        out->name = text_of(entries, unit, value);
        break;
    case DW_AT_type:
        out->type_off = reference(unit, value);
        break;
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        out->origin_off = reference(unit, value);
        break;
    case DW_AT_byte_size:
        take_number(value, &out->has_size, &out->size);
        break;
    case DW_AT_encoding:
        out->encoding = value->number;
        break;
    case DW_AT_upper_bound:
        if (value->class == FORM_CONSTANT && value->number < UINT32_MAX) {
            out->has_count = true;
            out->count = value->number + 1;
        }
        break;
    case DW_AT_count:
        take_number(value, &out->has_count, &out->count);
        break;
    case DW_AT_const_value:
        take_number(value, &out->has_value, &out->value);
        break;
    case DW_AT_data_member_location:
        take_number(value, &out->has_offset, &out->member_off);
        if (!out->has_offset)
            out->has_offset =
                read_expression(before, spec, &unit->sizes, DW_OP_plus_uconst, &out->member_off);
        break;
    case DW_AT_location:
        out->has_addr = read_expression(before, spec, &unit->sizes, DW_OP_addr, &out->addr);
        break;
    case DW_AT_declaration:
        out->is_declaration = true;
        break;
    default:
        break;
    }
}

static bool read_attribute(struct entries *entries, struct entry_unit *unit,
                           const struct spec *spec, struct cursor *c, struct entry *out)
{
    const struct cursor before = *c;
    struct form_value value;

    if (!form_read(c, spec->form, &unit->sizes, &value))
        return false;
    if (spec->form == DW_FORM_implicit_const)
        value.number = (uint64_t)spec->implicit;
    if (spec->attribute == DW_AT_str_offsets_base && value.class == FORM_SECTION_OFF)
        unit->strings_off = value.number;
    take_attribute(entries, unit, spec, before, &value, out);
    return true;
}

bool entry_read_in(struct entries *entries, const struct entry_unit *given, uint64_t off,
                   struct entry *out)
{
    struct entry_unit *unit = &entries->units[given - entries->units];
    const struct entry_table *table = find_table(entries, unit->abbrev_off);
    const struct abbreviation *abbreviation;
    struct cursor c = entries->info;
    uint64_t code;

    *out = (struct entry){.off = off};
    if (!table || entries->no_memory || entries->reads_left == 0 || off >= unit->end_off)
        return false;
    entries->reads_left--;
    c.size = (size_t)unit->end_off;
    if (!cursor_skip(&c, off) || !cursor_uleb(&c, &code))
        return false;
    out->next_off = c.pos;
    if (code == 0)
        return true;
    abbreviation = find_abbreviation(table, code);
    if (!abbreviation)
        return false;
    out->tag = abbreviation->tag;
    out->has_children = abbreviation->has_children;
    for (uint32_t i = 0; i < abbreviation->spec_count; i++)
        if (!read_attribute(entries, unit, &table->specs[abbreviation->first_spec + i], &c, out))
            return false;
    out->next_off = c.pos;
    return true;
}

static const struct entry_unit *unit_of(const struct entries *entries, uint64_t off)
{
    size_t low = 0, high = entries->unit_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (off >= entries->units[middle].end_off)
            low = middle + 1;
        else
            high = middle;
    }
    return low < entries->unit_count && off >= entries->units[low].first_off ? &entries->units[low]
                                                                             : NULL;
}

bool entry_read(struct entries *entries, uint64_t off, struct entry *out)
{
    const struct entry_unit *unit = unit_of(entries, off);

    return unit && entry_read_in(entries, unit, off, out);
}

bool entry_after(struct entries *entries, const struct entry *entry, struct entry *out)
{
    const struct entry_unit *unit = unit_of(entries, entry->off);
    unsigned depth = entry->has_children ? 1 : 0;
    uint64_t off = entry->next_off;

    while (unit && entry_read_in(entries, unit, off, out)) {
        if (depth == 0)
            return true;
        if (out->tag == 0)
            depth--;
        else if (out->has_children && ++depth > DEPTH_MAX)
            return false;
        off = out->next_off;
    }
    return false;
}
