/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "abbrev_fixture.h"
#include "unit_test.h"
#include "symbol/dwarf/abbrev.h"

static const struct form_sizes sizes_5 = {.word = 8, .off = 4, .version = 5};

/* Two tables: 1 a base type, 2 a function, 3 a structure with children; and behind, 9 a label. */
static const uint8_t tables[] = {
    ABBREV(1, base_type, false, ATTR(byte_size, data1), ATTR(encoding, data1), ATTR(name, strp)),
    ABBREV(2, subprogram, true, ATTR(external, flag_present), ATTR(name, string),
           ATTR(decl_file, implicit_const), 1, ATTR(low_pc, addr), ATTR(high_pc, implicit_const),
           0x7e, ATTR(frame_base, exprloc), ATTR(sibling, ref4)),
    ABBREV(3, structure_type, true, ATTR(byte_size, udata), ATTR(sibling, ref4)),
    0,
    ABBREV(9, label, false, ATTR(name, string)),
    0,
};
#define SECOND (sizeof(tables) - 8)

static struct abbrev_table *table_of(const uint8_t *bytes, size_t size, uint64_t off,
                                     const struct form_sizes *sizes)
{
    struct abbrev_table *table;

    assert_int_equal(abbrev_table_create(cursor_init(bytes, size), off, sizes, NULL, &table),
                     STATUS_OK);
    return table;
}

/* How many bytes of a DIE are gone past; -1: damaged. */
static int skipped(const struct abbrev_table *table, uint64_t code, const void *die, size_t size)
{
    struct cursor c = cursor_init(die, size);

    return abbrev_skip(table, abbrev_find(table, code), &c) ? (int)c.pos : -1;
}

TEST(abbrev_attributes_are_gone_past)
{
    static const uint8_t die[64] = {4, 7, 1, 2, 3, 4};
    static const uint8_t function[] = {'f', 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0xaa, 0xbb, 1, 2, 3, 4};
    struct abbrev_table *table = table_of(tables, sizeof(tables), 0, &sizes_5);

    assert_int_equal(skipped(table, 1, die, sizeof(die)), 6);
    assert_int_equal(skipped(table, 1, die, 5), -1);
    assert_int_equal(skipped(table, 2, function, sizeof(function)), sizeof(function));
    for (size_t size = 0; size < sizeof(function); size++)
        assert_int_equal(skipped(table, 2, function, size), -1);
    assert_int_equal(abbrev_find(table, 1)->kind, DIE_PASSED);
    assert_int_equal(abbrev_find(table, 2)->kind, DIE_FUNCTION);
    assert_int_equal(abbrev_find(table, 3)->kind, DIE_RECORD);
    assert_false(abbrev_find(table, 1)->has_children);
    assert_true(abbrev_find(table, 3)->has_children);
    abbrev_table_destroy(table);
}

TEST(abbrev_attributes_with_a_slot_are_read)
{
    static const uint8_t function[] = {'f', 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0xaa, 0xbb, 1, 2, 3, 4};
    static const uint8_t record[] = {0x80, 0x01, 0x10, 0, 0, 0};
    struct abbrev_table *table = table_of(tables, sizeof(tables), 0, &sizes_5);
    struct cursor c = cursor_init(function, sizeof(function));
    struct die_values values;

    assert_true(abbrev_read(table, abbrev_find(table, 2), &c, &values));
    assert_int_equal(c.pos, sizeof(function));
    assert_int_equal(values.present,
                     1 << SLOT_NAME | 1 << SLOT_LOW_PC | 1 << SLOT_HIGH_PC | 1 << SLOT_SIBLING);
    assert_string_equal(values.value[SLOT_NAME].text, "f");
    assert_int_equal(values.value[SLOT_LOW_PC].class, FORM_ADDRESS);
    assert_int_equal(values.value[SLOT_LOW_PC].number, 0x0807060504030201);
    assert_int_equal(values.value[SLOT_HIGH_PC].class, FORM_CONSTANT);
    assert_int_equal(values.value[SLOT_HIGH_PC].number, (uint64_t)-2);
    assert_int_equal(values.value[SLOT_SIBLING].class, FORM_UNIT_REF);
    c = cursor_init(record, sizeof(record));
    assert_true(abbrev_read(table, abbrev_find(table, 3), &c, &values));
    assert_int_equal(values.present, 1 << SLOT_SIBLING);
    assert_int_equal(values.value[SLOT_SIBLING].number, 0x10);
    abbrev_table_destroy(table);
}

TEST(abbrev_sizes_are_those_of_the_unit)
{
    static const uint8_t list[] = {
        ABBREV(1, variable, false, ATTR(type, ref_addr), ATTR(location, addr), ATTR(name, strp)),
        0,
    };
    static const struct {
        struct form_sizes sizes;
        int size;
    } cases[] = {
        {{.word = 8, .off = 4, .version = 2}, 8 + 8 + 4},
        {{.word = 4, .off = 4, .version = 2}, 4 + 4 + 4},
        {{.word = 8, .off = 4, .version = 3}, 4 + 8 + 4},
        {{.word = 8, .off = 8, .version = 5}, 8 + 8 + 8},
        {{.word = 4, .off = 8, .version = 4}, 8 + 4 + 8},
    };
    static const uint8_t die[64];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct abbrev_table *table = table_of(list, sizeof(list), 0, &cases[i].sizes);

        assert_int_equal(skipped(table, 1, die, sizeof(die)), cases[i].size);
        abbrev_table_destroy(table);
    }
}

TEST(abbrev_codes_in_any_order_are_found)
{
    static const uint8_t list[] = {0x80, 0x01, DW_TAG_label, 0, 0, 0, 5, DW_TAG_label, 1, 0,
                                   0,    70,   DW_TAG_label, 0, 0, 0, 0};
    struct abbrev_table *table = table_of(list, sizeof(list), 0, &sizes_5);

    for (uint64_t code = 0; code < 200; code++)
        assert_int_equal(abbrev_find(table, code) != NULL, code == 5 || code == 70 || code == 128);
    assert_true(abbrev_find(table, 5)->has_children);
    assert_null(abbrev_find(table, UINT64_MAX));
    abbrev_table_destroy(table);
}

TEST(abbrev_table_begins_where_it_is_said_to)
{
    struct abbrev_table *table = table_of(tables, sizeof(tables), SECOND, &sizes_5);

    assert_non_null(abbrev_find(table, 9));
    assert_null(abbrev_find(table, 1));
    abbrev_table_destroy(table);
    table = table_of(tables, sizeof(tables), UINT64_MAX, &sizes_5);
    assert_null(abbrev_find(table, 9));
    abbrev_table_destroy(table);
}

TEST(abbrev_damage_ends_the_table_before_it)
{
    for (size_t size = 0; size < SECOND; size++) {
        struct abbrev_table *table = table_of(tables, size, 0, &sizes_5);

        assert_int_equal(abbrev_find(table, 1) != NULL, size >= 11);
        assert_int_equal(abbrev_find(table, 2) != NULL, size >= 32);
        assert_int_equal(abbrev_find(table, 3) != NULL, size >= 41);
        abbrev_table_destroy(table);
    }
}

TEST(abbrev_unknown_form_is_not_gone_past)
{
    static const uint8_t list[] = {1, DW_TAG_label, 0,    DW_AT_name, 0x7f, 0, 0, 2, DW_TAG_label,
                                   0, DW_AT_name,   0x81, 0x80,       0x04, 0, 0, 0};
    static const uint8_t die[64];
    struct abbrev_table *table = table_of(list, sizeof(list), 0, &sizes_5);

    assert_int_equal(skipped(table, 1, die, sizeof(die)), -1);
    assert_int_equal(skipped(table, 2, die, sizeof(die)), -1); /* 0x10001 is not 1 */
    abbrev_table_destroy(table);
}

/* Attributes without a byte in the DIE, by the thousand, must not cost each DIE its time. */
TEST(abbrev_repeated_attributes_count_once)
{
    enum { REPEATS = 5000 };
    uint8_t *list = malloc(3 + REPEATS * 5 + 3), *to = list;
    struct abbrev_table *table;
    struct die_values values;
    struct cursor c = cursor_init("", 0);

    assert_non_null(list);
    memcpy(to, (const uint8_t[]){1, DW_TAG_subprogram, 0}, 3);
    to += 3;
    for (int i = 0; i < REPEATS; i++) {
        memcpy(to,
               (const uint8_t[]){DW_AT_call_line, DW_FORM_implicit_const, i == 0 ? 7 : 8,
                                 DW_AT_name, DW_FORM_flag_present},
               5);
        to += 5;
    }
    memcpy(to, (const uint8_t[]){0, 0, 0}, 3);
    to += 3;
    table = table_of(list, (size_t)(to - list), 0, &sizes_5);
    assert_int_equal(abbrev_find(table, 1)->step_count, 1);
    assert_true(abbrev_read(table, abbrev_find(table, 1), &c, &values));
    assert_int_equal(values.value[SLOT_CALL_LINE].number, 7);
    assert_false(die_has(&values, SLOT_NAME));
    abbrev_table_destroy(table);
    free(list);
}
