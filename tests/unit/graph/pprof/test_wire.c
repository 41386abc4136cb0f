/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "graph/pprof/wire.h"

static struct cursor bytes_of(const char *text, size_t size)
{
    return cursor_init(text, size);
}

/* The examples of the encoding's own description, as in test_proto.c. */
TEST(wire_reads_the_examples_of_its_description)
{
    struct cursor message = bytes_of("\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01", 17);
    struct wire_field field;

    assert_int_equal(wire_next(&message, &field), STATUS_OK);
    assert_int_equal(field.number, 1);
    assert_false(field.is_bytes);
    assert_int_equal(field.value, 150);
    assert_int_equal(wire_next(&message, &field), STATUS_OK);
    assert_int_equal(field.number, 2);
    assert_int_equal(field.bytes.size, 7);
    assert_memory_equal(field.bytes.data, "testing", 7);
    assert_int_equal(wire_next(&message, &field), STATUS_OK);
    assert_int_equal(field.bytes.size, 3);
    assert_int_equal(wire_next(&message, &field), STATUS_END);
}

TEST(wire_skips_fields_of_fixed_size)
{
    struct cursor message = bytes_of("\x09"
                                     "12345678"
                                     "\x0d"
                                     "1234"
                                     "\x10\x05",
                                     16);
    struct wire_field field;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(wire_next(&message, &field), STATUS_OK);
        assert_int_equal(field.number, 0);
    }
    assert_int_equal(wire_next(&message, &field), STATUS_OK);
    assert_int_equal(field.number, 2);
    assert_int_equal(field.value, 5);
}

TEST(wire_of_what_does_not_fit_is_bad_data_where_it_begins)
{
    static const struct {
        const char *text;
        size_t size;
    } bad[] = {
        {"\x08", 1},                                          /* no value */
        {"\x08\x96", 2},                                      /* it goes on */
        {"\x12\x07test", 6},                                  /* less than its length */
        {"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, /* a length of 2^64 - 1 */
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11}, /* more than 64 bits */
        {"\x09"
         "1234567",
         8},
        {"\x0d"
         "123",
         4},
        {"\x0b\x0c", 2}, /* a group */
        {"\x0f\x01", 2}, /* no type */
        {"\x00\x01", 2}, /* field 0 */
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct cursor message = bytes_of(bad[i].text, bad[i].size);
        struct wire_field field;

        assert_int_equal(wire_next(&message, &field), STATUS_BAD_DATA);
        assert_int_equal(message.pos, 0);
    }
}

TEST(wire_numbers_are_packed_or_not)
{
    struct cursor message = bytes_of("\x32\x06\x03\x8e\x02\x9e\xa7\x05\x30\x09\x32\x01\x80", 13);
    struct wire_numbers numbers = {0};
    struct wire_field field;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(wire_next(&message, &field), STATUS_OK);
        assert_int_equal(wire_append(&numbers, &field), STATUS_OK);
    }
    assert_int_equal(numbers.count, 4);
    assert_int_equal(numbers.list[1], 270);
    assert_int_equal(numbers.list[2], 86942);
    assert_int_equal(numbers.list[3], 9);
    assert_int_equal(wire_next(&message, &field), STATUS_OK);
    assert_int_equal(wire_append(&numbers, &field), STATUS_BAD_DATA);
    free(numbers.list);
}
