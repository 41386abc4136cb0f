/* SPDX-License-Identifier: MIT */
/* Answers of the child that reads debug information: what is not sound is never taken. */
#include "variables/dwarf/decode.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "variables/dwarf/wire.h"

static void put_location(struct wire_out *out, unsigned nest)
{
    wire_u32(out, 4); /* size */
    wire_u32(out, 1); /* operations */
    wire_u8(out, 0xa3);
    wire_u32(out, 0);
    wire_u64(out, 1);
    wire_u64(out, 2);
    wire_u8(out, 5);
    wire_u8(out, 4);
    wire_u32(out, 2);
    wire_bytes(out, "ab", 2);
    wire_u8(out, nest > 0);
    if (nest > 0)
        put_location(out, nest - 1);
}

static void put_variable(struct wire_out *out, const char *name, uint8_t kind, uint8_t form)
{
    wire_text(out, name);
    wire_u8(out, kind);
    wire_u64(out, 11);
    wire_u64(out, 12);
    wire_u8(out, 0);
    wire_u32(out, 13);
    wire_u64(out, 0x1000);
    wire_u8(out, kind == VARIABLE_PARAMETER);
    if (kind == VARIABLE_PARAMETER)
        put_location(out, 0);
    wire_u8(out, form);
    wire_u8(out, 1);
    if (form == VARIABLE_LOCATED)
        put_location(out, 1);
    if (form == VARIABLE_CONSTANT) {
        wire_u32(out, 3);
        wire_bytes(out, "xyz", 3);
    }
}

static void put_level(struct wire_out *out, bool is_inline)
{
    wire_text(out, "a::f");
    wire_text(out, NULL);
    wire_u64(out, 20);
    wire_u8(out, is_inline);
    wire_u8(out, !is_inline); /* external */
    wire_u32(out, 4);
    put_variable(out, "p", VARIABLE_PARAMETER, VARIABLE_LOCATED);
    put_variable(out, "x", VARIABLE_LOCAL, VARIABLE_CONSTANT);
    put_variable(out, "x", VARIABLE_LOCAL, VARIABLE_NOWHERE);
    put_variable(out, "p", VARIABLE_LOCAL, VARIABLE_DAMAGED);
}

static struct wire_out sound_scope(void)
{
    struct wire_out out = {0};

    wire_u16(&out, 12);
    wire_u64(&out, 0x1000);
    wire_u64(&out, 0x1008);
    wire_u8(&out, 1);
    wire_u8(&out, 1);
    put_location(&out, 0);
    wire_u32(&out, 2); /* tail calls: an address, a name */
    wire_u8(&out, 1);
    wire_u64(&out, 0x2000);
    wire_text(&out, NULL);
    wire_u8(&out, 0);
    wire_u64(&out, 0);
    wire_text(&out, "g");
    wire_u8(&out, 0);
    wire_u32(&out, 2);
    put_level(&out, true);
    put_level(&out, false);
    return out;
}

static bool find_g(void *context, const char *name, uint64_t *vaddr)
{
    *vaddr = 0x3000;
    return *(const bool *)context && strcmp(name, "g") == 0;
}

static enum status read_scope(const void *bytes, size_t size, bool knows_g, struct arena *arena,
                              struct pc_scope **scope)
{
    const struct decode_names names = {.find = find_g, .context = &knows_g};
    struct cursor c = cursor_init(bytes, size);

    return decode_scope(&c, &names, arena, scope);
}

TEST(decode_scope_that_is_sound_has_all)
{
    struct wire_out out = sound_scope();
    struct arena arena = {0};
    const struct scope_variable *list;
    struct pc_scope *scope;

    assert_int_equal(read_scope(out.bytes, out.len, true, &arena, &scope), STATUS_OK);
    assert_int_equal(scope->language, 12);
    assert_int_equal(scope->body_vaddr, 0x1008);
    assert_true(scope->is_untracked);
    assert_int_equal(scope->tail_count, 2);
    assert_int_equal(scope->tail_vaddrs[1], 0x3000);
    assert_false(scope->has_other_tails);
    assert_int_equal(scope->count, 2);
    assert_true(scope->levels[0].is_inline);
    assert_false(scope->levels[0].is_external);
    assert_true(scope->levels[1].is_external);
    assert_string_equal(scope->levels[1].name, "a::f");
    assert_null(scope->levels[1].linkage_name);
    list = scope->levels[0].variables;
    assert_int_equal(list[0].location.ops[0].inner->ops[0].operand[1], 2);
    assert_memory_equal(list[0].location.ops[0].block, "ab", 2);
    assert_memory_equal(list[1].bytes, "xyz", 3);
    assert_true(list[0].is_outer); /* a local hides the parameter */
    assert_false(list[1].is_outer);
    assert_true(list[2].is_outer);
    assert_false(list[3].is_outer);
    arena_deinit(&arena);
    free(out.bytes);
}

TEST(decode_scope_with_a_tail_call_to_what_is_not_there_has_others)
{
    struct wire_out out = sound_scope();
    struct arena arena = {0};
    struct pc_scope *scope;

    assert_int_equal(read_scope(out.bytes, out.len, false, &arena, &scope), STATUS_OK);
    assert_int_equal(scope->tail_count, 1);
    assert_true(scope->has_other_tails);
    arena_deinit(&arena);
    free(out.bytes);
}

TEST(decode_scope_that_is_cut_anywhere_is_bad_data)
{
    struct wire_out out = sound_scope();

    for (size_t size = 0; size < out.len; size++) {
        uint8_t *copy = malloc(size + 1);
        struct arena arena = {0};
        struct pc_scope *scope;

        assert_non_null(copy);
        memcpy(copy, out.bytes, size);
        assert_int_equal(read_scope(copy, size, true, &arena, &scope), STATUS_BAD_DATA);
        arena_deinit(&arena);
        free(copy);
    }
    free(out.bytes);
}

TEST(decode_scope_with_something_behind_is_bad_data)
{
    struct wire_out out = sound_scope();
    struct arena arena = {0};
    struct pc_scope *scope;

    wire_u8(&out, 0);
    assert_int_equal(read_scope(out.bytes, out.len, true, &arena, &scope), STATUS_BAD_DATA);
    arena_deinit(&arena);
    free(out.bytes);
}

static enum status read_variable(const struct wire_out *out, struct arena *arena)
{
    struct cursor c = cursor_init(out->bytes, out->len);
    struct scope_variable *variable;

    return decode_variable(&c, arena, &variable);
}

TEST(decode_variable_without_name_or_of_no_kind_or_form_is_bad_data)
{
    static const struct {
        const char *name;
        uint8_t kind, form;
    } cases[] = {{NULL, 0, 0}, {"v", VARIABLE_LOCAL + 1, 0}, {"v", 0, VARIABLE_DAMAGED + 1}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct wire_out out = {0};
        struct arena arena = {0};

        put_variable(&out, cases[i].name, cases[i].kind, cases[i].form);
        assert_int_equal(read_variable(&out, &arena), STATUS_BAD_DATA);
        arena_deinit(&arena);
        free(out.bytes);
    }
}

TEST(decode_location_nested_too_deeply_is_bad_data)
{
    for (unsigned nest = LOCATION_NEST_MAX - 1; nest <= LOCATION_NEST_MAX + 1; nest++) {
        struct wire_out out = {0};
        struct arena arena = {0};

        put_variable(&out, "v", VARIABLE_LOCAL, VARIABLE_NOWHERE);
        out.bytes[out.len - 2] = VARIABLE_LOCATED;
        put_location(&out, nest);
        assert_int_equal(read_variable(&out, &arena),
                         nest <= LOCATION_NEST_MAX ? STATUS_OK : STATUS_BAD_DATA);
        arena_deinit(&arena);
        free(out.bytes);
    }
}

TEST(decode_location_whose_operations_do_not_ascend_is_bad_data)
{
    struct wire_out out = {0};
    struct arena arena = {0};

    put_variable(&out, "v", VARIABLE_LOCAL, VARIABLE_NOWHERE);
    out.bytes[out.len - 2] = VARIABLE_LOCATED;
    wire_u32(&out, 4);
    wire_u32(&out, 2);
    for (int i = 0; i < 2; i++) {
        wire_u8(&out, 0x96);
        wire_u32(&out, 1);
        wire_u64(&out, 0);
        wire_u64(&out, 0);
        wire_u16(&out, 0);
        wire_u32(&out, 0);
        wire_u8(&out, 0);
    }
    assert_int_equal(read_variable(&out, &arena), STATUS_BAD_DATA);
    arena_deinit(&arena);
    free(out.bytes);
}

TEST(decode_type_with_more_members_than_bytes_is_bad_data)
{
    struct wire_out out = {0};
    struct arena arena = {0};
    struct cursor c;
    struct type *type;

    wire_u64(&out, 1);
    wire_u8(&out, TYPE_STRUCT);
    wire_text(&out, "s");
    wire_u8(&out, 1);
    wire_u64(&out, 8);
    wire_u8(&out, 0);
    wire_u16(&out, 12);
    wire_u32(&out, 0); /* four flags */
    wire_u64(&out, 0);
    wire_u64(&out, 0);
    wire_u32(&out, TYPE_MEMBERS_MAX);
    c = cursor_init(out.bytes, out.len);
    assert_int_equal(decode_type(&c, &arena, &type), STATUS_BAD_DATA);
    wire_patch_u32(&out, out.len - 4, 0);
    wire_u32(&out, 0);
    wire_u32(&out, 0);
    wire_u32(&out, 1);
    wire_text(&out, "_ZN1s1fEv");
    wire_u64(&out, 2);
    wire_u16(&out, 0);
    c = cursor_init(out.bytes, out.len);
    assert_int_equal(decode_type(&c, &arena, &type), STATUS_OK);
    assert_string_equal(type->name, "s");
    assert_int_equal(type->method_count, 1);
    assert_string_equal(type->methods[0].linkage_name, "_ZN1s1fEv");
    assert_int_equal(type->methods[0].index, 2);
    arena_deinit(&arena);
    free(out.bytes);
}

/* An array of [?][count of a variable][low, high of expressions][]. */
static struct wire_out sound_array(void)
{
    struct wire_out out = {0};

    wire_u64(&out, 1);
    wire_u8(&out, TYPE_ARRAY);
    wire_text(&out, NULL);
    wire_u8(&out, 0);
    wire_u64(&out, 0);
    wire_u8(&out, 0);
    wire_u16(&out, 12);
    wire_u32(&out, 0); /* four flags */
    wire_u64(&out, 2);
    wire_u64(&out, 0);
    wire_u32(&out, 0);
    wire_u32(&out, 0);
    wire_u32(&out, 4);
    for (int i = 0; i < 4; i++) {
        wire_u8(&out, 0); /* no constant */
        wire_u64(&out, 0);
        wire_u64(&out, 0);
        wire_u8(&out, i < 3);
        if (i == 3)
            continue;
        wire_u8(&out, i == 1);
        wire_u8(&out, i == 0 ? BOUND_UNKNOWN : i == 1 ? BOUND_VARIABLE : BOUND_COMPUTED);
        if (i == 1)
            wire_u64(&out, 30);
        if (i == 2)
            put_location(&out, 0);
        wire_u8(&out, i == 2);
        if (i == 2) {
            wire_u8(&out, BOUND_CONSTANT);
            wire_u64(&out, UINT64_MAX);
        }
    }
    wire_u32(&out, 0);
    wire_u16(&out, 0);
    return out;
}

TEST(decode_type_of_an_array_has_what_says_its_length)
{
    struct wire_out out = sound_array();
    struct arena arena = {0};
    struct cursor c = cursor_init(out.bytes, out.len);
    struct type *type;

    assert_int_equal(decode_type(&c, &arena, &type), STATUS_OK);
    assert_int_equal(type->dimension_count, 4);
    assert_int_equal(type->dimensions[0].end->kind, BOUND_UNKNOWN);
    assert_false(type->dimensions[0].end_is_count);
    assert_int_equal(type->dimensions[1].end->variable, 30);
    assert_true(type->dimensions[1].end_is_count);
    assert_null(type->dimensions[1].low);
    assert_int_equal(type->dimensions[2].end->location.count, 1);
    assert_int_equal(type->dimensions[2].low->kind, BOUND_CONSTANT);
    assert_int_equal(type->dimensions[2].low->value, -1);
    assert_null(type->dimensions[3].end);
    for (size_t size = 0; size < out.len; size++) {
        uint8_t *copy = malloc(size + 1);

        assert_non_null(copy);
        memcpy(copy, out.bytes, size);
        c = cursor_init(copy, size);
        assert_int_equal(decode_type(&c, &arena, &type), STATUS_BAD_DATA);
        free(copy);
    }
    arena_deinit(&arena);
    free(out.bytes);
}
