/* SPDX-License-Identifier: MIT */
#include "object_fixture.h"

TEST_OF(strip_takes_off_names_and_qualifiers, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref name = scene_of(scene, TYPE_TYPEDEF, "count_t",
                            scene_of(scene, TYPE_CONST, NULL,
                                     scene_of(scene, TYPE_VOLATILE, NULL,
                                              scene_of(scene, TYPE_ATOMIC, NULL, number))));
    const struct type *type;

    assert_int_equal(value_strip(&scene->source, name, &type), STATUS_OK);
    assert_int_equal(type->ref, number);
}

TEST_OF(strip_of_circle_is_unknown, value_scene, scene, ARCH_X86_64)
{
    die_ref circle = scene_of(scene, TYPE_TYPEDEF, "a", 1);
    const struct type *type;

    assert_int_equal(value_strip(&scene->source, circle, &type), STATUS_OK);
    assert_int_equal(type->kind, TYPE_UNKNOWN);
    assert_int_equal(value_strip(&scene->source, 99, &type), STATUS_OK);
    assert_int_equal(type->kind, TYPE_UNKNOWN);
    assert_int_equal(value_strip(&scene->source, 0, &type), STATUS_NOT_FOUND);
}

TEST_OF(bytes_of_memory_are_known_as_far_as_captured, value_scene, scene, ARCH_X86_64)
{
    struct object object = scene_object(scene_int(scene), 8);
    uint8_t bytes[4];

    SCENE_PUT(scene, 8, (uint32_t){0x04030201});
    assert_true(is_known(value_bytes(&scene->source, &object, bytes, 4)));
    assert_memory_equal(bytes, "\1\2\3\4", 4);
    scene->captured = 11;
    assert_int_equal(value_bytes(&scene->source, &object, bytes, 4).state, NOT_CAPTURED);
}

TEST_OF(bytes_of_two_registers_follow_one_another, value_scene, scene, ARCH_I386)
{
    struct object object = {.type = scene_base(scene, "long long", DW_ATE_signed, 8)};
    uint64_t number;
    bool is_signed;

    object.place.count = 2;
    object.place.pieces[0] =
        (struct object_piece){.kind = PIECE_REGISTER, .reg = 0, .bit_size = 32};
    object.place.pieces[1] =
        (struct object_piece){.kind = PIECE_REGISTER, .reg = 2, .bit_size = 32};
    scene->registers[0] = 0x11111111;
    scene->registers[2] = 0x22222222;
    assert_true(is_known(value_number(&scene->source, &object, &number, &is_signed)));
    assert_int_equal(number, 0x2222222211111111);
    assert_true(is_signed);
}

TEST_OF(bytes_wider_than_register_are_unavailable, value_scene, scene, ARCH_I386)
{
    struct object object = {.type = scene_base(scene, "long long", DW_ATE_signed, 8)};
    uint64_t number;
    bool is_signed;

    object.place.count = 1;
    object.place.pieces[0] = (struct object_piece){.kind = PIECE_REGISTER};
    assert_int_equal(value_number(&scene->source, &object, &number, &is_signed).state, UNAVAILABLE);
}

TEST_OF(bytes_wider_than_register_go_on_in_the_next, value_scene, scene, ARCH_RISCV32)
{
    struct object object = {.type = scene_base(scene, "long long", DW_ATE_signed, 8)};
    uint64_t number;
    bool is_signed;

    object.place.count = 1;
    object.place.pieces[0] = (struct object_piece){.kind = PIECE_REGISTER, .reg = 10};
    scene->registers[10] = 0x11111111;
    scene->registers[11] = 0x22222222;
    assert_true(is_known(value_number(&scene->source, &object, &number, &is_signed)));
    assert_int_equal(number, 0x2222222211111111);
}

/* Three pieces of 3, 7 and 22 bits: the second one begins at bit 5 of its byte. */
TEST_OF(bytes_of_bit_pieces_are_put_together, value_scene, scene, ARCH_X86_64)
{
    struct object object = {.type = scene_base(scene, "unsigned", DW_ATE_unsigned, 4)};
    uint64_t number;
    bool is_signed;

    object.place.count = 3;
    object.place.pieces[0] =
        (struct object_piece){.kind = PIECE_MEMORY, .addr = SCENE_MEMORY, .bit_size = 3};
    object.place.pieces[1] = (struct object_piece){.kind = PIECE_MEMORY,
                                                   .addr = SCENE_MEMORY + 1,
                                                   .bit_off = 5,
                                                   .bit_size = 7};
    object.place.pieces[2] =
        (struct object_piece){.kind = PIECE_BYTES, .bit_size = 22, .size = 4, .word = {1, 0, 0x20}};
    scene->memory[0] = 0xfd; /* 101 */
    scene->memory[1] = 0xbf; /* 101 at its top */
    scene->memory[2] = 0x0a; /* 1010 */
    assert_true(is_known(value_number(&scene->source, &object, &number, &is_signed)));
    assert_int_equal(number, 5 | 0x55 << 3 | 0x200001u << 10);
}

TEST_OF(bytes_beyond_the_pieces_are_optimized_out, value_scene, scene, ARCH_X86_64)
{
    struct object object = scene_object(scene_int(scene), 0);
    uint8_t bytes[4];

    object.place.pieces[0].bit_size = 16;
    assert_true(is_known(value_bytes(&scene->source, &object, bytes, 2)));
    assert_int_equal(value_bytes(&scene->source, &object, bytes, 4).state, OPTIMIZED_OUT);
}

TEST_OF(number_of_bit_field_is_sign_extended, value_scene, scene, ARCH_X86_64)
{
    struct object object = scene_object(scene_int(scene), 0);
    uint64_t number;
    bool is_signed;

    scene->memory[0] = 0xf5; /* 11110 101 */
    object.bit_off = 3;
    object.bit_size = 5;
    assert_true(is_known(value_number(&scene->source, &object, &number, &is_signed)));
    assert_int_equal((int64_t)number, -2);
}

TEST_OF(number_of_struct_is_none, value_scene, scene, ARCH_X86_64)
{
    struct object object = scene_object(SCENE_STRUCT(scene, "a", 4, {.name = "x"}), 0);
    uint64_t number;
    bool is_signed;

    assert_int_equal(value_number(&scene->source, &object, &number, &is_signed).state, UNAVAILABLE);
}

static uint64_t number_of(struct value_scene *scene, const struct object *object)
{
    uint64_t number;
    bool is_signed;

    assert_true(is_known(value_number(&scene->source, object, &number, &is_signed)));
    return number;
}

TEST_OF(part_is_found_through_bases_anonymous_members_and_pointers, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref base = SCENE_STRUCT(scene, "base", 4, {.name = "b", .type = number});
    die_ref either = scene_struct(scene, TYPE_UNION, NULL, 4,
                                  (struct type_member[]){{.name = "u", .type = number}}, 1);
    die_ref outer = SCENE_STRUCT(scene, "outer", 16, {.type = base, .off = 4, .is_base = true},
                                 {.type = either, .off = 8}, {.name = "x", .type = number});
    struct object object = scene_object(scene_of(scene, TYPE_POINTER, NULL, outer), 0), part;

    SCENE_PUT(scene, 0, (uint64_t){SCENE_MEMORY + 64});
    SCENE_PUT(scene, 64, (int[]){1, 2, 3});
    assert_true(is_known(value_part(&scene->source, &object, "x", &part)));
    assert_int_equal(number_of(scene, &part), 1);
    assert_true(is_known(value_part(&scene->source, &object, "b", &part)));
    assert_int_equal(number_of(scene, &part), 2);
    assert_true(is_known(value_part(&scene->source, &object, "u", &part)));
    assert_int_equal(number_of(scene, &part), 3);
    assert_int_equal(value_part(&scene->source, &object, "v", &part).state, UNAVAILABLE);
}

TEST_OF(part_of_array_is_an_element_within_the_bounds, value_scene, scene, ARCH_X86_64)
{
    die_ref array = SCENE_ARRAY(scene, scene_int(scene), SCENE_COUNT(2), SCENE_COUNT(3));
    struct object object = scene_object(array, 0), row, part;

    SCENE_PUT(scene, 0, (int[]){1, 2, 3, 4, 5, 6});
    assert_true(is_known(value_part(&scene->source, &object, "[1]", &row)));
    expect_told(scene, &row, "{4, 5, 6}", false);
    assert_true(is_known(value_part(&scene->source, &row, "[2]", &part)));
    assert_int_equal(number_of(scene, &part), 6);
    assert_int_equal(value_part(&scene->source, &row, "[3]", &part).state, UNAVAILABLE);
    assert_int_equal(value_part(&scene->source, &row, "[-1]", &part).state, UNAVAILABLE);
    assert_int_equal(value_part(&scene->source, &row, "[x]", &part).state, UNAVAILABLE);
}

TEST_OF(part_of_pointer_is_what_it_points_to, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    struct object object = scene_object(scene_of(scene, TYPE_POINTER, NULL, number), 0), part;

    SCENE_PUT(scene, 0, (uint64_t){SCENE_MEMORY + 16});
    SCENE_PUT(scene, 12, (int[]){1, 2, 3});
    assert_true(is_known(value_part(&scene->source, &object, "*", &part)));
    assert_int_equal(number_of(scene, &part), 2);
    assert_true(is_known(value_part(&scene->source, &object, "[1]", &part)));
    assert_int_equal(number_of(scene, &part), 3);
    assert_true(is_known(value_part(&scene->source, &object, "[-1]", &part)));
    assert_int_equal(number_of(scene, &part), 1);
}

TEST_OF(part_of_implicit_pointer_is_the_variable, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    struct object object = scene_object(scene_of(scene, TYPE_POINTER, NULL, number), 0), part;

    object.place.pieces[0] = (struct object_piece){.kind = PIECE_POINTER, .die = 77, .off = 4};
    scene->variable_type = number;
    scene->variable =
        (struct object_piece){.kind = PIECE_BYTES, .size = 8, .word = {1, 0, 0, 0, 9}};
    assert_true(is_known(value_part(&scene->source, &object, "*", &part)));
    assert_int_equal(number_of(scene, &part), 9);
    object.place.pieces[0].die = 78;
    assert_int_equal(value_part(&scene->source, &object, "*", &part).state, OPTIMIZED_OUT);
}
