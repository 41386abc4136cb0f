/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "unwind/row/row_table.h"

/* A row with a rule of every kind that a table has to keep, different for each `number`. */
static void make_row(struct row *row, unsigned number)
{
    row_init(row, 0x1000 + 16 * number, 0x1010 + 16 * number, TRUST_PROLOGUE);
    row->cfa = (struct rule){.kind = CFA_DEREF, .reg = 6, .off = -8 * (int32_t)number};
    row->cfa_add = 16 + (int32_t)number;
    row->ra = (struct rule){.kind = RULE_AT_CFA, .off = -8};
    row->regs[0] = (struct rule){.kind = RULE_SAME};
    row->regs[1] = (struct rule){.kind = RULE_UNDEFINED};
    row->regs[2] = (struct rule){.kind = RULE_IN_REG, .reg = 9};
    row->regs[3] = (struct rule){.kind = RULE_AT_REG, .reg = 6, .off = INT32_MIN};
    row->regs[4] = (struct rule){.kind = RULE_IS_CFA, .off = INT32_MAX};
    row->regs[ARCH_REG_MAX - 1] = (struct rule){.kind = RULE_SAME};
    row->regs[ARCH_REG_MAX - 2] = (struct rule){.kind = RULE_AT_CFA, .off = (int32_t)number};
    row->signal_frame = number % 2;
    row->call_site_only = number % 3 == 0;
    row->ra_signed = number % 5 == 0;
}

static void assert_row(const struct row *row, unsigned number)
{
    struct row expected;

    make_row(&expected, number);
    assert_non_null(row);
    assert_true(row_same_rules(row, &expected));
    assert_int_equal(row->start_vaddr, expected.start_vaddr);
    assert_int_equal(row->end_vaddr, expected.end_vaddr);
    assert_int_equal(row->source, TRUST_PROLOGUE);
    assert_null(row->exprs);
}

static void fill(struct row_table *table, unsigned count)
{
    struct row row;

    *table = (struct row_table){0};
    for (unsigned i = 0; i < count; i++) {
        make_row(&row, i);
        assert_int_equal(row_table_add(table, &row), STATUS_OK);
    }
    assert_int_equal(table->count, count);
}

TEST(row_table_gives_back_what_was_put_in)
{
    struct row_table table;
    struct row row;

    fill(&table, 100);
    for (unsigned i = 0; i < 100; i++) {
        memset(&row, 0xa5, sizeof(row));
        row_table_get(&table, i, &row);
        assert_row(&row, i);
    }
    row_table_deinit(&table);
}

TEST(row_table_trimmed_still_has_its_rows)
{
    struct row_table table;
    struct row row;

    fill(&table, 3);
    row_table_trim(&table);
    assert_int_equal(table.cap, 3);
    assert_row(row_table_find(&table, 0x102f, &row), 2);
    make_row(&row, 3);
    assert_int_equal(row_table_add(&table, &row), STATUS_OK); /* grows again */
    assert_row(row_table_find(&table, 0x1030, &row), 3);
    row_table_deinit(&table);
}

TEST(row_table_finds_by_address_and_nothing_between)
{
    struct row_table table;
    struct row row;

    fill(&table, 2);
    make_row(&row, 8); /* a gap before it */
    assert_int_equal(row_table_add(&table, &row), STATUS_OK);
    assert_null(row_table_find(&table, 0xfff, &row));
    assert_row(row_table_find(&table, 0x1000, &row), 0);
    assert_row(row_table_find(&table, 0x100f, &row), 0);
    assert_row(row_table_find(&table, 0x1010, &row), 1);
    assert_null(row_table_find(&table, 0x1020, &row));
    assert_null(row_table_find(&table, 0x107f, &row));
    assert_row(row_table_find(&table, 0x108f, &row), 8);
    assert_null(row_table_find(&table, 0x1090, &row));
    assert_null(row_table_find(&table, UINT64_MAX, &row));
    row_table_deinit(&table);
}

TEST(row_table_empty_has_nothing)
{
    struct row_table table = {0};
    struct row row;

    row_table_trim(&table);
    assert_null(row_table_find(&table, 0, &row));
    row_table_deinit(&table);
}
