/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/type_members.h"

#include "base/bits.h"
#include "base/cursor.h"
#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/reader/expressions.h"

/* State of the list of members while it is written. */
struct member_list {
    uint32_t count;
    bool is_cut;
    /* The variant that is being read: */
    bool in_variant, is_default;
    uint64_t variant_value;
    die_ref discriminant;
};

static const struct type_member no_member;

/* Writes the member's place, if it is an expression of `die`; NULL: it is none. */
static void write_where(struct debug_reader *reader, const struct debug_die *die)
{
    struct wire_out *out = &reader->answer;
    const size_t has_at = out->len;

    wire_u8(out, die != NULL);
    if (!die ||
        expression_write(reader, die, DW_AT_data_member_location, UINT64_MAX) ==
            EXPRESSION_SINGLE ||
        out->is_over)
        return;
    out->len = has_at;
    wire_u8(out, 0);
}

static void write_member(struct debug_reader *reader, struct member_list *list, const char *name,
                         const struct type_member *member, const struct debug_die *where)
{
    struct wire_out *out = &reader->answer;

    if (list->count >= TYPE_MEMBERS_MAX) {
        list->is_cut = true;
        return;
    }
    wire_text(out, name);
    wire_u64(out, member->type);
    wire_u64(out, member->off);
    wire_u8(out, member->off_unknown);
    wire_u32(out, member->bit_off);
    wire_u32(out, member->bit_size);
    wire_u8(out, member->is_base);
    wire_u8(out, member->is_virtual);
    wire_u8(out, member->is_static);
    wire_u8(out, member->is_artificial);
    wire_u8(out, member->is_discriminant);
    wire_u8(out, member->is_variant);
    wire_u8(out, member->is_default);
    wire_u64(out, member->variant_value);
    write_where(reader, where);
    list->count++;
}

/* Reads a constant offset, or that of an expression which adds one to the object's address. */
static bool read_place(struct debug_reader *reader, const struct debug_die *die, uint64_t *off)
{
    const uint8_t *bytes;
    struct cursor c;
    uint64_t size;
    uint8_t op;

    if (attr_unsigned(reader, die, DW_AT_data_member_location, off))
        return true;
    if (!attr_block(reader, die, DW_AT_data_member_location, &bytes, &size))
        return !attr_has(reader, die, DW_AT_data_member_location); /* of a union: at 0 */
    c = cursor_init(bytes, (size_t)size);
    return cursor_u8(&c, &op) && op == DW_OP_plus_uconst && cursor_uleb(&c, off) &&
           cursor_left(&c) == 0;
}

/* Reads the bytes of the DIE's type, through typedefs and qualifiers. */
static bool size_of_type(struct debug_reader *reader, const struct debug_die *die, uint64_t *size)
{
    struct debug_die target, next;
    bool is = false;

    if (!attr_follow(reader, die, DW_AT_type, &target))
        return false;
    for (int i = 0; i < 32 && !is; i++) {
        is = attr_unsigned(reader, &target, DW_AT_byte_size, size);
        if (is || !attr_follow(reader, &target, DW_AT_type, &next))
            break;
        die_close(reader, &target);
        target = next;
    }
    die_close(reader, &target);
    return is;
}

/* DWARF 4 counts from the object's beginning; DWARF 2 from the storage unit's highest bit. */
static void read_bit_field(struct debug_reader *reader, const struct debug_die *die,
                           struct type_member *member)
{
    struct attr_constant bit_off;
    uint64_t bit_size, from_start, storage;

    if (!attr_unsigned(reader, die, DW_AT_bit_size, &bit_size))
        return;
    if (bit_size == 0 || bit_size > UINT16_MAX) {
        member->off_unknown = true;
        return;
    }
    member->bit_size = (uint32_t)bit_size;
    if (attr_unsigned(reader, die, DW_AT_data_bit_offset, &from_start)) {
        member->off += from_start / 8;
        member->bit_off = (uint32_t)(from_start % 8);
    } else if (attr_constant(reader, die, DW_AT_bit_offset, &bit_off)) {
        int64_t bit;

        if (!attr_unsigned(reader, die, DW_AT_byte_size, &storage) &&
            !size_of_type(reader, die, &storage))
            storage = 0;
        bit = (int64_t)(storage * 8) - (int64_t)bit_off.value - (int64_t)bit_size;
        if (storage == 0 || storage > 64 || bit < 0 || bit > INT16_MAX)
            member->off_unknown = true;
        else
            member->bit_off = (uint32_t)bit;
    }
}

static void add_member(struct debug_reader *reader, const struct debug_die *die, uint16_t tag,
                       struct member_list *list)
{
    struct type_member member = {.type = attr_ref(reader, die, DW_AT_type),
                                 .is_base = tag == DW_TAG_inheritance,
                                 .is_artificial = attr_flag(reader, die, DW_AT_artificial),
                                 .is_variant = list->in_variant,
                                 .is_default = list->in_variant && list->is_default,
                                 .variant_value = list->variant_value};
    const struct debug_die *where = NULL;
    uint64_t virtuality;

    member.is_virtual = member.is_base &&
                        attr_unsigned(reader, die, DW_AT_virtuality, &virtuality) &&
                        virtuality == DW_VIRTUALITY_virtual;
    member.is_static = tag == DW_TAG_variable || attr_flag(reader, die, DW_AT_external) ||
                       attr_flag(reader, die, DW_AT_declaration);
    member.is_discriminant = list->discriminant && list->discriminant == die_self(reader, die);
    if (!member.is_static) {
        member.off_unknown = !read_place(reader, die, &member.off);
        where = member.off_unknown ? die : NULL;
        read_bit_field(reader, die, &member);
    }
    write_member(reader, list, attr_text(reader, die, DW_AT_name), &member, where);
}

static void add_members(struct debug_reader *reader, const struct debug_die *parent,
                        struct member_list *list);

/* Cuts the value to the bytes of the discriminant. */
static uint64_t cut_to_discriminant(struct debug_reader *reader, die_ref discriminant,
                                    uint64_t value)
{
    struct debug_die die;
    uint64_t size = 8;

    if (!discriminant || !die_open(reader, discriminant, &die))
        return value;
    if (!size_of_type(reader, &die, &size))
        size = 8;
    die_close(reader, &die);
    return size > 0 && size < 8 ? bits_low(value, size * 8) : value;
}

static void add_variant(struct debug_reader *reader, const struct debug_die *die,
                        struct member_list *list)
{
    const struct member_list outer = *list;
    uint64_t value = 0;

    if (attr_has(reader, die, DW_AT_discr_list)) { /* several values: not supported */
        list->is_cut = true;
        return;
    }
    list->is_default = !attr_unsigned(reader, die, DW_AT_discr_value, &value);
    list->variant_value =
        list->is_default ? 0 : cut_to_discriminant(reader, list->discriminant, value);
    list->in_variant = true;
    add_members(reader, die, list);
    list->in_variant = outer.in_variant;
    list->is_default = outer.is_default;
    list->variant_value = outer.variant_value;
}

/* Writes the T of Rust's Vec<T>, which alone says what it holds, as a static member. */
static void add_type_parameter(struct debug_reader *reader, const struct debug_die *die,
                               struct member_list *list)
{
    const struct type_member member = {.type = attr_ref(reader, die, DW_AT_type),
                                       .is_static = true};

    if (reader_language(reader, die->unit) == DW_LANG_Rust)
        write_member(reader, list, attr_text(reader, die, DW_AT_name), &member, NULL);
}

static void add_members(struct debug_reader *reader, const struct debug_die *parent,
                        struct member_list *list)
{
    struct debug_die die;

    if (!die_first_child(reader, parent, &die))
        return;
    do {
        const uint16_t tag = die_tag(reader, &die);
        const die_ref outer = list->discriminant;

        if (tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_variable) {
            add_member(reader, &die, tag, list);
        } else if (tag == DW_TAG_template_type_parameter && !list->in_variant) {
            add_type_parameter(reader, &die, list);
        } else if (tag == DW_TAG_variant_part && !list->in_variant) {
            list->discriminant = attr_ref(reader, &die, DW_AT_discr);
            add_members(reader, &die, list);
            list->discriminant = outer;
        } else if (tag == DW_TAG_variant && !list->in_variant) {
            add_variant(reader, &die, list);
        }
    } while (die_next(reader, &die));
}

/* Writes a function type's parameters; true: "..." is among them. */
static bool add_parameters(struct debug_reader *reader, const struct debug_die *parent,
                           struct member_list *list)
{
    bool has_ellipsis = false;
    struct debug_die die;

    if (!die_first_child(reader, parent, &die))
        return false;
    do {
        const uint16_t tag = die_tag(reader, &die);
        struct type_member member = no_member;

        has_ellipsis = has_ellipsis || tag == DW_TAG_unspecified_parameters;
        if (tag != DW_TAG_formal_parameter)
            continue;
        member.type = attr_ref(reader, &die, DW_AT_type);
        member.is_artificial = attr_flag(reader, &die, DW_AT_artificial);
        write_member(reader, list, attr_text(reader, &die, DW_AT_name), &member, NULL);
    } while (die_next(reader, &die));
    return has_ellipsis;
}

static bool is_signed_encoding(uint8_t encoding)
{
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

/* Writes the enumerators. Positive ones have the shortest form; only full-sized ones have signs. */
static uint32_t write_enumerators(struct debug_reader *reader, const struct debug_die *parent,
                                  uint64_t size, uint8_t encoding, bool *is_cut)
{
    uint32_t count = 0;
    struct debug_die die;

    if (!die_first_child(reader, parent, &die))
        return 0;
    do {
        struct attr_constant constant;

        if (die_tag(reader, &die) != DW_TAG_enumerator ||
            !attr_constant(reader, &die, DW_AT_const_value, &constant))
            continue;
        if (count >= TYPE_MEMBERS_MAX) {
            *is_cut = true;
            continue;
        }
        if (!constant.is_signed && is_signed_encoding(encoding) && constant.size == size &&
            size < 8)
            constant.value = (uint64_t)bits_signed(constant.value, size * 8);
        wire_text(&reader->answer, attr_text(reader, &die, DW_AT_name));
        wire_u64(&reader->answer, constant.value);
        count++;
    } while (die_next(reader, &die));
    return count;
}

static bool counts_from_one(uint16_t language)
{
    switch (language) {
    case DW_LANG_Ada83:
    case DW_LANG_Ada95:
    case DW_LANG_Cobol74:
    case DW_LANG_Cobol85:
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
    case DW_LANG_Pascal83:
    case DW_LANG_Modula2:
    case DW_LANG_PLI:
    case DW_LANG_Julia:
        return true;
    default:
        return false;
    }
}

/* Writes a bound; one computed at run time has the same expression at all addresses. */
static void write_bound(struct debug_reader *reader, const struct debug_die *die, uint16_t at)
{
    struct wire_out *out = &reader->answer;
    const size_t kind_at = out->len;
    uint64_t value;
    die_ref variable;

    if (attr_unsigned(reader, die, at, &value)) {
        wire_u8(out, BOUND_CONSTANT);
        wire_u64(out, value);
        return;
    }
    variable = attr_ref(reader, die, at);
    if (variable) {
        wire_u8(out, BOUND_VARIABLE);
        wire_u64(out, variable);
        return;
    }
    wire_u8(out, BOUND_COMPUTED);
    if (expression_write(reader, die, at, UINT64_MAX) == EXPRESSION_SINGLE || out->is_over)
        return;
    out->len = kind_at;
    wire_u8(out, BOUND_UNKNOWN);
}

/* Writes the bounds of a dimension without constant count; without any it is `[]`. */
static void write_bounds(struct debug_reader *reader, const struct debug_die *die)
{
    struct wire_out *out = &reader->answer;
    const bool is_count = attr_has(reader, die, DW_AT_count);
    const bool has_low = attr_has(reader, die, DW_AT_lower_bound);
    uint64_t constant;

    wire_u8(out, is_count || attr_has(reader, die, DW_AT_upper_bound));
    if (!is_count && !attr_has(reader, die, DW_AT_upper_bound))
        return;
    wire_u8(out, is_count);
    write_bound(reader, die, is_count ? DW_AT_count : DW_AT_upper_bound);
    wire_u8(out, has_low && !attr_unsigned(reader, die, DW_AT_lower_bound, &constant));
    if (has_low && !attr_unsigned(reader, die, DW_AT_lower_bound, &constant))
        write_bound(reader, die, DW_AT_lower_bound);
}

static uint32_t write_dimensions(struct debug_reader *reader, const struct debug_die *parent)
{
    struct wire_out *out = &reader->answer;
    uint32_t count = 0;
    struct debug_die die;

    if (!die_first_child(reader, parent, &die))
        return 0;
    do {
        uint64_t lower = counts_from_one(reader_language(reader, die.unit)), upper, elements = 0;
        bool has_count;

        if (die_tag(reader, &die) != DW_TAG_subrange_type || count >= TYPE_DIMENSIONS_MAX)
            continue;
        has_count = !attr_has(reader, &die, DW_AT_lower_bound) ||
                    attr_unsigned(reader, &die, DW_AT_lower_bound, &lower);
        if (has_count && !attr_unsigned(reader, &die, DW_AT_count, &elements)) {
            has_count = attr_unsigned(reader, &die, DW_AT_upper_bound, &upper);
            elements = has_count ? upper - lower + 1 : 0;
        }
        wire_u8(out, has_count);
        wire_u64(out, elements);
        wire_u64(out, lower);
        if (!has_count)
            write_bounds(reader, &die);
        count++;
    } while (die_next(reader, &die));
    return count;
}

/* Reads a virtual table's index: gcc and clang write DW_OP_constu. */
static bool read_index(struct debug_reader *reader, const struct debug_die *die, uint64_t *index)
{
    const uint8_t *bytes;
    struct cursor c;
    uint64_t size;
    uint8_t op;

    if (attr_unsigned(reader, die, DW_AT_vtable_elem_location, index))
        return true;
    if (!attr_block(reader, die, DW_AT_vtable_elem_location, &bytes, &size))
        return false;
    c = cursor_init(bytes, (size_t)size);
    return cursor_u8(&c, &op) && op == DW_OP_constu && cursor_uleb(&c, index) &&
           cursor_left(&c) == 0;
}

/* Writes the virtual methods with a linkage name: pointers to them have only the index. */
static uint32_t write_methods(struct debug_reader *reader, const struct debug_die *parent)
{
    uint32_t count = 0;
    struct debug_die die;

    if (!die_first_child(reader, parent, &die))
        return 0;
    do {
        const char *name;
        uint64_t index;

        if (die_tag(reader, &die) != DW_TAG_subprogram || count >= TYPE_MEMBERS_MAX ||
            !read_index(reader, &die, &index))
            continue;
        name = attr_text(reader, &die, DW_AT_linkage_name);
        if (!name)
            name = attr_text(reader, &die, DW_AT_MIPS_linkage_name);
        if (!name)
            continue;
        wire_text(&reader->answer, name);
        wire_u64(&reader->answer, index);
        count++;
    } while (die_next(reader, &die));
    return count;
}

void type_members_write(struct debug_reader *reader, const struct debug_die *die,
                        enum type_kind kind, uint64_t size, uint8_t encoding)
{
    struct wire_out *out = &reader->answer;
    struct member_list list = {0};
    bool has_ellipsis = false;
    const size_t members_at = out->len;
    size_t enumerators_at, dimensions_at, methods_at;

    wire_u32(out, 0);
    if (kind == TYPE_STRUCT || kind == TYPE_CLASS || kind == TYPE_UNION)
        add_members(reader, die, &list);
    else if (kind == TYPE_FUNCTION)
        has_ellipsis = add_parameters(reader, die, &list);
    wire_patch_u32(out, members_at, list.count);
    enumerators_at = out->len;
    wire_u32(out, 0);
    if (kind == TYPE_ENUM)
        wire_patch_u32(out, enumerators_at,
                       write_enumerators(reader, die, size, encoding, &list.is_cut));
    dimensions_at = out->len;
    wire_u32(out, 0);
    if (kind == TYPE_ARRAY)
        wire_patch_u32(out, dimensions_at, write_dimensions(reader, die));
    methods_at = out->len;
    wire_u32(out, 0);
    if (kind == TYPE_STRUCT || kind == TYPE_CLASS)
        wire_patch_u32(out, methods_at, write_methods(reader, die));
    wire_u8(out, has_ellipsis);
    wire_u8(out, list.is_cut);
}
