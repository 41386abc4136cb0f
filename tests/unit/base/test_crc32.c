/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/crc32.h"

static void crc32_check_value_is_the_known_one(void **state)
{
    (void)state;
    assert_int_equal(crc32_update(0, "123456789", 9), 0xcbf43926); /* the catalogue's check value */
    assert_int_equal(crc32_update(0, "", 0), 0);
}

static void crc32_any_bytes_agree_with_zlib(void **state)
{
    uint8_t bytes[1000];

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i + 7 * i + 3);
    for (size_t size = 0; size <= sizeof(bytes); size++)
        assert_int_equal(crc32_update(0, bytes, size), crc32(0, bytes, (uInt)size));
}

static void crc32_parts_give_the_whole(void **state)
{
    static const uint8_t bytes[] = "the quick brown fox";

    (void)state;
    for (size_t cut = 0; cut <= sizeof(bytes); cut++)
        assert_int_equal(crc32_update(crc32_update(0, bytes, cut), bytes + cut,
                                      sizeof(bytes) - cut),
                         crc32_update(0, bytes, sizeof(bytes)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32_check_value_is_the_known_one),
        cmocka_unit_test(crc32_any_bytes_agree_with_zlib),
        cmocka_unit_test(crc32_parts_give_the_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
