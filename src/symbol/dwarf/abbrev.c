/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/abbrev.h"

#include <stdlib.h>

#include <dwarf.h>

#include "base/search.h"
#include "base/vec.h"

/* Steps without a slot: over bytes, and over one value. */
#define STEP_BYTES SLOT_COUNT
#define STEP_VALUE (SLOT_COUNT + 1)

struct abbrev_step {
    uint32_t arg;  /* STEP_BYTES: how many; DW_FORM_implicit_const: index in constants */
    uint16_t form; /* form of the value */
    uint8_t slot;
};

struct abbrev_table {
    struct form_sizes sizes;
    bool dense;  /* abbreviation i has code i + 1 */
    bool sorted; /* codes ascend */
    struct abbrev *abbrevs;
    size_t count, cap;
    struct abbrev_step *steps;
    size_t step_count, step_cap;
    int64_t *constants;
    size_t constant_count, constant_cap;
};

size_t abbrev_table_size(const struct abbrev_table *table)
{
    return sizeof(*table) + table->cap * sizeof(*table->abbrevs) +
           table->step_cap * sizeof(*table->steps) +
           table->constant_cap * sizeof(*table->constants);
}

static enum die_kind kind_of(uint64_t tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
        return DIE_FUNCTION;
    case DW_TAG_inlined_subroutine:
        return DIE_INLINED;
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
        return DIE_UNIT;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return DIE_RECORD;
    case DW_TAG_namespace:
        return DIE_NAMESPACE;
    case DW_TAG_array_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_subroutine_type:
        return DIE_TYPE;
    default:
        return DIE_PASSED;
    }
}

static unsigned slot_of(uint64_t name)
{
    switch (name) {
    case DW_AT_name:
        return SLOT_NAME;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        return SLOT_LINKAGE_NAME;
    case DW_AT_low_pc:
        return SLOT_LOW_PC;
    case DW_AT_high_pc:
        return SLOT_HIGH_PC;
    case DW_AT_ranges:
        return SLOT_RANGES;
    case DW_AT_abstract_origin:
        return SLOT_ORIGIN;
    case DW_AT_specification:
        return SLOT_SPECIFICATION;
    case DW_AT_call_file:
        return SLOT_CALL_FILE;
    case DW_AT_call_line:
        return SLOT_CALL_LINE;
    case DW_AT_decl_line:
        return SLOT_DECL_LINE;
    case DW_AT_decl_column:
        return SLOT_DECL_COLUMN;
    case DW_AT_sibling:
        return SLOT_SIBLING;
    case DW_AT_stmt_list:
        return SLOT_STMT_LIST;
    case DW_AT_comp_dir:
        return SLOT_COMP_DIR;
    case DW_AT_language:
        return SLOT_LANGUAGE;
    case DW_AT_str_offsets_base:
        return SLOT_STR_BASE;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        return SLOT_ADDR_BASE;
    case DW_AT_rnglists_base:
        return SLOT_LISTS_BASE;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        return SLOT_DWO_NAME;
    case DW_AT_GNU_dwo_id:
        return SLOT_DWO_ID;
    case DW_AT_GNU_ranges_base:
        return SLOT_RANGES_BASE;
    default:
        return STEP_VALUE;
    }
}

/*
 * The slot of an attribute in a DIE of that kind. Flags have none, and of a repeated attribute only
 * the first has one: so a DIE has at most as many steps as bytes and slots.
 */
static unsigned slot_in(const struct abbrev *abbrev, uint64_t name, uint64_t form)
{
    const bool leads_past = abbrev->has_children && name == DW_AT_sibling;
    const bool is_place = name == DW_AT_decl_line || name == DW_AT_decl_column;

    if (form == DW_FORM_flag_present)
        return STEP_VALUE;
    switch ((enum die_kind)abbrev->kind) {
    case DIE_UNIT:
    case DIE_FUNCTION:
    case DIE_INLINED:
        return is_place ? STEP_VALUE : slot_of(name);
    case DIE_RECORD:
        return leads_past || name == DW_AT_name || name == DW_AT_specification || is_place
                   ? slot_of(name)
                   : STEP_VALUE;
    case DIE_NAMESPACE:
        return name == DW_AT_name ? SLOT_NAME : STEP_VALUE;
    case DIE_TYPE:
        return leads_past ? SLOT_SIBLING : STEP_VALUE;
    case DIE_PASSED:
        break;
    }
    return STEP_VALUE;
}

static enum status add_step(struct abbrev_table *table, struct abbrev *abbrev,
                            struct abbrev_step step)
{
    unsigned size;

    if (step.slot == STEP_VALUE && form_size(step.form, &table->sizes, &size)) {
        if (size == 0)
            return STATUS_OK;
        if (abbrev->step_count > 0 && table->steps[table->step_count - 1].slot == STEP_BYTES) {
            table->steps[table->step_count - 1].arg += size; /* below 8 * ABBREV_TABLE_MAX */
            return STATUS_OK;
        }
        step = (struct abbrev_step){.slot = STEP_BYTES, .arg = size};
    }
    if (vec_reserve(&table->steps, &table->step_cap, table->step_count + 1,
                    sizeof(*table->steps)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    table->steps[table->step_count++] = step;
    abbrev->step_count++;
    return STATUS_OK;
}

/* Reads an attribute's name, form and constant; *more is false for the zeroes that end the list. */
static bool read_attribute(struct cursor *c, struct abbrev_table *table, struct abbrev *abbrev,
                           uint32_t *slots, bool *more, enum status *status)
{
    uint64_t name, form;
    int64_t constant = 0;
    struct abbrev_step step;
    unsigned slot;

    if (!cursor_uleb(c, &name) || !cursor_uleb(c, &form) ||
        (form == DW_FORM_implicit_const && !cursor_sleb(c, &constant)))
        return false;
    *more = name != 0 || form != 0;
    if (!*more)
        return true;
    slot = slot_in(abbrev, name, form);
    if (slot < SLOT_COUNT && *slots >> slot & 1)
        slot = STEP_VALUE;
    else if (slot < SLOT_COUNT)
        *slots |= 1u << slot;
    /* A form that does not fit is unknown: 0. */
    step = (struct abbrev_step){.slot = (uint8_t)slot,
                                .form = form <= UINT16_MAX ? (uint16_t)form : 0};
    if (form == DW_FORM_implicit_const && step.slot < SLOT_COUNT) {
        *status = vec_reserve(&table->constants, &table->constant_cap, table->constant_count + 1,
                              sizeof(*table->constants));
        if (*status != STATUS_OK)
            return false;
        step.arg = (uint32_t)table->constant_count;
        table->constants[table->constant_count++] = constant;
    }
    *status = add_step(table, abbrev, step);
    return *status == STATUS_OK;
}

/* Reads one abbreviation; *more is false for the code 0 that ends the table. */
static bool read_abbrev(struct cursor *c, struct abbrev_table *table, bool *more,
                        enum status *status)
{
    struct abbrev abbrev = {.first_step = (uint32_t)table->step_count};
    uint64_t tag;
    uint8_t has_children;
    bool more_attributes = true;
    uint32_t slots = 0; /* that have steps */

    if (!cursor_uleb(c, &abbrev.code))
        return false;
    *more = abbrev.code != 0;
    if (!*more)
        return true;
    if (!cursor_uleb(c, &tag) || !cursor_u8(c, &has_children))
        return false;
    abbrev.kind = (uint8_t)kind_of(tag);
    abbrev.has_children = has_children != 0;
    while (more_attributes)
        if (!read_attribute(c, table, &abbrev, &slots, &more_attributes, status))
            return false;
    *status = vec_reserve(&table->abbrevs, &table->cap, table->count + 1, sizeof(*table->abbrevs));
    if (*status != STATUS_OK)
        return false;
    table->sorted &= table->count == 0 || table->abbrevs[table->count - 1].code < abbrev.code;
    table->abbrevs[table->count++] = abbrev;
    table->dense &= abbrev.code == table->count;
    return true;
}

static int compare_codes(const void *a, const void *b)
{
    const struct abbrev *x = a, *y = b;

    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return x->first_step < y->first_step ? -1 : x->first_step > y->first_step;
}

enum status abbrev_table_create(struct cursor section, uint64_t off, const struct form_sizes *sizes,
                                uint64_t *end_off, struct abbrev_table **out)
{
    struct abbrev_table *table = calloc(1, sizeof(*table));
    enum status status = STATUS_OK;
    bool more = true;

    if (!table)
        return STATUS_NO_MEMORY;
    table->sizes = *sizes;
    table->dense = table->sorted = true;
    if (!cursor_skip(&section, off))
        section.pos = section.size;
    if (cursor_left(&section) > ABBREV_TABLE_MAX)
        section.size = section.pos + ABBREV_TABLE_MAX;
    while (more && status == STATUS_OK)
        if (!read_abbrev(&section, table, &more, &status))
            break;
    if (status != STATUS_OK) {
        abbrev_table_destroy(table);
        return status;
    }
    if (!table->sorted)
        qsort(table->abbrevs, table->count, sizeof(*table->abbrevs), compare_codes);
    if (end_off)
        *end_off = section.pos;
    *out = table;
    return STATUS_OK;
}

void abbrev_table_destroy(struct abbrev_table *table)
{
    if (!table)
        return;
    free(table->abbrevs);
    free(table->steps);
    free(table->constants);
    free(table);
}

const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code)
{
    size_t at;

    if (table->dense)
        return code - 1 < table->count ? &table->abbrevs[code - 1] : NULL;
    at = SEARCH_FIRST(i, 0, table->count, table->abbrevs[i].code < code);
    return at < table->count && table->abbrevs[at].code == code ? &table->abbrevs[at] : NULL;
}

bool abbrev_skip(const struct abbrev_table *table, const struct abbrev *abbrev, struct cursor *c)
{
    for (uint32_t i = 0; i < abbrev->step_count; i++) {
        const struct abbrev_step *step = &table->steps[abbrev->first_step + i];

        if (!(step->slot == STEP_BYTES ? cursor_skip(c, step->arg)
                                       : form_skip(c, step->form, &table->sizes)))
            return false;
    }
    return true;
}

bool abbrev_read(const struct abbrev_table *table, const struct abbrev *abbrev, struct cursor *c,
                 struct die_values *out)
{
    out->present = 0;
    for (uint32_t i = 0; i < abbrev->step_count; i++) {
        const struct abbrev_step *step = &table->steps[abbrev->first_step + i];
        struct form_value *value = &out->value[step->slot < SLOT_COUNT ? step->slot : 0];

        if (step->slot == STEP_BYTES) {
            if (!cursor_skip(c, step->arg))
                return false;
            continue;
        }
        if (step->slot == STEP_VALUE) {
            if (!form_skip(c, step->form, &table->sizes))
                return false;
            continue;
        }
        if (!form_read(c, step->form, &table->sizes, value))
            return false;
        if (step->form == DW_FORM_implicit_const)
            value->number = (uint64_t)table->constants[step->arg];
        out->present |= 1u << step->slot;
    }
    return true;
}
