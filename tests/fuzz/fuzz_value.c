/* SPDX-License-Identifier: MIT */
/*
 * Values: types, places and memory from the input, told in every style. Types may be circular, of
 * any size, with members anywhere.
 *
 * Input, all of bytes, 0 where it ends: the architecture; the style (bit 0: raw); depth; text_max
 * in steps of 16; how many types, then each (next_type); how many pieces, then each (next_piece);
 * the rest is memory, at MEMORY.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "variables/value/value.h"

#define MEMORY       0x1000
#define TYPES_MAX    24
#define MEMBERS_MAX  8
#define SYMBOL_BYTES 16 /* of the memory, from its start on, have a symbol */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Those that something is done by, and a few others. */
static const char *const names[] = {
    NULL,
    "",
    "a",
    "b",
    "__0",
    "char",
    "wchar_t",
    "char16_t",
    "ns::kind",
    "std::__cxx11::basic_string<char>",
    "std::basic_string_view<char>",
    "std::vector<int>",
    "std::array<int, 3>",
    "std::tuple<int>",
    "std::_Tuple_impl<0, int>",
    "std::_Head_base<0, int>",
    "std::pair<int, int>",
    "std::unique_ptr<int>",
    "std::shared_ptr<int>",
    "std::optional<int>",
    "std::initializer_list<int>",
    "alloc::string::String",
    "alloc::vec::Vec<u8>",
    "alloc::vec::Vec<i32>",
    "alloc::boxed::Box<i32>",
    "&str",
    "&[i32]",
    "u8",
    "T",
    "_M_dataplus",
    "_M_p",
    "_M_string_length",
    "_M_local_buf",
    "_M_allocated_capacity",
    "_M_str",
    "_M_len",
    "_M_impl",
    "_M_start",
    "_M_finish",
    "_M_end_of_storage",
    "_M_offset",
    "_M_elems",
    "_M_array",
    "_M_head_impl",
    "first",
    "second",
    "_M_t",
    "_M_ptr",
    "_M_payload",
    "_M_engaged",
    "_M_value",
    "data_ptr",
    "length",
    "len",
    "buf",
    "inner",
    "cap",
    "ptr",
    "vec",
    "long long unsigned int, long int",
    "_Float128",
    "__bf16",
    "std::span<int>",
    "std::unique_ptr<int[]>",
    "_M_extent",
    "_M_extent_value",
    "alloc::rc::Rc<i32>",
    "alloc::rc::RcInner<i32>",
    "value",
};
#define NAME_COUNT (sizeof(names) / sizeof(*names))

static const uint16_t languages[] = {0, 0x0c, 0x04, 0x1c, 0x21, 0x2c}; /* none, C, C++, Rust … */

struct fuzz_types {
    const uint8_t *data;
    size_t left;
    struct type types[TYPES_MAX];
    struct type_member members[TYPES_MAX][MEMBERS_MAX];
    struct type_enumerator enumerators[TYPES_MAX][MEMBERS_MAX];
    struct type_dimension dimensions[TYPES_MAX][TYPE_DIMENSIONS_MAX];
    size_t count;
    uint8_t *memory;
    size_t memory_size;
    struct object object;
};

static uint8_t next(struct fuzz_types *fuzz)
{
    if (fuzz->left == 0)
        return 0;
    fuzz->left--;
    return *fuzz->data++;
}

static uint64_t next_word(struct fuzz_types *fuzz)
{
    uint64_t low = next(fuzz);

    return low | (uint64_t)next(fuzz) << 8;
}

/* 0 to 2^63, small numbers the more exactly. */
static uint64_t next_large(struct fuzz_types *fuzz)
{
    uint8_t byte = next(fuzz);

    return byte < 128 ? byte : UINT64_C(1) << (byte & 63);
}

static const struct location_op nop = {.atom = DW_OP_nop};

static void next_member(struct fuzz_types *fuzz, struct type_member *member,
                        struct type_enumerator *enumerator)
{
    uint8_t flags;

    member->name = names[next(fuzz) % NAME_COUNT];
    member->type = next(fuzz);
    member->off = next_large(fuzz);
    member->bit_off = next(fuzz);
    member->bit_size = next(fuzz);
    member->variant_value = next_large(fuzz);
    flags = next(fuzz);
    member->is_base = flags & 1;
    member->is_static = flags & 2;
    member->is_artificial = flags & 4;
    member->is_discriminant = flags & 8;
    member->is_variant = flags & 16;
    member->is_default = flags & 32;
    member->off_unknown = flags & 64;
    member->is_virtual = member->off_unknown && member->is_base;
    member->where = (struct location){.ops = &nop, .count = member->is_virtual, .size = 1};
    enumerator->name = names[2 + (uint8_t)member->type % (NAME_COUNT - 2)];
    enumerator->value = flags & 128 ? -member->variant_value : member->variant_value;
}

static const struct type_bound bound = {.kind = BOUND_VARIABLE, .variable = 1};

static void next_type(struct fuzz_types *fuzz, size_t i)
{
    struct type *type = &fuzz->types[i];
    uint8_t flags;

    type->ref = i + 1;
    type->kind = next(fuzz) % (TYPE_UNSPECIFIED + 1);
    type->name = names[next(fuzz) % NAME_COUNT];
    type->size = next_large(fuzz);
    type->encoding = next(fuzz);
    type->language = languages[next(fuzz) % (sizeof(languages) / sizeof(*languages))];
    type->target = next(fuzz);
    type->container = next(fuzz);
    flags = next(fuzz);
    type->has_size = !(flags & 1);
    type->is_declaration = flags & 2;
    type->is_vector = flags & 4;
    type->is_prototyped = flags & 8;
    type->has_ellipsis = flags & 16;
    type->is_cut = flags & 32;
    type->is_enum_class = flags & 64;
    type->members = fuzz->members[i];
    type->enumerators = fuzz->enumerators[i];
    type->dimensions = fuzz->dimensions[i];
    type->member_count = next(fuzz) % (MEMBERS_MAX + 1);
    type->enumerator_count = type->member_count;
    for (size_t m = 0; m < type->member_count; m++)
        next_member(fuzz, &fuzz->members[i][m], &fuzz->enumerators[i][m]);
    type->dimension_count = next(fuzz) % (TYPE_DIMENSIONS_MAX + 1);
    for (size_t d = 0; d < type->dimension_count; d++) {
        fuzz->dimensions[i][d].count = next_large(fuzz);
        fuzz->dimensions[i][d].has_count = fuzz->dimensions[i][d].count != 127;
        fuzz->dimensions[i][d].lower = (int8_t)next(fuzz);
        if (!fuzz->dimensions[i][d].has_count && fuzz->dimensions[i][d].lower & 1)
            fuzz->dimensions[i][d].end = &bound;
    }
}

static void next_piece(struct fuzz_types *fuzz, struct object_piece *piece)
{
    piece->kind = next(fuzz) % (PIECE_POINTER + 1);
    piece->bit_off = next(fuzz);
    piece->bit_size = next_word(fuzz);
    piece->known = known_not((enum known_state)(next(fuzz) % 3));
    piece->addr = MEMORY + next_large(fuzz);
    piece->reg = piece->addr;
    piece->die = next(fuzz);
    piece->off = (int8_t)next(fuzz);
    piece->size = (uint32_t)next(fuzz) % (sizeof(piece->word) + 1);
    memset(piece->word, (int)piece->addr, sizeof(piece->word));
}

static enum status get_type(void *context, die_ref ref, const struct type **out)
{
    struct fuzz_types *fuzz = context;

    if (ref == 0)
        return STATUS_NOT_FOUND;
    if (ref > fuzz->count)
        return STATUS_BAD_DATA;
    *out = &fuzz->types[ref - 1];
    return STATUS_OK;
}

static struct known_how get_memory(void *context, uint64_t addr, void *buffer, size_t size)
{
    struct fuzz_types *fuzz = context;

    if (addr < MEMORY || addr - MEMORY > fuzz->memory_size ||
        size > fuzz->memory_size - (addr - MEMORY))
        return known_not(NOT_CAPTURED);
    memcpy(buffer, fuzz->memory + (addr - MEMORY), size);
    return known_yes();
}

static struct known_how get_register(void *context, uint64_t reg, uint64_t *value)
{
    (void)context;
    *value = MEMORY + reg;
    return reg % 4 ? known_yes() : unavailable("not recovered");
}

static bool get_symbol(void *context, uint64_t addr, const char **name, uint64_t *off)
{
    (void)context;
    *name = "symbol";
    *off = addr - MEMORY;
    return addr >= MEMORY && addr - MEMORY < SYMBOL_BYTES;
}

static struct known_how get_variable(void *context, die_ref die, die_ref *type,
                                     struct place_of_object *place)
{
    struct fuzz_types *fuzz = context;

    *type = die;
    *place = fuzz->object.place;
    return die % 4 ? known_yes() : known_not(OPTIMIZED_OUT);
}

/* What the input has for the first type's size. */
static struct known_how get_bound(void *context, const struct type_bound *asked, int64_t *value)
{
    const struct fuzz_types *fuzz = context;

    *value = (int64_t)(fuzz->types[asked->variable].size - 1);
    return known_yes();
}

static struct known_how get_within(void *context, const struct location *where, uint64_t addr,
                                   uint64_t *part_addr)
{
    const struct fuzz_types *fuzz = context;

    (void)where;
    *part_addr = addr + fuzz->types[0].size;
    return known_yes();
}

static void tell(const struct value_source *source, const struct object *object,
                 const struct value_style *style)
{
    struct told_value value;
    uint64_t number;
    uint8_t bytes[24];
    bool is_signed;
    char *name;

    if (value_tell(source, object, style, &value) != STATUS_OK)
        abort();
    if (value.text ? !is_known(value.known) || strlen(value.text) > style->text_max + 3
                   : is_known(value.known))
        abort();
    free(value.text);
    if (value_type_name(source, object->type, &name) != STATUS_OK || strlen(name) == SIZE_MAX)
        abort();
    free(name);
    if (is_known(value_bytes(source, object, bytes, sizeof(bytes))))
        (void)value_number(source, object, &number, &is_signed);
}

static void tell_parts(const struct value_source *source, const struct object *object,
                       const struct value_style *style)
{
    static const char *const parts[] = {"a", "b", "*", "[0]", "[3]", "[-1]", "[", "__0"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct object part;

        if (is_known(value_part(source, object, parts[i], &part)))
            tell(source, &part, style);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_types *fuzz = calloc(1, sizeof(*fuzz));
    struct value_style style = VALUE_STYLE_DEFAULT;
    struct value_source source = {.type = get_type,
                                  .read = get_memory,
                                  .reg = get_register,
                                  .symbol = get_symbol,
                                  .variable = get_variable,
                                  .bound = get_bound,
                                  .within = get_within,
                                  .context = fuzz};

    if (!fuzz)
        return 0;
    fuzz->data = data;
    fuzz->left = size;
    source.arch = arch_get(next(fuzz) % ARCH_COUNT);
    style.raw = next(fuzz) & 1;
    style.depth_max = next(fuzz);
    style.text_max = 16 * (size_t)next(fuzz);
    fuzz->count = next(fuzz) % (TYPES_MAX + 1);
    for (size_t i = 0; i < fuzz->count; i++)
        next_type(fuzz, i);
    fuzz->object.type = 1;
    fuzz->object.place.count = next(fuzz) % 5;
    for (uint32_t i = 0; i < fuzz->object.place.count; i++)
        next_piece(fuzz, &fuzz->object.place.pieces[i]);
    fuzz->memory_size = fuzz->left;
    fuzz->memory = malloc(fuzz->left ? fuzz->left : 1);
    if (fuzz->memory) {
        if (fuzz->left)
            memcpy(fuzz->memory, fuzz->data, fuzz->left);
        tell(&source, &fuzz->object, &style);
        tell_parts(&source, &fuzz->object, &style);
    }
    free(fuzz->memory);
    free(fuzz);
    return 0;
}
