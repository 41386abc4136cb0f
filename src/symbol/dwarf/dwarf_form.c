/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/dwarf_form.h"

#include <dwarf.h>

bool form_size(uint64_t form, const struct form_sizes *sizes, unsigned *size)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        *size = 0;
        return true;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        *size = 1;
        return true;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        *size = 2;
        return true;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        *size = 3;
        return true;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
        *size = 4;
        return true;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        *size = 8;
        return true;
    case DW_FORM_data16:
        *size = 16;
        return true;
    case DW_FORM_addr:
        *size = sizes->word;
        return true;
    case DW_FORM_ref_addr:
        *size = sizes->version == 2 ? sizes->word : sizes->off;
        return true;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        *size = sizes->off;
        return true;
    default:
        return false;
    }
}

static bool skip_block(struct cursor *c, unsigned length_size)
{
    uint64_t length;

    return cursor_uint(c, length_size, &length) && cursor_skip(c, length);
}

/* Reads the form at the beginning of a value of DW_FORM_indirect. */
static bool read_indirect(struct cursor *c, uint64_t *form)
{
    return cursor_uleb(c, form) && *form != DW_FORM_indirect && *form != DW_FORM_implicit_const;
}

bool form_skip(struct cursor *c, uint64_t form, const struct form_sizes *sizes)
{
    uint64_t number;
    const char *text;
    unsigned size;

    if (form == DW_FORM_indirect && !read_indirect(c, &form))
        return false;
    if (form_size(form, sizes, &size))
        return cursor_skip(c, size);
    switch (form) {
    case DW_FORM_block1:
        return skip_block(c, 1);
    case DW_FORM_block2:
        return skip_block(c, 2);
    case DW_FORM_block4:
        return skip_block(c, 4);
    case DW_FORM_block:
    case DW_FORM_exprloc:
        return cursor_uleb(c, &number) && cursor_skip(c, number);
    case DW_FORM_string:
        return cursor_string(c, &text);
    case DW_FORM_sdata:
        return cursor_sleb(c, &(int64_t){0});
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return cursor_uleb(c, &number);
    default:
        return false;
    }
}

static enum form_class class_of(uint64_t form)
{
    switch (form) {
    case DW_FORM_addr:
        return FORM_ADDRESS;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return FORM_ADDRESS_INDEX;
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_implicit_const:
        return FORM_CONSTANT;
    case DW_FORM_sec_offset:
        return FORM_SECTION_OFF;
    case DW_FORM_rnglistx:
        return FORM_LIST_INDEX;
    case DW_FORM_string:
        return FORM_TEXT;
    case DW_FORM_strp:
        return FORM_STR;
    case DW_FORM_line_strp:
        return FORM_LINE_STR;
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return FORM_SHARED_STR;
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return FORM_STR_INDEX;
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        return FORM_UNIT_REF;
    case DW_FORM_ref_addr:
        return FORM_REF;
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_GNU_ref_alt:
        return FORM_SHARED_REF;
    default:
        return FORM_OTHER;
    }
}

static bool read_three_bytes(struct cursor *c, uint64_t *out)
{
    const uint8_t *bytes;

    if (!cursor_bytes(c, 3, &bytes))
        return false;
    *out = bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16;
    return true;
}

bool form_read(struct cursor *c, uint64_t form, const struct form_sizes *sizes,
               struct form_value *out)
{
    int64_t number;
    unsigned size;

    if (form == DW_FORM_indirect && !read_indirect(c, &form))
        return false;
    *out = (struct form_value){.class = class_of(form)};
    if (out->class == FORM_OTHER || form == DW_FORM_implicit_const)
        return form_skip(c, form, sizes);
    if (form_size(form, sizes, &size))
        return size == 3 ? read_three_bytes(c, &out->number) : cursor_uint(c, size, &out->number);
    if (form == DW_FORM_string)
        return cursor_string(c, &out->text);
    if (form != DW_FORM_sdata)
        return cursor_uleb(c, &out->number);
    if (!cursor_sleb(c, &number))
        return false;
    out->number = (uint64_t)number;
    return true;
}
