/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/scopes.h"

#include <stdlib.h>

#include "variables/dwarf/reader/code_index.h"
#include "variables/dwarf/reader/definitions.h"
#include "variables/dwarf/reader/type_members.h"
#include "variables/model/type.h"

static enum type_kind kind_of(uint16_t tag)
{
    switch (tag) {
    case DW_TAG_base_type:
        return TYPE_BASE;
    case DW_TAG_enumeration_type:
        return TYPE_ENUM;
    case DW_TAG_pointer_type:
        return TYPE_POINTER;
    case DW_TAG_reference_type:
        return TYPE_REFERENCE;
    case DW_TAG_rvalue_reference_type:
        return TYPE_RVALUE_REFERENCE;
    case DW_TAG_ptr_to_member_type:
        return TYPE_MEMBER_POINTER;
    case DW_TAG_array_type:
        return TYPE_ARRAY;
    case DW_TAG_structure_type:
        return TYPE_STRUCT;
    case DW_TAG_class_type:
    case DW_TAG_interface_type:
        return TYPE_CLASS;
    case DW_TAG_union_type:
        return TYPE_UNION;
    case DW_TAG_subroutine_type:
    case DW_TAG_subprogram:
        return TYPE_FUNCTION;
    case DW_TAG_typedef:
    case DW_TAG_template_alias:
    case DW_TAG_subrange_type:
        return TYPE_TYPEDEF;
    case DW_TAG_const_type:
    case DW_TAG_immutable_type:
        return TYPE_CONST;
    case DW_TAG_volatile_type:
        return TYPE_VOLATILE;
    case DW_TAG_restrict_type:
        return TYPE_RESTRICT;
    case DW_TAG_atomic_type:
        return TYPE_ATOMIC;
    case DW_TAG_unspecified_type:
        return TYPE_UNSPECIFIED;
    default:
        return TYPE_UNKNOWN;
    }
}

/* Is it a variant of its kind that is not supported: big-endian, or elements with gaps? */
static bool is_strange(struct debug_reader *reader, const struct debug_die *die,
                       enum type_kind kind)
{
    uint64_t endianity;

    if (kind == TYPE_BASE && attr_unsigned(reader, die, DW_AT_endianity, &endianity))
        return endianity == DW_END_big;
    return kind == TYPE_ARRAY &&
           (attr_has(reader, die, DW_AT_byte_stride) || attr_has(reader, die, DW_AT_bit_stride));
}

static bool size_of(struct debug_reader *reader, const struct debug_die *die, enum type_kind kind,
                    uint64_t *size)
{
    if (attr_unsigned(reader, die, DW_AT_byte_size, size))
        return true;
    if (attr_unsigned(reader, die, DW_AT_bit_size, size)) {
        *size = *size / 8 + (*size % 8 != 0);
        return true;
    }
    if (kind != TYPE_POINTER && kind != TYPE_REFERENCE && kind != TYPE_RVALUE_REFERENCE)
        return false;
    *size = die->unit->address_size;
    return true;
}

static uint8_t encoding_of(struct debug_reader *reader, const struct debug_die *die,
                           enum type_kind kind)
{
    struct debug_die target, next;
    uint64_t encoding;
    uint8_t found = 0;

    if (attr_unsigned(reader, die, DW_AT_encoding, &encoding))
        return encoding <= UINT8_MAX ? (uint8_t)encoding : 0;
    if (kind != TYPE_ENUM || !attr_follow(reader, die, DW_AT_type, &target))
        return 0;
    for (int i = 0; i < 16; i++) { /* typedefs */
        const bool is = attr_unsigned(reader, &target, DW_AT_encoding, &encoding);

        if (is) {
            found = encoding <= UINT8_MAX ? (uint8_t)encoding : 0;
            break;
        }
        if (!attr_follow(reader, &target, DW_AT_type, &next))
            break;
        die_close(reader, &target);
        target = next;
    }
    die_close(reader, &target);
    return found;
}

static void write_type(struct debug_reader *reader, die_ref asked, const struct die_chain *chain)
{
    const struct debug_die *die = &chain->list[0];
    struct wire_out *out = &reader->answer;
    enum type_kind kind = kind_of(die_tag(reader, die));
    char *name = die_qualified_name(reader, chain);
    const uint8_t encoding = encoding_of(reader, die, kind);
    uint64_t size = 0;
    bool has_size;

    if (is_strange(reader, die, kind))
        kind = TYPE_UNKNOWN;
    has_size = size_of(reader, die, kind, &size);
    wire_u64(out, asked);
    wire_u8(out, (uint8_t)kind);
    wire_text(out, name);
    free(name);
    wire_u8(out, has_size);
    wire_u64(out, size);
    wire_u8(out, encoding);
    wire_u16(out, reader_language(reader, die->unit));
    wire_u8(out, attr_flag(reader, die, DW_AT_declaration));
    wire_u8(out, attr_flag(reader, die, DW_AT_GNU_vector));
    wire_u8(out, attr_flag(reader, die, DW_AT_prototyped));
    wire_u8(out, attr_flag(reader, die, DW_AT_enum_class));
    wire_u64(out, attr_ref(reader, die, DW_AT_type));
    wire_u64(out, attr_ref(reader, die, DW_AT_containing_type));
    type_members_write(reader, die, kind, has_size ? size : 0, encoding);
}

/* Replaces an incomplete type's chain by the definition's, if there is one. */
static bool follow_declaration(struct debug_reader *reader, struct die_chain *chain)
{
    const struct debug_die *die = &chain->list[0];
    die_ref ref = attr_ref(reader, die, DW_AT_signature);

    if (!ref && attr_flag(reader, die, DW_AT_declaration))
        ref = definition_of(reader, chain);
    if (!ref || ref == die_self(reader, die))
        return true;
    chain_close(reader, chain);
    return chain_open(reader, ref, chain);
}

enum wire_result type_answer(struct debug_reader *reader, die_ref ref)
{
    struct die_chain chain;

    if (!chain_open(reader, ref, &chain))
        return WIRE_DAMAGED;
    reader->notes->asked_unit = unit_ref(chain.list[0].unit, chain.list[0].unit->header_off) + 1;
    if (!follow_declaration(reader, &chain))
        return WIRE_DAMAGED;
    write_type(reader, ref, &chain);
    chain_close(reader, &chain);
    return WIRE_FOUND;
}
