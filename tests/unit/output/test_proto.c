/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "output/proto.h"

static void assert_bytes(struct proto *proto, const char *want, size_t size)
{
    assert_false(proto->failed);
    assert_int_equal(proto->len, size);
    assert_memory_equal(proto->bytes, want, size);
    proto_deinit(proto);
}

/* The examples of the encoding's own description: 150 is 96 01, "testing" has its length before. */
TEST(proto_encodes_the_examples_of_its_description)
{
    struct proto number = {0};
    struct proto text = {0};
    struct proto outer = {0};
    const uint64_t packed[] = {3, 270, 86942};

    proto_number(&number, 1, 150);
    proto_message(&outer, 3, &number);
    assert_bytes(&number, "\x08\x96\x01", 3);
    assert_bytes(&outer, "\x1a\x03\x08\x96\x01", 5);
    proto_bytes(&text, 2, "testing", 7);
    assert_bytes(&text, "\x12\x07testing", 9);
    proto_packed(&outer, 6, packed, 3);
    assert_bytes(&outer, "\x32\x06\x03\x8e\x02\x9e\xa7\x05", 8);
}

TEST(proto_leaves_out_zero_but_not_in_packed_fields)
{
    struct proto proto = {0};
    const uint64_t packed[] = {0};

    proto_number(&proto, 1, 0);
    assert_int_equal(proto.len, 0);
    proto_packed(&proto, 2, packed, 1);
    assert_bytes(&proto, "\x12\x01\x00", 3);
}

TEST(proto_largest_number_takes_ten_bytes)
{
    struct proto proto = {0};

    proto_number(&proto, 16, UINT64_MAX);
    assert_bytes(&proto, "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
}
