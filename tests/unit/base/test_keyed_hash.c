/* SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "unit_test.h"
#include "base/keyed_hash.h"

TEST(keyed_product_has_all_128_bits)
{
    uint64_t high;

    assert_true(keyed_product(UINT64_MAX, UINT64_MAX, &high) == 1);
    assert_true(high == UINT64_MAX - 1);
    assert_true(keyed_product(UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210), &high) ==
                UINT64_C(0x2236d88fe5618cf0));
    assert_true(high == UINT64_C(0x0121fa00ad77d742));
}

TEST(keyed_words_depends_on_order_every_bit_and_the_secret)
{
    const uint64_t hash = keyed_words(1, 2);

    assert_true(hash != keyed_words(2, 1));
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_true(hash != keyed_words(1 ^ UINT64_C(1) << bit, 2));
        assert_true(hash != keyed_words(1, 2 ^ UINT64_C(1) << bit));
    }
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t was = keyed_secret[i];

        assert_true(was != 0);
        keyed_secret[i] = was ^ 1;
        assert_true(hash != keyed_words(1, 2));
        keyed_secret[i] = was;
    }
    assert_true(hash == keyed_words(1, 2));
}

TEST(keyed_bytes_depends_on_the_size_and_every_byte)
{
    char bytes[40] = {0};

    for (size_t size = 0; size < sizeof(bytes); size++) {
        const uint64_t hash = keyed_bytes(5, bytes, size);

        assert_true(hash != keyed_bytes(4, bytes, size));
        assert_true(hash != keyed_bytes(5, bytes, size + 1));
        for (size_t i = 0; i < size; i++) {
            bytes[i] = 1;
            assert_true(hash != keyed_bytes(5, bytes, size));
            bytes[i] = 0;
        }
    }
    assert_true(keyed_text("worker") == keyed_bytes(0, "worker", 6));
}
