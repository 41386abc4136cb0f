/* SPDX-License-Identifier: MIT */
/* The texts are what gdb 13 says of such variables under LC_ALL=C, but where a test says not. */
#include <stdio.h>

#include "object_fixture.h"

TEST_OF(tell_integers_by_encoding_and_size, value_scene, scene, ARCH_X86_64)
{
    memset(scene->memory, 0xff, 16);
    expect_text(scene, scene_int(scene), 0, "-1");
    expect_text(scene, scene_base(scene, "unsigned int", DW_ATE_unsigned, 4), 0, "4294967295");
    expect_text(scene, scene_base(scene, "unsigned long", DW_ATE_unsigned, 8), 0,
                "18446744073709551615");
    expect_text(scene, scene_base(scene, "__int128", DW_ATE_signed, 16), 0, "-1");
    expect_text(scene, scene_base(scene, "unsigned __int128", DW_ATE_unsigned, 16), 0,
                "340282366920938463463374607431768211455");
    memset(scene->memory, 0, 15);
    scene->memory[15] = 0x80;
    expect_text(scene, scene_base(scene, "__int128", DW_ATE_signed, 16), 0,
                "-170141183460469231731687303715884105728");
}

TEST_OF(tell_characters_with_their_letter, value_scene, scene, ARCH_X86_64)
{
    die_ref character = scene_char(scene);
    die_ref wide = scene_of(scene, TYPE_TYPEDEF, "wchar_t", scene_int(scene));

    memcpy(scene->memory, "a\377\0'\"\\\n\033", 8);
    expect_text(scene, character, 0, "97 'a'");
    expect_text(scene, character, 1, "-1 '\\377'");
    expect_text(scene, scene_base(scene, "unsigned char", DW_ATE_unsigned_char, 1), 1,
                "255 '\\377'");
    expect_text(scene, character, 2, "0 '\\000'");
    expect_text(scene, character, 3, "39 '\\''");
    expect_text(scene, character, 4, "34 '\"'");
    expect_text(scene, character, 5, "92 '\\\\'");
    expect_text(scene, character, 6, "10 '\\n'");
    expect_text(scene, character, 7, "27 '\\033'");
    SCENE_PUT(scene, 16, (uint32_t[]){98, 0x1f600, 0x3b1});
    expect_text(scene, wide, 16, "98 L'b'");
    expect_text(scene, scene_base(scene, "char32_t", DW_ATE_UTF, 4), 20, "128512 U'\\x1f600'");
    expect_text(scene, scene_base(scene, "char16_t", DW_ATE_UTF, 2), 24, "945 u'\\x3b1'");
}

TEST_OF(tell_bool_that_is_neither_as_number, value_scene, scene, ARCH_X86_64)
{
    die_ref type = scene_base(scene, "_Bool", DW_ATE_boolean, 1);

    memcpy(scene->memory, "\0\1\5", 3);
    expect_text(scene, type, 0, "false");
    expect_text(scene, type, 1, "true");
    expect_text(scene, type, 2, "5");
}

static die_ref enumeration(struct value_scene *scene, const char *name,
                           const struct type_enumerator *enumerators, size_t count)
{
    return scene_add(scene, (struct type){.kind = TYPE_ENUM,
                                          .name = name,
                                          .size = 4,
                                          .encoding = DW_ATE_unsigned,
                                          .enumerators = enumerators,
                                          .enumerator_count = count});
}

TEST_OF(tell_enumerators_and_flags_by_name, value_scene, scene, ARCH_X86_64)
{
    static const struct type_enumerator colors[] = {{"RED", 0}, {"GREEN", 5}};
    static const struct type_enumerator flags[] = {{"A", 1}, {"B", 2}, {"C", 8}};
    die_ref color = enumeration(scene, "color", colors, 2);
    die_ref flag = enumeration(scene, "flag", flags, 3);

    SCENE_PUT(scene, 0, (int[]){0, 5, 7, 3, 9, 4, 12, -1});
    expect_text(scene, color, 0, "RED");
    expect_text(scene, color, 4, "GREEN");
    expect_text(scene, color, 8, "7");
    expect_text(scene, flag, 0, "0");
    expect_text(scene, flag, 12, "(A | B)");
    expect_text(scene, flag, 16, "(A | C)");
    expect_text(scene, flag, 20, "(unknown: 0x4)");
    expect_text(scene, flag, 24, "(C | unknown: 0x4)");
    scene->types[flag - 1].encoding = DW_ATE_signed;
    expect_text(scene, flag, 28, "(A | B | C | unknown: 0xfffffff4)");
}

TEST_OF(tell_enumerators_of_cxx_with_their_scope, value_scene, scene, ARCH_X86_64)
{
    static const struct type_enumerator kinds[] = {{"READ", 0}, {"WRITE", 1}};
    die_ref plain = enumeration(scene, "ns::box<a::b>::kind", kinds, 2);
    die_ref class = enumeration(scene, "ns::kind", kinds, 2);

    scene->types[class - 1].is_enum_class = true;
    scene_language(scene, DW_LANG_C_plus_plus_11);
    expect_text(scene, plain, 0, "ns::box<a::b>::READ");
    expect_text(scene, class, 0, "ns::kind::READ");
}

TEST_OF(tell_floats_with_the_digits_they_have, value_scene, scene, ARCH_X86_64)
{
    die_ref single = scene_base(scene, "float", DW_ATE_float, 4);
    die_ref twice = scene_base(scene, "double", DW_ATE_float, 8);
    die_ref pair = scene_base(scene, "complex double", DW_ATE_complex_float, 16);

    SCENE_PUT(scene, 0, (float[]){0.1f, 1.5f, -0.0f, 1e10f});
    expect_text(scene, single, 0, "0.100000001");
    expect_text(scene, single, 4, "1.5");
    expect_text(scene, single, 8, "-0");
    expect_text(scene, single, 12, "1e+10");
    SCENE_PUT(scene, 16, (double[]){0.1, 1e100, 123456789012345678.0, -1, -2.5});
    expect_text(scene, twice, 16, "0.10000000000000001");
    expect_text(scene, twice, 24, "1e+100");
    expect_text(scene, twice, 32, "1.2345678901234568e+17");
    expect_text(scene, pair, 40, "-1 + -2.5i");
    SCENE_PUT(scene, 16, (uint64_t[]){0x7ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000});
    expect_text(scene, twice, 16, "nan(0x8000000000000)");
    expect_text(scene, twice, 24, "inf");
    expect_text(scene, twice, 32, "-inf");
    SCENE_PUT(scene, 0, (uint16_t[]){0x3c00, 0x3e66});
    expect_text(scene, scene_base(scene, "_Float16", DW_ATE_float, 2), 0, "1");
    expect_text(scene, scene_base(scene, "_Float16", DW_ATE_float, 2), 2, "1.5996");
}

/* 0.1 of x87, and of 128 bits. */
TEST(tell_long_double_as_the_architecture_has_it)
{
    static const uint8_t x87[16] = {0xcd, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
                                    0xfb, 0x3f, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
    static const uint8_t quad[16] = {0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99,
                                     0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0xfb, 0x3f};
    struct value_scene made[2], *x86 = &made[0], *arm = &made[1];

    value_scene_init(x86, ARCH_X86_64);
    value_scene_init(arm, ARCH_AARCH64);
    SCENE_PUT(x86, 0, x87);
    expect_text(x86, scene_base(x86, "long double", DW_ATE_float, 16), 0,
                "0.100000000000000000001");
    SCENE_PUT(arm, 0, quad);
    expect_text(arm, scene_base(arm, "long double", DW_ATE_float, 16), 0,
                "0.100000000000000000000000000000000005");
    SCENE_PUT(x86, 0, quad);
    expect_text(x86, scene_base(x86, "_Float128", DW_ATE_float, 16), 0,
                "0.100000000000000000000000000000000005");
    memset(x86->memory, 0, 16);
    x86->memory[9] = 0x3f;
    expect_text(x86, scene_base(x86, "long double", DW_ATE_float, 16), 0, "<invalid float value>");
}

TEST_OF(tell_pointers_with_symbol_and_string, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_of(scene, TYPE_POINTER, NULL, scene_int(scene));
    die_ref text = scene_of(scene, TYPE_POINTER, NULL, scene_char(scene));

    SCENE_PUT(scene, 0, (uint64_t[]){0, 0x1234, SCENE_MEMORY + 100, SCENE_MEMORY + 96, 1});
    memcpy(scene->memory + 100, "a\"b\n", 5);
    scene->symbol = "names";
    scene->symbol_addr = SCENE_MEMORY + 100;
    scene->symbol_size = 20;
    expect_text(scene, number, 0, "0x0");
    expect_text(scene, number, 8, "0x1234");
    expect_text(scene, number, 16, "0x1064 <names>");
    scene->symbol_addr -= 4;
    expect_text(scene, number, 16, "0x1064 <names+4>");
    expect_text(scene, text, 16, "0x1064 <names+4> \"a\\\"b\\n\"");
    scene->symbol = NULL;
    expect_text(scene, text, 24, "0x1060 \"\"");
    /* gdb: 0x1 <error: Cannot access memory at address 0x1>. What is not captured is no error. */
    expect_text(scene, text, 32, "0x1");
}

/* gdb knows all memory; here the end is "..." wherever it may be. */
TEST_OF(tell_string_whose_end_is_not_captured_as_cut, value_scene, scene, ARCH_X86_64)
{
    die_ref text = scene_of(scene, TYPE_POINTER, NULL, scene_char(scene));

    SCENE_PUT(scene, 0, (uint64_t){SCENE_MEMORY + 100});
    memcpy(scene->memory + 100, "hello", 5);
    scene->captured = 103;
    expect_text(scene, text, 0, "0x1064 \"hel\"...");
}

TEST_OF(tell_long_strings_up_to_the_limit, value_scene, scene, ARCH_X86_64)
{
    die_ref text = scene_of(scene, TYPE_POINTER, NULL, scene_char(scene));
    char want[256];

    SCENE_PUT(scene, 0, (uint64_t){SCENE_MEMORY + 100});
    for (size_t i = 0; i < 300; i++)
        scene->memory[100 + i] = i % 2 ? 'b' : 'a';
    snprintf(want, sizeof(want), "0x1064 \"%.200s\"...", (const char *)scene->memory + 100);
    expect_text(scene, text, 0, want);
    scene->memory[300] = 0;
    snprintf(want, sizeof(want), "0x1064 \"%.200s\"", (const char *)scene->memory + 100);
    expect_text(scene, text, 0, want);
    memset(scene->memory + 100, 'r', 299);
    expect_text(scene, text, 0, "0x1064 'r' <repeats 200 times>...");
}

TEST_OF(tell_character_arrays_as_strings, value_scene, scene, ARCH_X86_64)
{
    die_ref character = scene_char(scene);
    die_ref twenty = SCENE_ARRAY(scene, character, SCENE_COUNT(20));
    die_ref four = SCENE_ARRAY(scene, character, SCENE_COUNT(4));
    die_ref wide =
        SCENE_ARRAY(scene, scene_base(scene, "wchar_t", DW_ATE_signed, 4), SCENE_COUNT(5));

    memcpy(scene->memory, "abc", 3);
    expect_text(scene, twenty, 0, "\"abc\", '\\000' <repeats 16 times>");
    expect_text(scene, four, 0, "\"abc\"");
    expect_text(scene, four, 1, "\"bc\\000\"");
    memcpy(scene->memory, "a\303\251\1771", 5);
    expect_text(scene, four, 0, "\"a\\303\\251\\177\"");
    memset(scene->memory, 'x', 20);
    expect_text(scene, twenty, 0, "'x' <repeats 20 times>");
    memset(scene->memory + 10, 'y', 10);
    expect_text(scene, twenty, 0, "\"xxxxxxxxxxyyyyyyyyyy\"");
    memset(scene->memory + 10, 'x', 9);
    expect_text(scene, twenty, 0, "'x' <repeats 19 times>, \"y\"");
    expect_text(scene,
                SCENE_ARRAY(scene, scene_base(scene, "char16_t", DW_ATE_UTF, 2), SCENE_COUNT(30)),
                64, "u'\\000' <repeats 29 times>");
    scene->memory[64] = 'a';
    expect_text(scene, (die_ref)scene->count, 64, "u\"a\", '\\000' <repeats 28 times>");
    SCENE_PUT(scene, 0, (uint32_t[]){0x3b1, '1', 'a', 0x1f600, 0});
    expect_text(scene, wide, 0, "L\"\\x3b1\\061a\\x1f600\"");
}

TEST_OF(tell_character_arrays_up_to_the_first_null_if_wanted, value_scene, scene, ARCH_X86_64)
{
    die_ref letter = scene_char(scene);
    die_ref text = SCENE_ARRAY(scene, letter, SCENE_COUNT(8));
    die_ref wide = SCENE_ARRAY(scene, scene_base(scene, "char16_t", DW_ATE_UTF, 2), SCENE_COUNT(4));
    die_ref pair = SCENE_ARRAY(scene, letter, SCENE_COUNT(2), SCENE_COUNT(4));
    die_ref bytes = SCENE_ARRAY(scene, scene_int(scene), SCENE_COUNT(2));

    scene->style.null_stop = true;
    memcpy(scene->memory, "ab\0\227c\0d", 8);
    expect_text(scene, text, 0, "\"ab\"");
    expect_text(scene, text, 2, "\"\"");
    memcpy(scene->memory + 100, "ab\0\0cd", 6);
    expect_text(scene, wide, 100, "u\"\\x6261\"");
    expect_text(scene, pair, 0, "{\"ab\", \"c\"}");
    memcpy(scene->memory, "abcdefgh", 8);
    expect_text(scene, text, 0, "\"abcdefgh\"");
    scene->style.elements_max = 4;
    expect_text(scene, text, 0, "\"abcd\"...");
    memcpy(scene->memory, "\1\0\0\0\0\0\0", 8);
    expect_text(scene, bytes, 0, "{1, 0}");
    scene->style.null_stop = false;
    expect_text(scene, text, 0, "\"\\001\\000\\000\\000\\000\\000\\000\"");
}

TEST_OF(tell_array_without_count_as_its_address, value_scene, scene, ARCH_X86_64)
{
    die_ref text = SCENE_ARRAY(scene, scene_char(scene), {.has_count = false});
    die_ref numbers = SCENE_ARRAY(scene, scene_int(scene), SCENE_COUNT(0));

    memcpy(scene->memory + 4, "x", 2);
    expect_text(scene, text, 4, "0x1004 \"x\"");
    expect_text(scene, numbers, 4, "0x1004");
}

TEST_OF(tell_arrays_by_what_their_length_is_in_the_frame, value_scene, scene, ARCH_X86_64)
{
    static const struct type_bound known = {.kind = BOUND_VARIABLE, .variable = 77};
    static const struct type_bound lost = {.kind = BOUND_VARIABLE, .variable = 78};
    static const struct type_bound two = {.kind = BOUND_CONSTANT, .value = 2};
    die_ref number = scene_int(scene);
    die_ref last = SCENE_ARRAY(scene, number, {.end = &known});
    die_ref many = SCENE_ARRAY(scene, number, {.end = &known, .end_is_count = true});
    die_ref from = SCENE_ARRAY(scene, number, {.end = &two, .low = &known});
    die_ref rows = SCENE_ARRAY(scene, number, {.end = &known, .end_is_count = true},
                               {.end = &known, .end_is_count = true});
    die_ref text = SCENE_ARRAY(scene, scene_char(scene), {.end = &known, .end_is_count = true});
    die_ref unknown = SCENE_ARRAY(scene, number, {.end = &lost});
    die_ref unknown_rows = SCENE_ARRAY(scene, number, SCENE_COUNT(2), {.end = &lost});
    struct object object;

    memcpy(scene->memory + 4, "\1\0\0\0\2\0\0\0\3\0\0\0\4", 13);
    memcpy(scene->memory + 100, "abc", 3);
    scene->bound = 2;
    expect_text(scene, last, 4, "{1, 2, 3}");
    expect_text(scene, many, 4, "{1, 2}");
    expect_text(scene, from, 4, "{1}");
    expect_text(scene, rows, 4, "{{1, 2}, {3, 4}}");
    expect_text(scene, text, 100, "\"ab\"");
    scene->bound = -1; /* of one without elements */
    expect_text(scene, last, 4, "0x1004");
    scene->bound = INT64_MIN;
    expect_text(scene, many, 4, "0x1004");
    scene->bound = INT64_MAX;
    object = scene_object(many, 4);
    expect_unknown(scene, &object, UNAVAILABLE);
    object = scene_object(unknown, 4);
    expect_unknown(scene, &object, UNAVAILABLE);
    object = scene_object(unknown_rows, 4);
    expect_unknown(scene, &object, UNAVAILABLE);
}

TEST_OF(tell_repeated_elements_once, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref numbers = SCENE_ARRAY(scene, number, SCENE_COUNT(15));
    die_ref rows = SCENE_ARRAY(scene, number, SCENE_COUNT(12), SCENE_COUNT(2));
    die_ref many = SCENE_ARRAY(scene, number, SCENE_COUNT(260));

    SCENE_PUT(scene, 0, (int[]){1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 0});
    expect_text(scene, numbers, 0, "{1, 2 <repeats 12 times>, 3, 0}");
    SCENE_PUT(scene, 40, (int[]){2, 3, 3});
    expect_text(scene, numbers, 0, "{1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 0}");
    expect_text(scene, rows, 256, "{{0, 0} <repeats 12 times>}");
    expect_text(scene, many, 1024, "{0 <repeats 260 times>}");
    for (int i = 0; i < 260; i++)
        memcpy(scene->memory + 1024 + 4 * i, &(int){i / 13}, 4);
    expect_text(scene, many, 1024,
                "{0 <repeats 13 times>, 1 <repeats 13 times>, 2 <repeats 13 times>, "
                "3 <repeats 13 times>, 4 <repeats 13 times>, 5 <repeats 13 times>, "
                "6 <repeats 13 times>, 7 <repeats 13 times>, 8 <repeats 13 times>, "
                "9 <repeats 13 times>, 10 <repeats 13 times>, 11 <repeats 13 times>, "
                "12 <repeats 13 times>, 13 <repeats 13 times>, 14 <repeats 13 times>, "
                "15 <repeats 13 times>, 16 <repeats 13 times>, 17 <repeats 13 times>, "
                "18 <repeats 13 times>, 19 <repeats 13 times>}");
    scene->style.elements_max = 3;
    expect_text(scene, numbers, 0, "{1, 2, 2...}");
}

/* gdb compares all bytes, those between members too. */
TEST_OF(tell_elements_that_differ_in_padding_apart, value_scene, scene, ARCH_X86_64)
{
    die_ref pad = SCENE_STRUCT(scene, NULL, 8, {.name = "i", .type = scene_int(scene)});
    die_ref array = SCENE_ARRAY(scene, pad, SCENE_COUNT(12));

    scene->memory[5] = 1;
    expect_text(scene, array, 0, "{{i = 0}, {i = 0} <repeats 11 times>}");
}

TEST_OF(tell_structs_with_bases_unions_and_bit_fields, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref empty = scene_add(scene, (struct type){.kind = TYPE_STRUCT, .name = "E", .size = 1});
    die_ref base = SCENE_STRUCT(scene, "ns::B", 4, {.name = "b", .type = number});
    struct type_member parts[] = {{.name = "i", .type = number}, {.name = "j", .type = number}};
    die_ref either = scene_struct(scene, TYPE_UNION, NULL, 4, parts, 2);
    die_ref outer =
        SCENE_STRUCT(scene, "D", 16, {.type = empty, .is_base = true},
                     {.type = base, .is_base = true},
                     {.name = "s", .type = number, .is_static = true}, {.type = either, .off = 4},
                     {.name = "f", .type = number, .off = 8, .bit_size = 3},
                     {.name = "g", .type = number, .off = 8, .bit_off = 3, .bit_size = 5});

    SCENE_PUT(scene, 0, (int[]){1, 2, 0xf1, 0});
    expect_text(scene, outer, 0,
                "{<E> = {<No data fields>}, <ns::B> = {b = 1}, {i = 2, j = 2}, f = 1, g = -2}");
    expect_text(scene, SCENE_STRUCT(scene, "F", 1, {.type = empty, .is_base = true}), 0,
                "{<E> = {<No data fields>}, <No data fields>}");
}

#define VIRTUAL_BASE(base, place)                                                                  \
    {                                                                                              \
        .type = (base), .is_base = true, .is_virtual = true, .off_unknown = true, .where = {       \
            .ops = &(place),                                                                       \
            .count = 1,                                                                            \
            .size = 1                                                                              \
        }                                                                                          \
    }

TEST_OF(tell_virtual_bases_once_of_an_object, value_scene, scene, ARCH_X86_64)
{
    static const struct location_op far = {.atom = DW_OP_plus_uconst, .operand = {16}};
    static const struct location_op near = {.atom = DW_OP_plus_uconst, .operand = {8}};
    static const struct location_op before = {.atom = DW_OP_plus_uconst, .operand = {(uint64_t)-4}};
    static const struct location_op lost = {.atom = DW_OP_deref};
    die_ref number = scene_int(scene), left, right, both, pair;
    die_ref base = SCENE_STRUCT(scene, "B", 4, {.name = "b", .type = number});
    die_ref again = SCENE_STRUCT(scene, "B", 4, {.name = "b", .type = number});
    struct object object;

    left = SCENE_STRUCT(scene, "L", 8, VIRTUAL_BASE(base, far), {.name = "l", .type = number});
    right = SCENE_STRUCT(scene, "R", 8, VIRTUAL_BASE(again, near), {.name = "r", .type = number});
    both = SCENE_STRUCT(scene, "D", 20, {.type = left, .is_base = true},
                        {.type = right, .is_base = true, .off = 8});
    pair = SCENE_STRUCT(scene, "P", 28, {.name = "a", .type = both},
                        {.name = "z", .type = right, .off = 8});
    SCENE_PUT(scene, 0, (int[]){1, 2, 3, 4, 5, 6});
    expect_text(scene, both, 0, "{<L> = {<B> = {b = 5}, l = 1}, <R> = {r = 3}, <No data fields>}");
    /* A member is an object of its own. */
    expect_text(scene, pair, 0,
                "{a = {<L> = {<B> = {b = 5}, l = 1}, <R> = {r = 3}, <No data fields>}, "
                "z = {<B> = {b = 5}, r = 3}}");
    object = scene_object(SCENE_STRUCT(scene, "V", 8, VIRTUAL_BASE(base, lost),
                                       {.name = "l", .type = number}),
                          0);
    expect_told(scene, &object, "{<B> = <unavailable: a virtual base>, l = 1}", true);
    object = scene_object(SCENE_STRUCT(scene, "W", 8, VIRTUAL_BASE(base, before),
                                       {.name = "l", .type = number}),
                          8);
    expect_told(scene, &object, "{<B> = <unavailable: a virtual base>, l = 3}", true);
    object.place.pieces[0] = (struct object_piece){.kind = PIECE_BYTES, .size = 8};
    expect_told(scene, &object, "{<B> = <unavailable: a virtual base>, l = 0}", true);
}

TEST_OF(tell_what_is_too_deep_as_dots, value_scene, scene, ARCH_X86_64)
{
    die_ref type = scene_int(scene);

    for (unsigned i = 0; i < 4; i++) {
        struct type_member *member = calloc(1, sizeof(*member));

        *member = (struct type_member){.name = "m", .type = type};
        type = scene_struct(scene, TYPE_STRUCT, "s", 4, member, 1);
    }
    scene->style.depth_max = 3;
    expect_text(scene, type, 0, "{m = {m = {m = {...}}}}");
    scene->style.depth_max = 4;
    expect_text(scene, type, 0, "{m = {m = {m = {m = 0}}}}");
    for (size_t i = 1; i < 5; i++)
        free((void *)scene->types[i].members);
}

TEST_OF(tell_what_is_not_known_in_its_place, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref array = SCENE_ARRAY(scene, number, SCENE_COUNT(20));
    die_ref pair = SCENE_STRUCT(scene, "p", 8, {.name = "a", .type = number},
                                {.name = "b", .type = number, .off = 4});
    struct object object = scene_object(pair, 0);

    object.place.count = 2;
    object.place.pieces[0].bit_size = 32;
    object.place.pieces[1] = (struct object_piece){.kind = PIECE_UNKNOWN,
                                                   .bit_size = 32,
                                                   .known = known_not(OPTIMIZED_OUT)};
    expect_told(scene, &object, "{a = 0, b = <optimized out>}", true);
    object.place.pieces[1].known = unavailable("no base");
    expect_told(scene, &object, "{a = 0, b = <unavailable: no base>}", true);
    object = scene_object(array, 0);
    scene->captured = 16;
    expect_told(scene, &object, "{0, 0, 0, 0, <not captured> <repeats 16 times>}", true);
    scene->captured = SCENE_BYTES;
    scene->hole = 1;
    expect_told(scene, &object, "{<not captured>, 0 <repeats 19 times>}", true);
}

TEST_OF(tell_nothing_of_what_is_all_unknown, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref pair = SCENE_STRUCT(scene, "p", 8, {.name = "a", .type = number},
                                {.name = "b", .type = number, .off = 4});
    struct object object = scene_object(pair, 0);

    scene->captured = 0;
    expect_unknown(scene, &object, NOT_CAPTURED);
    object.type = number;
    expect_unknown(scene, &object, NOT_CAPTURED);
    object.place.count = 0;
    expect_unknown(scene, &object, OPTIMIZED_OUT);
    object = scene_object(99, 0);
    expect_unknown(scene, &object, UNAVAILABLE);
}

TEST_OF(tell_characters_that_are_half_known_as_elements, value_scene, scene, ARCH_X86_64)
{
    struct object object = scene_object(SCENE_ARRAY(scene, scene_char(scene), SCENE_COUNT(8)), 0);

    memcpy(scene->memory, "ab", 2);
    scene->captured = 2;
    scene->style.repeats_min = 5;
    expect_told(scene, &object, "{97 'a', 98 'b', <not captured> <repeats 6 times>}", true);
}

TEST_OF(tell_references_with_what_they_refer_to, value_scene, scene, ARCH_X86_64)
{
    die_ref reference = scene_of(scene, TYPE_REFERENCE, NULL, scene_int(scene));
    die_ref holder = SCENE_STRUCT(scene, "h", 8, {.name = "r", .type = reference});
    struct object object = scene_object(reference, 0);

    SCENE_PUT(scene, 0, (uint64_t){SCENE_MEMORY + 16});
    scene->memory[16] = 7;
    expect_text(scene, reference, 0, "@0x1010: 7");
    expect_text(scene, holder, 0, "{r = @0x1010}");
    scene->captured = 16;
    expect_told(scene, &object, "@0x1010: <not captured>", true);
}

TEST_OF(tell_implicit_pointer_as_synthetic, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    struct object object = scene_object(scene_of(scene, TYPE_POINTER, NULL, number), 0);

    object.place.pieces[0] = (struct object_piece){.kind = PIECE_POINTER, .die = 77};
    expect_told(scene, &object, "<synthetic pointer>", false);
}

TEST_OF(tell_pointers_to_members, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref owner = SCENE_STRUCT(scene, "ns::S", 8, {.name = "x", .type = number},
                                 {.name = "y", .type = number, .off = 4});
    struct type_member this[] = {
        {.type = scene_of(scene, TYPE_POINTER, NULL, owner), .is_artificial = true}};
    die_ref method =
        scene_add(scene, (struct type){.kind = TYPE_FUNCTION, .members = this, .member_count = 1});
    die_ref field =
        scene_add(scene,
                  (struct type){.kind = TYPE_MEMBER_POINTER, .target = number, .container = owner});
    die_ref call =
        scene_add(scene,
                  (struct type){.kind = TYPE_MEMBER_POINTER, .target = method, .container = owner});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (uint64_t[]){4, UINT64_MAX, SCENE_MEMORY, 0, 0, 17, 0});
    scene->symbol = "ns::S::m()";
    scene->symbol_addr = SCENE_MEMORY;
    scene->symbol_size = 1;
    expect_text(scene, field, 0, "&ns::S::y");
    expect_text(scene, field, 8, "NULL");
    expect_text(scene, call, 16, "(void (ns::S::*)(ns::S * const)) 0x1000 <ns::S::m()>");
    expect_text(scene, call, 24, "NULL");
    expect_text(scene, call, 40, "&virtual table offset 16");
}

static char *demangle_few(const char *name)
{
    return strcmp(name, "_ZN1B1fEi") == 0 ? strdup("B::f(int)") : NULL;
}

TEST_OF(tell_pointers_to_virtual_methods_by_name, value_scene, scene, ARCH_X86_64)
{
    static const struct type_method of_base[] = {{"_ZN1B1fEi", 0}, {"_ZN1B1gEv", 2}};
    static const struct type_method of_first[] = {{"_ZN1A1hEv", 2}};
    die_ref base = scene_add(scene, (struct type){.kind = TYPE_CLASS,
                                                  .name = "B",
                                                  .size = 8,
                                                  .methods = of_base,
                                                  .method_count = 2});
    die_ref first = scene_add(scene, (struct type){.kind = TYPE_CLASS,
                                                   .name = "A",
                                                   .size = 8,
                                                   .methods = of_first,
                                                   .method_count = 1});
    die_ref owner = SCENE_STRUCT(scene, "S", 16, {.type = first, .is_base = true},
                                 {.type = base, .is_base = true, .off = 8});
    die_ref method = scene_add(scene, (struct type){.kind = TYPE_FUNCTION});
    die_ref call =
        scene_add(scene,
                  (struct type){.kind = TYPE_MEMBER_POINTER, .target = method, .container = owner});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    scene->source.demangle = demangle_few;
    SCENE_PUT(scene, 0, (uint64_t[]){17, 0, 17, 8, 1, 8, 1, 0, 1, 98});
    expect_text(scene, call, 0, "&virtual _ZN1A1hEv");
    expect_text(scene, call, 16, "&virtual _ZN1B1gEv");
    expect_text(scene, call, 32, "&virtual B::f(int)");
    expect_text(scene, call, 48, "&virtual table offset 0");
    expect_text(scene, call, 64, "&virtual table offset 0, this adjustment 98");
    /* Where addresses of code may be odd it is the adjustment's lowest bit that says so. */
    scene->source.arch = arch_get(ARCH_AARCH64);
    SCENE_PUT(scene, 0, (uint64_t[]){16, 17, 0, (uint64_t)-5});
    expect_text(scene, call, 0, "&virtual _ZN1B1gEv");
    expect_text(scene, call, 16, "&virtual table offset 0, this adjustment -3");
}

TEST_OF(tell_text_is_cut_at_its_limit, value_scene, scene, ARCH_X86_64)
{
    die_ref array = SCENE_ARRAY(scene, scene_int(scene), SCENE_COUNT(9));

    for (unsigned i = 0; i < 9; i++)
        scene->memory[4 * i] = (uint8_t)i;
    scene->style.text_max = 8;
    expect_text(scene, array, 0, "{0, 1, 2...");
}

TEST_OF(tell_hostile_types_with_bounded_work, value_scene, scene, ARCH_X86_64)
{
    struct type_member self[] = {{.type = 1},
                                 {.name = "a", .type = 1},
                                 {.type = 1, .is_base = true}};
    die_ref circle = scene_struct(scene, TYPE_STRUCT, "s", 8, self, 3);
    die_ref number = scene_int(scene);
    die_ref huge = SCENE_ARRAY(scene, number, SCENE_COUNT(UINT64_MAX), SCENE_COUNT(UINT64_MAX));
    die_ref large = SCENE_ARRAY(scene, number, SCENE_COUNT(UINT64_C(1) << 40));
    die_ref outside = SCENE_STRUCT(scene, "o", 4, {.name = "a", .type = number, .off = 2},
                                   {.name = "b", .type = number, .off = UINT64_MAX},
                                   {.name = "c", .type = number});
    struct object object = scene_object(circle, 0);
    struct told_value value;

    assert_int_equal(value_tell(&scene->source, &object, &scene->style, &value), STATUS_OK);
    free(value.text);
    object.type = huge;
    expect_unknown(scene, &object, UNAVAILABLE);
    object.type = large;
    assert_int_equal(value_tell(&scene->source, &object, &scene->style, &value), STATUS_OK);
    free(value.text);
    assert_true(scene->reads < 1000000);
    object.type = outside;
    expect_told(scene, &object,
                "{a = <unavailable: a member outside of its object>, "
                "b = <unavailable: a member out of range>, c = 0}",
                true);
}
