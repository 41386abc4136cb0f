/* SPDX-License-Identifier: MIT */
/* Types as rustc 1.63 and 1.95 describe them; the raw form is gdb's of Rust. */
#include "object_fixture.h"

struct rust_scene {
    struct value_scene made, *scene; /* scene: that which was made */
    die_ref number, byte, size, bytes;
};

static void rust_scene_init(struct rust_scene *rust)
{
    *rust = (struct rust_scene){.scene = &rust->made};
    value_scene_init(rust->scene, ARCH_X86_64);
    rust->number = scene_base(rust->scene, "i32", DW_ATE_signed, 4);
    rust->byte = scene_base(rust->scene, "u8", DW_ATE_unsigned, 1);
    rust->size = scene_base(rust->scene, "usize", DW_ATE_unsigned, 8);
    rust->bytes = scene_of(rust->scene, TYPE_POINTER, "*const u8", rust->byte);
}

static void rust_scene_deinit(struct rust_scene *rust)
{
    value_scene_deinit(rust->scene);
}

TEST_OF(structs_and_tuples_are_told_as_in_rust, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref letter = scene_base(scene, "char", DW_ATE_UTF, 4);
    die_ref point = SCENE_STRUCT(scene, "r::P", 8, {.name = "a", .type = rust->number},
                                 {.name = "b", .type = rust->byte, .off = 4});
    die_ref wrapped = SCENE_STRUCT(scene, "r::T", 8, {.name = "__0", .type = rust->number},
                                   {.name = "__1", .type = letter, .off = 4});
    die_ref tuple = SCENE_STRUCT(scene, "(i32, char)", 8, {.name = "__0", .type = rust->number},
                                 {.name = "__1", .type = letter, .off = 4});
    die_ref unit =
        scene_add(scene, (struct type){.kind = TYPE_STRUCT, .name = "r::U", .has_size = true});
    die_ref array = SCENE_ARRAY(scene, rust->byte, SCENE_COUNT(2));
    die_ref nothing = SCENE_ARRAY(scene, rust->byte, SCENE_COUNT(0));

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (int[]){3, 97, 0x3b1});
    expect_text(scene, point, 0, "r::P {a: 3, b: 97}");
    expect_text(scene, wrapped, 0, "r::T (3, 97 'a')");
    expect_text(scene, tuple, 0, "(3, 97 'a')");
    expect_text(scene, unit, 0, "r::U");
    expect_text(scene, array, 0, "[3, 0]");
    expect_text(scene, nothing, 0, "[]");
    expect_text(scene, letter, 8, "945 '\\u{0003b1}'");
}

TEST_OF(enum_is_its_variant, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref tag = scene_base(scene, "u32", DW_ATE_unsigned, 4);
    die_ref none = scene_add(scene, (struct type){.kind = TYPE_STRUCT, .name = "None", .size = 8});
    die_ref some = SCENE_STRUCT(scene, "Some", 8, {.name = "__0", .type = rust->number, .off = 4});
    die_ref named = SCENE_STRUCT(scene, "Named", 8, {.name = "x", .type = rust->number, .off = 4});
    die_ref kind =
        SCENE_STRUCT(scene, "r::Kind", 8, {.type = tag, .is_discriminant = true},
                     {.name = "None", .type = none, .is_variant = true, .variant_value = 0},
                     {.name = "Some", .type = some, .is_variant = true, .variant_value = 1},
                     {.name = "Named", .type = named, .is_variant = true, .variant_value = 7});
    struct object object = scene_object(kind, 0);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (int[]){0, 5});
    expect_text(scene, kind, 0, "None");
    scene->memory[0] = 1;
    expect_text(scene, kind, 0, "Some(5)");
    scene->memory[0] = 7;
    expect_text(scene, kind, 0, "Named {x: 5}");
    scene->style.raw = true;
    expect_text(scene, kind, 0, "r::Kind::Named{x: 5}");
    scene->memory[0] = 1;
    expect_text(scene, kind, 0, "r::Kind::Some(5)");
    scene->memory[0] = 3;
    expect_unknown(scene, &object, UNAVAILABLE);
    scene->captured = 0;
    expect_unknown(scene, &object, NOT_CAPTURED);
}

/* Where the value itself says that there is none: one variant for a number, one for all others. */
TEST_OF(enum_in_a_niche_is_its_variant, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref none = scene_add(scene, (struct type){.kind = TYPE_STRUCT, .name = "None", .size = 8});
    die_ref some =
        SCENE_STRUCT(scene, "Some", 8,
                     {.name = "__0", .type = scene_of(scene, TYPE_POINTER, "&i32", rust->number)});
    die_ref option =
        SCENE_STRUCT(scene, "core::option::Option<&i32>", 8,
                     {.type = rust->size, .is_discriminant = true},
                     {.name = "None", .type = none, .is_variant = true, .variant_value = 0},
                     {.name = "Some", .type = some, .is_variant = true, .is_default = true});

    scene_language(scene, DW_LANG_Rust);
    expect_text(scene, option, 0, "None");
    scene->memory[1] = 0x20;
    expect_text(scene, option, 0, "Some(0x2000)");
}

TEST_OF(str_and_slice_are_what_they_point_to, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    struct type_member members[] = {{.name = "data_ptr", .type = rust->bytes},
                                    {.name = "length", .type = rust->size, .off = 8}};
    die_ref text = scene_struct(scene, TYPE_STRUCT, "&str", 16, members, 2);
    die_ref slice = scene_struct(scene, TYPE_STRUCT, "&[u8]", 16, members, 2);
    struct object object;

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 16, 3});
    memcpy(scene->memory + 16, "a\"bcd", 5);
    expect_text(scene, text, 0, "\"a\\\"b\"");
    expect_text(scene, slice, 0, "[97, 34, 98]");
    scene->style.raw = true;
    expect_text(scene, text, 0, "\"a\\\"b\"");
    expect_text(scene, slice, 0, "&[u8] [97, 34, 98]");
    SCENE_PUT(scene, 0, (uint64_t[]){8, 3});
    object = scene_object(slice, 0);
    expect_unknown(scene, &object, NOT_CAPTURED);
    SCENE_PUT(scene, 8, (uint64_t){UINT64_MAX});
    expect_text(scene, slice, 0, "&[u8] {data_ptr: 0x8, length: 18446744073709551615}");
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 16, 3});
    scene->style.raw = false;
    SCENE_PUT(scene, 8, (uint64_t){UINT64_MAX});
    expect_text(scene, text, 0, "&str {data_ptr: 0x1010, length: 18446744073709551615}");
    SCENE_PUT(scene, 0, (uint64_t[]){8, 3});
    object = scene_object(text, 0);
    expect_unknown(scene, &object, NOT_CAPTURED);
    object = scene_object(slice, 0);
    expect_unknown(scene, &object, NOT_CAPTURED);
}

static die_ref add_vector(struct rust_scene *rust, const char *name, die_ref pointer,
                          die_ref element)
{
    static struct type_member unique[1], raw[2], members[3];
    struct value_scene *scene = rust->scene;

    unique[0] = (struct type_member){.name = "pointer", .type = pointer};
    raw[0] = (struct type_member){.name = "ptr",
                                  .type = scene_struct(scene, TYPE_STRUCT,
                                                       "core::ptr::unique::Unique", 8, unique, 1)};
    raw[1] = (struct type_member){.name = "cap", .type = rust->size, .off = 8};
    members[0] = (struct type_member){.name = "T", .type = element, .is_static = true};
    members[1] =
        (struct type_member){.name = "buf",
                             .type = scene_struct(scene, TYPE_STRUCT, "RawVec", 16, raw, 2)};
    members[2] = (struct type_member){.name = "len", .type = rust->size, .off = 16};
    return scene_struct(scene, TYPE_STRUCT, name, 24, members + !element, element ? 3 : 2);
}

TEST_OF(vector_is_its_elements, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref vector =
        add_vector(rust, "alloc::vec::Vec<i32, alloc::alloc::Global>", rust->bytes, rust->number);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 4, 3});
    SCENE_PUT(scene, 64, (int[]){1, 2, 3, 4});
    expect_text(scene, vector, 0, "[1, 2, 3]");
    SCENE_PUT(scene, 0, (uint64_t[]){4, 0, 0});
    expect_text(scene, vector, 0, "[]");
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 4, 5});
    expect_text(scene, vector, 0,
                "alloc::vec::Vec<i32, alloc::alloc::Global> {buf: RawVec {ptr: "
                "core::ptr::unique::Unique {pointer: 0x1040}, cap: 4}, len: 5}");
}

/* Later compilers' vectors point to bytes, whatever the elements are. */
TEST_OF(vector_of_unknown_elements_is_its_members, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref vector = add_vector(rust, "alloc::vec::Vec<i32>", rust->bytes, 0);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 4, 3});
    expect_text(scene, vector, 0,
                "alloc::vec::Vec<i32> {buf: RawVec {ptr: core::ptr::unique::Unique {pointer: "
                "0x1040}, cap: 4}, len: 3}");
}

TEST_OF(string_is_its_text, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref vector = add_vector(rust, "alloc::vec::Vec<u8>", rust->bytes, 0);
    die_ref string =
        SCENE_STRUCT(scene, "alloc::string::String", 24, {.name = "vec", .type = vector});

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 8, 5});
    memcpy(scene->memory + 64, "ownedxyz", 8);
    expect_text(scene, string, 0, "\"owned\"");
}

TEST_OF(box_is_its_pointer_and_what_that_points_to, rust_scene, rust)
{
    die_ref box = scene_of(rust->scene, TYPE_POINTER, "alloc::boxed::Box<i32>", rust->number);

    scene_language(rust->scene, DW_LANG_Rust);
    SCENE_PUT(rust->scene, 0, (uint64_t[]){SCENE_MEMORY + 8, 7});
    expect_text(rust->scene, box, 0, "0x1008 7");
    rust->scene->style.raw = true;
    expect_text(rust->scene, box, 0, "0x1008");
}

/* As rustc 1.95 describes it: bytes, and an element's type that only the parameter tells. */
TEST_OF(vector_of_bytes_within_is_its_elements, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref null = SCENE_STRUCT(scene, "core::ptr::non_null::NonNull<u8>", 8,
                                {.name = "pointer", .type = rust->bytes});
    die_ref unique =
        SCENE_STRUCT(scene, "core::ptr::unique::Unique<u8>", 8, {.name = "pointer", .type = null});
    die_ref cap = SCENE_STRUCT(scene, "core::num::niche_types::UsizeNoHighBit", 8,
                               {.name = "__0", .type = rust->size});
    die_ref within =
        SCENE_STRUCT(scene, "alloc::raw_vec::RawVecInner", 16,
                     {.name = "ptr", .type = unique, .off = 8}, {.name = "cap", .type = cap});
    die_ref raw =
        SCENE_STRUCT(scene, "alloc::raw_vec::RawVec<i32>", 16, {.name = "inner", .type = within});
    die_ref vector =
        SCENE_STRUCT(scene, "alloc::vec::Vec<i32, alloc::alloc::Global>", 24,
                     {.name = "T", .type = rust->number, .is_static = true},
                     {.name = "buf", .type = raw}, {.name = "len", .type = rust->size, .off = 16});
    die_ref reference = scene_of(scene, TYPE_POINTER, "&alloc::vec::Vec<i32>", vector);
    struct object object = scene_object(vector, 0), referred = scene_object(reference, 24);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){4, SCENE_MEMORY + 64, 3, SCENE_MEMORY});
    SCENE_PUT(scene, 64, (int[]){1, 2, 3, 4});
    expect_text(scene, vector, 0, "[1, 2, 3]");
    expect_part(scene, &object, "[2]", "3");
    expect_part(scene, &object, "[3]", "<unavailable: an index out of range>");
    expect_part(scene, &referred, "[1]", "2");
    scene->captured = 64;
    expect_unknown(scene, &object, NOT_CAPTURED);
    expect_part(scene, &object, "[0]", "<not captured>");
}

TEST_OF(part_of_slice_or_array_is_an_element, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref slice = SCENE_STRUCT(scene, "&[u8]", 16, {.name = "data_ptr", .type = rust->bytes},
                                 {.name = "length", .type = rust->size, .off = 8});
    die_ref array =
        scene_of(scene, TYPE_POINTER, "&[u8; 2]", SCENE_ARRAY(scene, rust->byte, SCENE_COUNT(2)));
    struct object object = scene_object(slice, 0), fixed = scene_object(array, 0),
                  pointer = scene_object(rust->bytes, 0);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 16, 3});
    memcpy(scene->memory + 16, "\1\2\3\4", 4);
    expect_part(scene, &object, "[2]", "3");
    expect_part(scene, &object, "[3]", "<unavailable: an index out of range>");
    expect_part(scene, &fixed, "[1]", "2");
    expect_part(scene, &fixed, "[2]", "<unavailable: an index out of range>");
    expect_part(scene, &pointer, "[3]", "4");
}

TEST_OF(counted_is_the_address_of_its_value_and_that, rust_scene, rust)
{
    struct value_scene *scene = rust->scene;
    die_ref value = SCENE_STRUCT(scene, "r::S", 4, {.name = "strong", .type = rust->number});
    die_ref inner =
        SCENE_STRUCT(scene, "alloc::rc::RcInner<r::S>", 24, {.name = "strong", .type = rust->size},
                     {.name = "weak", .type = rust->size, .off = 8},
                     {.name = "value", .type = value, .off = 16});
    die_ref null = SCENE_STRUCT(scene, "core::ptr::non_null::NonNull<alloc::rc::RcInner<r::S>>", 8,
                                {.name = "pointer",
                                 .type = scene_of(scene, TYPE_POINTER,
                                                  "*const alloc::rc::RcInner<r::S>", inner)});
    die_ref counted = SCENE_STRUCT(scene, "alloc::rc::Rc<r::S>", 8, {.name = "ptr", .type = null});
    struct object object = scene_object(counted, 0);

    scene_language(scene, DW_LANG_Rust);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64});
    SCENE_PUT(scene, 64, (uint64_t[]){2, 1, 7});
    expect_text(scene, counted, 0, "0x1050 r::S {strong: 7}");
    /* The value's, and of what has the counts what it alone has. */
    expect_part(scene, &object, "strong", "7");
    expect_part(scene, &object, "weak", "1");
    scene->captured = 80;
    expect_text(scene, counted, 0, "0x1050");
    scene->style.raw = true;
    expect_text(scene, counted, 0,
                "alloc::rc::Rc<r::S> {ptr: "
                "core::ptr::non_null::NonNull<alloc::rc::RcInner<r::S>> {pointer: 0x1040}}");
}
