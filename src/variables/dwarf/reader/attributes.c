/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/attributes.h"

#include <string.h>

bool attr_open(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
               Dwarf_Attribute *out)
{
    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->attr(die->handle, at, out, &reader->error));
}

void attr_close(struct debug_reader *reader, Dwarf_Attribute attr)
{
    reader->dw->dealloc_attribute(attr);
}

uint16_t attr_form(struct debug_reader *reader, const struct debug_die *die, Dwarf_Attribute attr)
{
    Dwarf_Half form;

    return reader_ok(reader, unit_dbg(die->unit), reader->dw->whatform(attr, &form, &reader->error))
               ? form
               : 0;
}

bool attr_has(struct debug_reader *reader, const struct debug_die *die, uint16_t at)
{
    Dwarf_Bool has;

    return reader_ok(reader, unit_dbg(die->unit),
                     reader->dw->hasattr(die->handle, at, &has, &reader->error)) &&
           has;
}

bool attr_flag(struct debug_reader *reader, const struct debug_die *die, uint16_t at)
{
    Dwarf_Attribute attr;
    Dwarf_Bool flag = 0;
    bool is;

    if (!attr_open(reader, die, at, &attr))
        return false;
    is = reader_ok(reader, unit_dbg(die->unit), reader->dw->formflag(attr, &flag, &reader->error));
    attr_close(reader, attr);
    return is && flag;
}

static uint8_t constant_size(uint16_t form)
{
    switch (form) {
    case DW_FORM_data1:
        return 1;
    case DW_FORM_data2:
        return 2;
    case DW_FORM_data4:
        return 4;
    case DW_FORM_data8:
        return 8;
    default:
        return 0;
    }
}

bool attr_constant(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   struct attr_constant *out)
{
    Dwarf_Attribute attr;
    uint16_t form;
    bool is = false;

    if (!attr_open(reader, die, at, &attr))
        return false;
    form = attr_form(reader, die, attr);
    *out =
        (struct attr_constant){.is_signed = form == DW_FORM_sdata || form == DW_FORM_implicit_const,
                               .size = constant_size(form)};
    if (out->is_signed) {
        Dwarf_Signed value;

        is = reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->formsdata(attr, &value, &reader->error));
        if (is)
            out->value = (uint64_t)value;
    } else if (out->size > 0 || form == DW_FORM_udata) {
        Dwarf_Unsigned value;

        is = reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->formudata(attr, &value, &reader->error));
        if (is)
            out->value = value;
    }
    attr_close(reader, attr);
    return is;
}

bool attr_unsigned(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   uint64_t *out)
{
    struct attr_constant constant;

    if (!attr_constant(reader, die, at, &constant))
        return false;
    *out = constant.value;
    return true;
}

bool attr_section_off(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                      uint64_t *out)
{
    Dwarf_Unsigned index;
    Dwarf_Attribute attr;
    Dwarf_Off off;
    bool is;

    if (!attr_open(reader, die, at, &attr))
        return false;
    switch (attr_form(reader, die, attr)) {
    case DW_FORM_rnglistx:
    case DW_FORM_data4: /* DWARF 2 and 3 */
    case DW_FORM_data8:
        is = reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->formudata(attr, &index, &reader->error));
        *out = index;
        break;
    default:
        is = reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->global_formref(attr, &off, &reader->error));
        *out = off;
    }
    attr_close(reader, attr);
    return is;
}

bool attr_address(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                  uint64_t *out)
{
    Dwarf_Attribute attr;
    Dwarf_Addr addr;
    bool is = false;

    if (!attr_open(reader, die, at, &attr))
        return false;
    switch (attr_form(reader, die, attr)) {
    case DW_FORM_addr:
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        is = reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->formaddr(attr, &addr, &reader->error));
    }
    attr_close(reader, attr);
    if (is)
        *out = addr;
    return is;
}

const char *attr_text(struct debug_reader *reader, const struct debug_die *die, uint16_t at)
{
    Dwarf_Attribute attr;
    char *text;
    bool is;

    if (!attr_open(reader, die, at, &attr))
        return NULL;
    is =
        reader_ok(reader, unit_dbg(die->unit), reader->dw->formstring(attr, &text, &reader->error));
    attr_close(reader, attr);
    return is ? text : NULL;
}

bool attr_block(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                const uint8_t **bytes, uint64_t *size)
{
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    Dwarf_Attribute attr;
    bool is = false;

    if (!attr_open(reader, die, at, &attr))
        return false;
    switch (attr_form(reader, die, attr)) {
    case DW_FORM_exprloc: {
        Dwarf_Unsigned length;
        Dwarf_Ptr start;

        is = reader_ok(reader, dbg, reader->dw->formexprloc(attr, &length, &start, &reader->error));
        if (is) {
            *bytes = start;
            *size = length;
        }
        break;
    }
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4: {
        Dwarf_Block *block;

        is = reader_ok(reader, dbg, reader->dw->formblock(attr, &block, &reader->error));
        if (is) {
            *bytes = block->bl_data;
            *size = block->bl_len;
            reader->dw->dealloc(dbg, block, DW_DLA_BLOCK);
        }
        break;
    }
    }
    attr_close(reader, attr);
    return is;
}

bool attr_data16(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 uint8_t bytes[16])
{
    Dwarf_Form_Data16 data;
    Dwarf_Attribute attr;
    bool is;

    if (!attr_open(reader, die, at, &attr))
        return false;
    is =
        attr_form(reader, die, attr) == DW_FORM_data16 &&
        reader_ok(reader, unit_dbg(die->unit), reader->dw->formdata16(attr, &data, &reader->error));
    attr_close(reader, attr);
    if (is)
        memcpy(bytes, data.fd_data, sizeof(data.fd_data));
    return is;
}

/* The DIE of the type in a type unit; 0: none. */
static die_ref signed_ref(struct debug_reader *reader, uint64_t signature)
{
    const uint64_t *unit = map_get(&reader->signatures, signature);
    const struct debug_unit *found;

    for (size_t i = 0; !unit && i < reader->source_count; i++) {
        reader_units(reader, (uint32_t)i, true);
        reader_units(reader, (uint32_t)i, false);
        unit = map_get(&reader->signatures, signature);
    }
    found = unit ? reader_unit(reader, *unit) : NULL;
    return found && found->type_off < found->end_off - found->header_off
               ? unit_ref(found, found->header_off + found->type_off)
               : 0;
}

die_ref attr_ref(struct debug_reader *reader, const struct debug_die *die, uint16_t at)
{
    const struct debug_unit *unit = die->unit;
    Dwarf_Attribute attr;
    die_ref ref = 0;
    Dwarf_Off off;

    if (!attr_open(reader, die, at, &attr))
        return 0;
    switch (attr_form(reader, die, attr)) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        if (reader_ok(reader, unit_dbg(die->unit),
                      reader->dw->global_formref(attr, &off, &reader->error)))
            ref = unit_ref(unit, unit->group->base + off);
        break;
    case DW_FORM_ref_addr:
        if (reader_ok(reader, unit_dbg(die->unit),
                      reader->dw->global_formref(attr, &off, &reader->error)))
            ref = die_ref_make(unit->file, false, off);
        break;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
        if (reader_ok(reader, unit_dbg(die->unit),
                      reader->dw->global_formref(attr, &off, &reader->error)))
            ref = die_ref_make(DEBUG_FILE_SHARED, false, off);
        break;
    case DW_FORM_ref_sig8: {
        Dwarf_Sig8 signature;
        uint64_t value;

        if (!reader_ok(reader, unit_dbg(die->unit),
                       reader->dw->formsig8(attr, &signature, &reader->error)))
            break;
        memcpy(&value, signature.signature, sizeof(value));
        ref = signed_ref(reader, value);
    }
    }
    attr_close(reader, attr);
    return ref;
}

bool attr_follow(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 struct debug_die *out)
{
    const die_ref ref = attr_ref(reader, die, at);

    return ref && die_open(reader, ref, out);
}

bool chain_open(struct debug_reader *reader, die_ref ref, struct die_chain *out)
{
    out->count = 0;
    if (!die_open(reader, ref, &out->list[0]))
        return false;
    for (out->count = 1; out->count < DIE_CHAIN_MAX; out->count++) {
        const struct debug_die *last = &out->list[out->count - 1];
        struct debug_die *next = &out->list[out->count];

        if (!attr_follow(reader, last, DW_AT_abstract_origin, next) &&
            !attr_follow(reader, last, DW_AT_specification, next))
            break;
    }
    return true;
}

void chain_close(struct debug_reader *reader, struct die_chain *chain)
{
    while (chain->count > 0)
        die_close(reader, &chain->list[--chain->count]);
}

const struct debug_die *chain_find(struct debug_reader *reader, const struct die_chain *chain,
                                   uint16_t at)
{
    for (size_t i = 0; i < chain->count; i++)
        if (attr_has(reader, &chain->list[i], at))
            return &chain->list[i];
    return NULL;
}

const char *chain_text(struct debug_reader *reader, const struct die_chain *chain, uint16_t at)
{
    const struct debug_die *die = chain_find(reader, chain, at);

    return die ? attr_text(reader, die, at) : NULL;
}

die_ref chain_ref(struct debug_reader *reader, const struct die_chain *chain, uint16_t at)
{
    const struct debug_die *die = chain_find(reader, chain, at);

    return die ? attr_ref(reader, die, at) : 0;
}

bool chain_flag(struct debug_reader *reader, const struct die_chain *chain, uint16_t at)
{
    const struct debug_die *die = chain_find(reader, chain, at);

    return die && attr_flag(reader, die, at);
}

bool chain_unsigned(struct debug_reader *reader, const struct die_chain *chain, uint16_t at,
                    uint64_t *out)
{
    const struct debug_die *die = chain_find(reader, chain, at);

    return die && attr_unsigned(reader, die, at, out);
}
