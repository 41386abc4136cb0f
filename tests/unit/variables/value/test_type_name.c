/* SPDX-License-Identifier: MIT */
/* The names are what gdb 13 says to `whatis` of such variables. */
#include "object_fixture.h"

static void expect_name(struct value_scene *scene, die_ref type, const char *want)
{
    char *name;

    assert_int_equal(value_type_name(&scene->source, type, &name), STATUS_OK);
    assert_string_equal(name, want);
    free(name);
}

static die_ref pointer_to(struct value_scene *scene, die_ref target)
{
    return scene_of(scene, TYPE_POINTER, NULL, target);
}

static die_ref function(struct value_scene *scene, die_ref returns,
                        const struct type_member *parameters, size_t count)
{
    return scene_add(scene, (struct type){.kind = TYPE_FUNCTION,
                                          .target = returns,
                                          .members = parameters,
                                          .member_count = count,
                                          .is_prototyped = true});
}

TEST_OF(name_of_pointers_has_qualifiers_where_they_belong, value_scene, scene, ARCH_X86_64)
{
    die_ref text = scene_of(scene, TYPE_CONST, NULL, scene_char(scene));
    die_ref pointer = pointer_to(scene, text);
    die_ref constant = scene_of(scene, TYPE_CONST, NULL, pointer);

    expect_name(scene, pointer, "const char *");
    expect_name(scene, constant, "const char * const");
    expect_name(scene, pointer_to(scene, constant), "const char * const *");
    expect_name(scene, pointer_to(scene, 0), "void *");
    expect_name(scene, scene_of(scene, TYPE_RESTRICT, NULL, pointer_to(scene, scene_int(scene))),
                "int * restrict");
    expect_name(scene, scene_of(scene, TYPE_ATOMIC, NULL, scene_int(scene)), "_Atomic int");
}

TEST_OF(name_of_arrays_and_functions_is_around_the_pointer, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref letter = scene_char(scene);
    struct type_member parameters[] = {{.type = number},
                                       {.type = pointer_to(scene, pointer_to(scene, letter))}};
    die_ref call = function(scene, number, parameters, 2);
    die_ref array = SCENE_ARRAY(scene, number, SCENE_COUNT(2), SCENE_COUNT(3));
    die_ref no_prototype = scene_add(scene, (struct type){.kind = TYPE_FUNCTION});

    expect_name(scene, array, "int [2][3]");
    expect_name(scene, pointer_to(scene, array), "int (*)[2][3]");
    expect_name(scene, SCENE_ARRAY(scene, letter, {.has_count = false}), "char []");
    expect_name(scene, call, "int (int, char **)");
    expect_name(scene, pointer_to(scene, call), "int (*)(int, char **)");
    expect_name(scene, SCENE_ARRAY(scene, pointer_to(scene, call), SCENE_COUNT(3)),
                "int (*[3])(int, char **)");
    expect_name(scene, scene_of(scene, TYPE_CONST, NULL, pointer_to(scene, call)),
                "int (* const)(int, char **)");
    expect_name(scene, pointer_to(scene, no_prototype), "void (*)()");
    expect_name(scene, pointer_to(scene, function(scene, pointer_to(scene, call), parameters, 1)),
                "int (*(*)(int))(int, char **)");
    expect_name(scene, pointer_to(scene, function(scene, 0, NULL, 0)), "void (*)(void)");
}

TEST_OF(name_of_struct_has_its_keyword_in_c_alone, value_scene, scene, ARCH_X86_64)
{
    die_ref queue = SCENE_STRUCT(scene, "queue", 4, {.name = "x"});
    die_ref none = SCENE_STRUCT(scene, NULL, 4, {.name = "x"});
    die_ref kind = scene_add(scene, (struct type){.kind = TYPE_ENUM, .name = "kind", .size = 4});
    die_ref either = scene_add(scene, (struct type){.kind = TYPE_UNION, .size = 4});

    expect_name(scene, pointer_to(scene, queue), "struct queue *");
    expect_name(scene, none, "struct {...}");
    expect_name(scene, kind, "enum kind");
    expect_name(scene, either, "union {...}");
    scene_language(scene, DW_LANG_C_plus_plus_14);
    expect_name(scene, pointer_to(scene, queue), "queue *");
    expect_name(scene, kind, "kind");
}

TEST_OF(name_of_cxx_references_and_members, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_int(scene);
    die_ref owner = SCENE_STRUCT(scene, "ns::S", 4, {.name = "x", .type = number});
    struct type_member parameters[] = {{.type = pointer_to(scene, owner), .is_artificial = true},
                                       {.type = number}};
    die_ref method = function(scene, 0, parameters, 2);
    die_ref array = SCENE_ARRAY(scene, number, SCENE_COUNT(1));

    scene_language(scene, DW_LANG_C_plus_plus_14);
    expect_name(scene, scene_of(scene, TYPE_REFERENCE, NULL, pointer_to(scene, number)), "int *&");
    expect_name(scene, scene_of(scene, TYPE_REFERENCE, NULL, array), "int (&)[1]");
    expect_name(scene, scene_of(scene, TYPE_RVALUE_REFERENCE, NULL, number), "int &&");
    expect_name(scene,
                scene_add(scene, (struct type){.kind = TYPE_MEMBER_POINTER,
                                               .target = number,
                                               .container = owner}),
                "int ns::S::*");
    expect_name(scene,
                scene_add(scene, (struct type){.kind = TYPE_MEMBER_POINTER,
                                               .target = method,
                                               .container = owner}),
                "void (ns::S::*)(ns::S * const, int)");
}

TEST_OF(name_of_integers_is_short, value_scene, scene, ARCH_X86_64)
{
    expect_name(scene, scene_base(scene, "long unsigned int", DW_ATE_unsigned, 8), "unsigned long");
    expect_name(scene, scene_base(scene, "short int", DW_ATE_signed, 2), "short");
    expect_name(scene, scene_base(scene, "std::allocator<long long int>", DW_ATE_signed, 2),
                "std::allocator<long long>");
    expect_name(scene, scene_base(scene, "along int", DW_ATE_signed, 2), "along int");
}

TEST_OF(name_of_rust_types_is_their_own, value_scene, scene, ARCH_X86_64)
{
    die_ref number = scene_base(scene, "i32", DW_ATE_signed, 4);
    die_ref array = SCENE_ARRAY(scene, number, SCENE_COUNT(3));

    scene_of(scene, TYPE_POINTER, "&[i32; 3]", array);
    scene_language(scene, DW_LANG_Rust);
    expect_name(scene, array, "[i32; 3]");
    expect_name(scene, (die_ref)scene->count, "&[i32; 3]");
}

TEST_OF(name_of_circle_ends, value_scene, scene, ARCH_X86_64)
{
    struct type_member parameters[] = {{.type = 1}, {.type = 1}, {.type = 1}, {.type = 1}};
    char *name;

    function(scene, 1, parameters, 4);
    assert_int_equal(value_type_name(&scene->source, 1, &name), STATUS_OK);
    assert_true(strlen(name) < 65536);
    free(name);
    expect_name(scene, pointer_to(scene, 99), "<unknown type> *");
}
