/* SPDX-License-Identifier: MIT */
/* A page's numbers as bytes. */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "output/html/page_columns.h"

TEST(varints_have_seven_bits_a_byte_the_lowest_first)
{
    static const uint8_t expected[] = {0,    0x7f, 0x80, 0x01, 0xff, 0xff, 0xff,
                                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    struct page_columns columns = {.count = 0};
    struct page_column *column = page_columns_add(&columns, "some", COLUMN_VARINT);

    page_column_put(column, 0);
    page_column_put(column, 127);
    page_column_put(column, 128);
    page_column_put(column, UINT64_MAX);
    assert_int_equal(page_columns_status(&columns), STATUS_OK);
    assert_int_equal(column->count, 4);
    assert_int_equal(column->size, sizeof(expected));
    assert_memory_equal(column->bytes, expected, sizeof(expected));
    page_columns_deinit(&columns);
}

TEST(zigzags_are_small_near_zero)
{
    static const uint8_t expected[] = {0,    1,    2,    0x7f, 0xff, 0xff, 0xff,
                                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    struct page_columns columns = {.count = 0};
    struct page_column *column = page_columns_add(&columns, "some", COLUMN_ZIGZAG);

    page_column_put_signed(column, 0);
    page_column_put_signed(column, -1);
    page_column_put_signed(column, 1);
    page_column_put_signed(column, -64);
    page_column_put_signed(column, INT64_MIN);
    assert_int_equal(column->size, sizeof(expected));
    assert_memory_equal(column->bytes, expected, sizeof(expected));
    page_columns_deinit(&columns);
}

TEST(columns_follow_one_another)
{
    struct page_columns columns = {.count = 0};
    struct page_column *letters, *numbers, *text;
    json_t *described;
    char *dumped;

    letters = page_columns_add(&columns, "letters", COLUMN_U8);
    numbers = page_columns_add(&columns, "numbers", COLUMN_VARINT);
    text = page_columns_add(&columns, "text", COLUMN_TEXT);
    page_column_put(numbers, 1000);
    page_column_put(letters, 255);
    page_column_put(letters, 0);
    page_column_put_text(text, "h\xc3\xa9", 3);
    described = page_columns_describe(&columns);
    dumped = json_dumps(described, JSON_COMPACT);
    assert_string_equal(dumped, "{\"letters\":[0,2,2,\"u8\"],\"numbers\":[2,2,1,\"varint\"],"
                                "\"text\":[4,3,3,\"text\"]}");
    free(dumped);
    json_decref(described);
    page_columns_deinit(&columns);
}
