/* SPDX-License-Identifier: MIT */
#include "unit_test.h"
#include <zlib.h>

#include "base/crc32.h"

TEST(crc32_check_value_is_the_known_one)
{
    assert_int_equal(crc32_update(0, "123456789", 9), 0xcbf43926); /* the catalogue's check value */
    assert_int_equal(crc32_update(0, "", 0), 0);
}

TEST(crc32_any_bytes_agree_with_zlib)
{
    uint8_t bytes[1000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i + 7 * i + 3);
    for (size_t size = 0; size <= sizeof(bytes); size++)
        assert_int_equal(crc32_update(0, bytes, size), crc32(0, bytes, (uInt)size));
}

TEST(crc32_parts_give_the_whole)
{
    static const uint8_t bytes[] = "the quick brown fox";

    for (size_t cut = 0; cut <= sizeof(bytes); cut++)
        assert_int_equal(crc32_update(crc32_update(0, bytes, cut), bytes + cut,
                                      sizeof(bytes) - cut),
                         crc32_update(0, bytes, sizeof(bytes)));
}
