#include "dwarf_fixture.h"

#include "symbol/abbrev.h"

static struct abbrev_copy copy_of(const void *bytes, size_t size)
{
    struct abbrev_copy copy;

    assert_int_equal(abbrev_copy_init(&copy, bytes, size), STATUS_OK);
    return copy;
}

/*
 * Two tables: the second one's attributes are sibling, sibling in three bytes, implicit_const -2.
 */
static const uint8_t two_tables[] = {1,
                                     DW_TAG_compile_unit,
                                     1,
                                     DW_AT_name,
                                     DW_FORM_string,
                                     0,
                                     0,
                                     0, /* 8 bytes */
                                     1,
                                     DW_TAG_subprogram,
                                     1,
                                     DW_AT_sibling,
                                     DW_FORM_ref4,
                                     0x81,
                                     0x80,
                                     0x00,
                                     DW_FORM_ref4,
                                     DW_AT_decl_line,
                                     DW_FORM_implicit_const,
                                     0x7e,
                                     0,
                                     0,
                                     0};

static void abbrev_siblings_lose_their_meaning(void **state)
{
    struct abbrev_copy copy = copy_of(two_tables, sizeof(two_tables));
    uint8_t want[sizeof(two_tables)];

    (void)state;
    memcpy(want, two_tables, sizeof(want));
    want[11] = 0x04;
    want[13] = 0x84;
    assert_int_equal(copy.size, sizeof(want));
    assert_memory_equal(copy.bytes, want, sizeof(want));
    abbrev_copy_deinit(&copy);
}

static void abbrev_tables_begin_where_they_begin(void **state)
{
    struct abbrev_copy copy = copy_of(two_tables, sizeof(two_tables));

    (void)state;
    for (uint64_t off = 0; off < 40; off++)
        assert_int_equal(abbrev_copy_has_table(&copy, off), off == 0 || off == 8);
    assert_false(abbrev_copy_has_table(&copy, UINT64_MAX));
    abbrev_copy_deinit(&copy);
}

static void abbrev_damage_ends_the_copy_before_its_table(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof(two_tables); size++) {
        struct abbrev_copy copy = copy_of(two_tables, size);

        assert_int_equal(copy.size, size < 8 ? 0 : 8);
        assert_int_equal(abbrev_copy_has_table(&copy, 0), size >= 8);
        assert_false(abbrev_copy_has_table(&copy, 8));
        abbrev_copy_deinit(&copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abbrev_siblings_lose_their_meaning),
        cmocka_unit_test(abbrev_tables_begin_where_they_begin),
        cmocka_unit_test(abbrev_damage_ends_the_copy_before_its_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
