/* SPDX-License-Identifier: MIT */
/*
 * Types made by hand, memory, registers and symbols, for tests of variables/value: no program and
 * no debug information is needed. A type's die_ref is its place in the scene, plus 1.
 */
#ifndef TESTS_OBJECT_FIXTURE_H
#define TESTS_OBJECT_FIXTURE_H

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "variables/value/value.h"

#define SCENE_MEMORY 0x1000 /* its address */
#define SCENE_BYTES  4096

struct value_scene {
    struct type types[64];
    size_t count;
    uint8_t memory[SCENE_BYTES];
    size_t captured; /* bytes of it that can be read */
    size_t hole;     /* one of them that cannot; SCENE_BYTES: none */
    uint64_t registers[32];
    unsigned reads;
    const char *symbol;
    uint64_t symbol_addr, symbol_size;
    /* What an implicit pointer points to. */
    die_ref variable_type;
    struct object_piece variable;
    int64_t bound; /* of arrays: of the variable 77 */
    struct value_source source;
    struct value_style style;
};

static inline enum status scene_type(void *context, die_ref ref, const struct type **out)
{
    struct value_scene *scene = context;

    if (ref == 0)
        return STATUS_NOT_FOUND;
    if (ref > scene->count)
        return STATUS_BAD_DATA;
    *out = &scene->types[ref - 1];
    return STATUS_OK;
}

static inline struct known_how scene_read(void *context, uint64_t addr, void *buffer, size_t size)
{
    struct value_scene *scene = context;
    uint64_t at = addr - SCENE_MEMORY;

    scene->reads++;
    if (addr < SCENE_MEMORY || at > scene->captured || size > scene->captured - at ||
        (at <= scene->hole && scene->hole - at < size))
        return known_not(NOT_CAPTURED);
    memcpy(buffer, scene->memory + at, size);
    return known_yes();
}

static inline struct known_how scene_register(void *context, uint64_t reg, uint64_t *value)
{
    struct value_scene *scene = context;

    if (reg >= 32)
        return unavailable("no such register");
    *value = scene->registers[reg];
    return known_yes();
}

static inline bool scene_symbol(void *context, uint64_t addr, const char **name, uint64_t *off)
{
    struct value_scene *scene = context;

    *name = scene->symbol;
    *off = addr - scene->symbol_addr;
    return scene->symbol && addr >= scene->symbol_addr && *off < scene->symbol_size;
}

static inline struct known_how scene_variable(void *context, die_ref die, die_ref *type,
                                              struct place_of_object *place)
{
    struct value_scene *scene = context;

    if (die != 77)
        return known_not(OPTIMIZED_OUT);
    *type = scene->variable_type;
    place->count = 1;
    place->pieces[0] = scene->variable;
    return known_yes();
}

static inline struct known_how scene_bound(void *context, const struct type_bound *bound,
                                           int64_t *value)
{
    struct value_scene *scene = context;

    *value = scene->bound;
    return bound->variable == 77 ? known_yes() : known_not(OPTIMIZED_OUT);
}

/* As many bytes on as the expression's first operand says. */
static inline struct known_how scene_within(void *context, const struct location *where,
                                            uint64_t addr, uint64_t *part_addr)
{
    (void)context;
    *part_addr = addr + where->ops[0].operand[0];
    return where->ops[0].atom == DW_OP_plus_uconst ? known_yes() : known_not(NOT_CAPTURED);
}

static inline struct value_scene *scene_create(enum arch_id arch)
{
    struct value_scene *scene = calloc(1, sizeof(*scene));

    assert_non_null(scene);
    scene->captured = SCENE_BYTES;
    scene->hole = SCENE_BYTES;
    scene->style = VALUE_STYLE_DEFAULT;
    scene->source = (struct value_source){.arch = arch_get(arch),
                                          .type = scene_type,
                                          .read = scene_read,
                                          .reg = scene_register,
                                          .symbol = scene_symbol,
                                          .variable = scene_variable,
                                          .bound = scene_bound,
                                          .within = scene_within,
                                          .context = scene};
    return scene;
}

static inline die_ref scene_add(struct value_scene *scene, struct type type)
{
    assert_true(scene->count < 64);
    type.ref = scene->count + 1;
    if (type.language == 0)
        type.language = DW_LANG_C11;
    if (type.size)
        type.has_size = true;
    scene->types[scene->count++] = type;
    return type.ref;
}

static inline die_ref scene_base(struct value_scene *scene, const char *name, uint8_t encoding,
                                 uint64_t size)
{
    return scene_add(
        scene, (struct type){.kind = TYPE_BASE, .name = name, .encoding = encoding, .size = size});
}

static inline die_ref scene_int(struct value_scene *scene)
{
    return scene_base(scene, "int", DW_ATE_signed, 4);
}

static inline die_ref scene_char(struct value_scene *scene)
{
    return scene_base(scene, "char", DW_ATE_signed_char, 1);
}

/* A qualifier, a pointer, a reference, a typedef. */
static inline die_ref scene_of(struct value_scene *scene, enum type_kind kind, const char *name,
                               die_ref target)
{
    return scene_add(scene, (struct type){.kind = kind, .name = name, .target = target});
}

/* The dimensions live as long as the function that names them; so do members, below. */
#define SCENE_ARRAY(scene, element, ...)                                                           \
    scene_array(scene, element, (const struct type_dimension[]){__VA_ARGS__},                      \
                sizeof((const struct type_dimension[]){__VA_ARGS__}) /                             \
                    sizeof(struct type_dimension))
#define SCENE_COUNT(number)                                                                        \
    {                                                                                              \
        .has_count = true, .count = (number)                                                       \
    }

static inline die_ref scene_array(struct value_scene *scene, die_ref element,
                                  const struct type_dimension *dimensions, size_t count)
{
    return scene_add(scene, (struct type){.kind = TYPE_ARRAY,
                                          .target = element,
                                          .dimensions = dimensions,
                                          .dimension_count = count});
}

#define SCENE_STRUCT(scene, type_name, bytes, ...)                                                 \
    scene_struct(scene, TYPE_STRUCT, type_name, bytes, (const struct type_member[]){__VA_ARGS__},  \
                 sizeof((const struct type_member[]){__VA_ARGS__}) / sizeof(struct type_member))

static inline die_ref scene_struct(struct value_scene *scene, enum type_kind kind, const char *name,
                                   uint64_t size, const struct type_member *members, size_t count)
{
    return scene_add(scene, (struct type){.kind = kind,
                                          .name = name,
                                          .size = size,
                                          .members = members,
                                          .member_count = count});
}

static inline void scene_language(struct value_scene *scene, uint16_t language)
{
    for (size_t i = 0; i < scene->count; i++)
        scene->types[i].language = language;
}

/* Bytes [off, …) of the memory. */
#define SCENE_PUT(scene, off, ...)                                                                 \
    memcpy((scene)->memory + (off), &(__VA_ARGS__), sizeof(__VA_ARGS__))

static inline struct object scene_object(die_ref type, uint64_t off)
{
    struct object object = {.type = type};

    object.place.count = 1;
    object.place.pieces[0] =
        (struct object_piece){.kind = PIECE_MEMORY, .addr = SCENE_MEMORY + off};
    return object;
}

static inline void expect_told(struct value_scene *scene, const struct object *object,
                               const char *text, bool is_partial)
{
    struct told_value value;

    assert_int_equal(value_tell(&scene->source, object, &scene->style, &value), STATUS_OK);
    assert_non_null(value.text);
    assert_string_equal(value.text, text);
    assert_int_equal(value.is_partial, is_partial);
    free(value.text);
}

static inline void expect_text(struct value_scene *scene, die_ref type, uint64_t off,
                               const char *text)
{
    struct object object = scene_object(type, off);

    expect_told(scene, &object, text, false);
}

/* Of a part that is not to be found or not known: the text is the reason. */
static inline void expect_part(struct value_scene *scene, const struct object *object,
                               const char *part, const char *text)
{
    char buffer[KNOWN_TEXT_MAX];
    struct object found;
    struct known_how known = value_part(&scene->source, object, part, &found);
    struct told_value value = {.known = known};

    if (is_known(known))
        assert_int_equal(value_tell(&scene->source, &found, &scene->style, &value), STATUS_OK);
    assert_string_equal(value.text ? value.text : known_text(value.known, buffer), text);
    free(value.text);
}

static inline void expect_unknown(struct value_scene *scene, const struct object *object,
                                  enum known_state state)
{
    struct told_value value;

    assert_int_equal(value_tell(&scene->source, object, &scene->style, &value), STATUS_OK);
    assert_null(value.text);
    assert_int_equal(value.known.state, state);
}

#endif
