/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/die.h"

#include <string.h>

/* DIEs in a chain of DW_AT_abstract_origin and DW_AT_specification; ends circles. */
#define REFERENCES_MAX 8

static bool read_at(struct dwarf_file *file, struct dwarf_unit *unit, uint64_t off, struct die *out)
{
    const struct abbrev_table *table = dwarf_abbrevs(file, unit);
    struct cursor c = dwarf_section_at(file, DWARF_INFO, off);
    const struct abbrev *abbrev;
    uint64_t code;

    if (!table || off >= unit->end_off)
        return false;
    c.size = (size_t)(unit->end_off - off < DWARF_DIE_MAX ? unit->end_off : off + DWARF_DIE_MAX);
    abbrev = cursor_uleb(&c, &code) ? abbrev_find(table, code) : NULL;
    if (!abbrev || !abbrev_read(table, abbrev, &c, &out->values))
        return false;
    out->file = file;
    out->unit = unit;
    out->off = off;
    out->kind = (enum die_kind)abbrev->kind;
    return true;
}

bool die_read(struct dwarf_file *file, uint64_t off, struct die *out)
{
    struct dwarf_unit *unit = dwarf_unit_at(file, off);

    return unit && read_at(file, unit, off, out);
}

static uint64_t number_or_zero(const struct die_values *values, enum die_slot slot)
{
    return die_has(values, slot) ? values->value[slot].number : 0;
}

static void keep_bases(const struct die *die)
{
    const struct die_values *values = &die->values;
    struct unit_bases *bases = &die->unit->bases;

    die->unit->bases_read = true;
    bases->addr_off = number_or_zero(values, SLOT_ADDR_BASE);
    bases->lists_off = number_or_zero(values, SLOT_LISTS_BASE);
    bases->str_off = number_or_zero(values, SLOT_STR_BASE);
    bases->has_lists = die_has(values, SLOT_LISTS_BASE);
    bases->has_strs = die_has(values, SLOT_STR_BASE);
    if (!die_has(values, SLOT_LOW_PC) ||
        !die_address(die->file, bases, die->unit, &values->value[SLOT_LOW_PC], &bases->low_pc))
        bases->low_pc = 0;
}

bool die_read_unit(struct dwarf_file *file, struct dwarf_unit *unit, struct die *out)
{
    if (!read_at(file, unit, unit->off + unit->header_size, out) || out->kind != DIE_UNIT)
        return false;
    if (!unit->bases_read)
        keep_bases(out);
    return true;
}

const struct unit_bases *die_unit_bases(struct dwarf_file *file, struct dwarf_unit *unit)
{
    struct die die;

    if (!unit->bases_read && !die_read_unit(file, unit, &die))
        unit->bases_read = true; /* not to be tried again */
    return &unit->bases;
}

static bool indexed(struct dwarf_file *file, enum dwarf_section section, uint64_t base_off,
                    uint64_t index, unsigned size, uint64_t *out)
{
    struct cursor table;
    uint64_t off;

    if (__builtin_mul_overflow(index, size, &off) || __builtin_add_overflow(off, base_off, &off))
        return false;
    table = dwarf_section_at(file, section, off);
    return cursor_uint(&table, size, out);
}

bool die_address(struct dwarf_file *file, const struct unit_bases *bases,
                 const struct dwarf_unit *unit, const struct form_value *value, uint64_t *out)
{
    if (value->class == FORM_ADDRESS_INDEX)
        return indexed(file, DWARF_ADDR, bases->addr_off, value->number, unit->sizes.word, out);
    *out = value->number;
    return value->class == FORM_ADDRESS;
}

static const char *text_at(struct dwarf_file *file, enum dwarf_section section, uint64_t off)
{
    struct cursor c = dwarf_section_at(file, section, off);
    const char *text;

    if (cursor_left(&c) > DWARF_NAME_MAX)
        c.size = c.pos + DWARF_NAME_MAX + 1;
    return cursor_string(&c, &text) ? text : NULL;
}

static const char *text_of(const struct die *die, const struct form_value *value)
{
    struct dwarf_file *file = die->file;
    const struct unit_bases *bases;
    uint64_t off;

    switch (value->class) {
    case FORM_TEXT:
        return strnlen(value->text, DWARF_NAME_MAX + 1) <= DWARF_NAME_MAX ? value->text : NULL;
    case FORM_STR:
        return text_at(file, DWARF_STR, value->number);
    case FORM_LINE_STR:
        return text_at(file, DWARF_LINE_STR, value->number);
    case FORM_SHARED_STR:
        return file->shared ? text_at(file->shared, DWARF_STR, value->number) : NULL;
    case FORM_STR_INDEX:
        bases = die_unit_bases(file, die->unit);
        if (!bases->has_strs || !indexed(file, DWARF_STR_OFFSETS, bases->str_off, value->number,
                                         die->unit->sizes.off, &off))
            return NULL;
        return text_at(file, DWARF_STR, off);
    case FORM_OTHER:
    case FORM_ADDRESS:
    case FORM_ADDRESS_INDEX:
    case FORM_CONSTANT:
    case FORM_SECTION_OFF:
    case FORM_LIST_INDEX:
    case FORM_UNIT_REF:
    case FORM_REF:
    case FORM_SHARED_REF:
        break;
    }
    return NULL;
}

const char *die_text(const struct die *die, enum die_slot slot)
{
    const char *text = die_has(&die->values, slot) ? text_of(die, &die->values.value[slot]) : NULL;

    return text && text[0] ? text : NULL;
}

/* Reads the DIE that a reference leads to, which may be in the shared file. */
static bool follow(const struct die *die, enum die_slot slot, struct die *out)
{
    const struct form_value *value = &die->values.value[slot];
    const struct dwarf_unit *unit = die->unit;
    uint64_t off;

    if (!die_has(&die->values, slot))
        return false;
    switch (value->class) {
    case FORM_UNIT_REF:
        return value->number >= unit->header_size &&
               !__builtin_add_overflow(value->number, unit->off, &off) &&
               read_at(die->file, die->unit, off, out);
    case FORM_REF:
        return die_read(die->file, value->number + unit->bases.info_off, out);
    case FORM_SHARED_REF:
        return die->file->shared && die_read(die->file->shared, value->number, out);
    case FORM_OTHER:
    case FORM_ADDRESS:
    case FORM_ADDRESS_INDEX:
    case FORM_CONSTANT:
    case FORM_SECTION_OFF:
    case FORM_LIST_INDEX:
    case FORM_TEXT:
    case FORM_STR:
    case FORM_LINE_STR:
    case FORM_SHARED_STR:
    case FORM_STR_INDEX:
        break;
    }
    return false;
}

bool die_declaration(struct dwarf_file *file, uint64_t off, struct declaration *out)
{
    struct die dies[2];
    struct die *die = &dies[0];
    bool more = die_read(file, off, die);

    *out = (struct declaration){.file = file, .off = off};
    if (!more)
        return false;
    for (unsigned i = 1; more && i <= REFERENCES_MAX; i++) {
        struct die *next = &dies[i & 1];

        if (!out->linkage_name)
            out->linkage_name = die_text(die, SLOT_LINKAGE_NAME);
        if (!out->name)
            out->name = die_text(die, SLOT_NAME);
        out->file = die->file;
        out->off = die->off;
        more = follow(die, SLOT_ORIGIN, next) || follow(die, SLOT_SPECIFICATION, next);
        die = next;
    }
    return true;
}
