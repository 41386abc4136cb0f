/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <dwarf.h>

#include "symbol/dwarf/range_list.h"

/* Address number i is 0x1000 * (i + 1); there are four. */
static bool addr_at(void *context, uint64_t index, uint64_t *vaddr)
{
    (void)context;
    *vaddr = 0x1000 * (index + 1);
    return index < 4;
}

#define LIST(version_, word_size_, base_, ...)                                                     \
    (struct range_list)                                                                            \
    {                                                                                              \
        .entries =                                                                                 \
            cursor_init((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})),   \
        .version = (version_), .word_size = (word_size_), .base = (base_), .addr_at = addr_at      \
    }

static void expect(struct range_list *list, uint64_t start, uint64_t end)
{
    uint64_t got_start, got_end;

    assert_true(range_list_next(list, &got_start, &got_end));
    assert_int_equal(got_start, start);
    assert_int_equal(got_end, end);
}

static void expect_end(struct range_list *list)
{
    uint64_t start, end;

    assert_false(range_list_next(list, &start, &end));
}

TEST(range_list_pairs_count_from_the_units_low_pc_until_one_sets_the_base)
{
    struct range_list list = LIST(4, 4, 0x400, 1, 0, 0, 0, 2, 0, 0, 0,   /**/
                                  0xff, 0xff, 0xff, 0xff, 0, 0x20, 0, 0, /**/
                                  4, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    expect(&list, 0x401, 0x402);
    expect(&list, 0, 0);
    expect(&list, 0x2004, 0x2008);
    expect_end(&list);
}

TEST(range_list_has_an_entry_of_each_kind)
{
    struct range_list list =
        LIST(5, 4, 0x400, DW_RLE_offset_pair, 1, 2,                   /**/
             DW_RLE_base_addressx, 1, DW_RLE_offset_pair, 1, 0x82, 1, /**/
             DW_RLE_base_address, 0, 0, 1, 0, DW_RLE_offset_pair, 3, 4, DW_RLE_startx_endx, 2, 3,
             DW_RLE_startx_length, 0, 0x10, DW_RLE_start_end, 5, 0, 0, 0, 6, 0, 0, 0,
             DW_RLE_start_length, 7, 0, 0, 0, 1, DW_RLE_end_of_list, DW_RLE_start_length);

    expect(&list, 0x401, 0x402);
    expect(&list, 0, 0);
    expect(&list, 0x2001, 0x2082);
    expect(&list, 0, 0);
    expect(&list, 0x10003, 0x10004);
    expect(&list, 0x3000, 0x4000);
    expect(&list, 0x1000, 0x1010);
    expect(&list, 5, 6);
    expect(&list, 7, 8);
    expect_end(&list);
}

TEST(range_list_ends_at_damage)
{
    struct range_list cut = LIST(5, 8, 0, DW_RLE_start_end, 1, 0, 0, 0, 0, 0, 0, 0, 2);
    struct range_list unknown = LIST(5, 8, 0, 0x2a, 1, 2);
    struct range_list no_address = LIST(5, 8, 0, DW_RLE_startx_length, 4, 1);
    struct range_list half_a_pair = LIST(3, 4, 0, 1, 0, 0, 0, 2, 0);

    expect_end(&cut);
    expect_end(&unknown);
    expect_end(&no_address);
    expect_end(&half_a_pair);
}

TEST(range_list_by_index_counts_from_the_table_and_stays_in_the_section)
{
    const uint8_t section[] = {9, 9, 9, 9, 8, 0, 0, 0, 0x20, 0, 0, 0};
    struct cursor table = cursor_init(section, sizeof(section));
    uint64_t off;

    assert_true(cursor_skip(&table, 4));
    assert_true(range_list_by_index(table, 0, 4, &off));
    assert_int_equal(off, 4 + 8);
    assert_true(range_list_by_index(table, 1, 4, &off));
    assert_int_equal(off, 4 + 0x20);
    assert_false(range_list_by_index(table, 2, 4, &off));
    assert_false(range_list_by_index(table, UINT64_MAX / 2, 4, &off));
}
