/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>

#include "unit_test.h"
#include "base/map.h"

TEST(map_empty_has_nothing)
{
    struct map map;

    map_init(&map);
    assert_null(map_get(&map, 0));
    map_remove(&map, 0);
    map_clear(&map);
    assert_int_equal(map_len(&map), 0);
    map_deinit(&map);
}

TEST(map_put_keeps_the_first_value)
{
    struct map map;

    map_init(&map);
    assert_int_equal(*map_put(&map, 5, 50), 50);
    assert_int_equal(*map_put(&map, 5, 51), 50);
    *map_put(&map, 5, 0) = 52;
    assert_int_equal(*map_get(&map, 5), 52);
    assert_int_equal(map_len(&map), 1);
    map_deinit(&map);
}

TEST(map_takes_every_key)
{
    static const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    struct map map;

    map_init(&map);
    for (size_t i = 0; i < 5; i++)
        assert_non_null(map_put(&map, keys[i], i));
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(*map_get(&map, keys[i]), i);
    map_deinit(&map);
}

/* Beside an array that is right by construction; the small key range makes probe sequences collide.
 */
TEST(map_random_operations_agree_with_an_array)
{
    enum { KEYS = 300 };
    uint64_t model[KEYS];
    bool present[KEYS] = {false};
    size_t len = 0;
    struct map map;

    map_init(&map);
    srand(1);
    for (int step = 0; step < 100000; step++) {
        uint64_t key = (uint64_t)(rand() % KEYS);

        if (rand() % 2) {
            uint64_t value = (uint64_t)rand();

            *map_put(&map, key, 0) = value;
            model[key] = value;
            len += !present[key];
            present[key] = true;
        } else {
            map_remove(&map, key);
            len -= present[key];
            present[key] = false;
        }
        assert_int_equal(map_len(&map), len);
        if (step % 1000 != 0)
            continue;
        for (uint64_t k = 0; k < KEYS; k++) {
            uint64_t *value = map_get(&map, k);

            assert_int_equal(value != NULL, present[k]);
            if (value)
                assert_true(*value == model[k]);
        }
    }
    map_deinit(&map);
}

TEST(map_clear_forgets_all_and_can_be_used_again)
{
    struct map map;

    map_init(&map);
    for (uint64_t key = 0; key < 1000; key++)
        assert_non_null(map_put(&map, key, key));
    map_clear(&map);
    assert_int_equal(map_len(&map), 0);
    for (uint64_t key = 0; key < 1000; key++)
        assert_null(map_get(&map, key));
    assert_int_equal(*map_put(&map, 7, 8), 8);
    map_deinit(&map);
}

TEST(map_next_gives_every_entry_once)
{
    uint64_t sum = 0, key, value;
    size_t at = 0, count = 0;
    struct map map;

    map_init(&map);
    assert_false(map_next(&map, &at, &key, &value));
    for (uint64_t i = 0; i < 100; i++)
        assert_non_null(map_put(&map, i * i, i));
    for (at = 0; map_next(&map, &at, &key, &value); count++) {
        assert_int_equal(key, value * value);
        sum += value;
    }
    assert_int_equal(count, 100);
    assert_int_equal(sum, 4950);
    map_deinit(&map);
}

/* Pairs come in the order of their keys, whatever their places in the table. */
TEST(map_list_is_in_the_order_of_keys)
{
    struct map_pair pairs[100];
    struct map map;

    map_init(&map);
    map_list(&map, pairs);
    for (uint64_t i = 0; i < 100; i++)
        assert_non_null(map_put(&map, (99 - i) << 56, i));
    map_list(&map, pairs);
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(pairs[i].key == i << 56);
        assert_int_equal(pairs[i].value, 99 - i);
    }
    map_deinit(&map);
}

/* Undoes x ^= x >> 33; x *= the inverse of `inverse`. */
static uint64_t undo_step(uint64_t x, uint64_t inverse)
{
    return (x ^ x >> 33) * inverse;
}

/* hash_mix leads these keys to numbers whose low 32 bits are all 7. */
TEST(map_keys_that_a_fixed_hash_puts_together_are_apart)
{
    enum { KEYS = 10000, SLOT = 24 };
    size_t run = 0, longest = 0;
    struct map map;

    map_init(&map);
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = undo_step(i << 32 | 7, UINT64_C(0x9cb4b2f8129337db));

        key = undo_step(key, UINT64_C(0x4f74430c22a54005));
        key ^= key >> 33;
        assert_true(hash_mix(key) == (i << 32 | 7));
        assert_non_null(map_put(&map, key, i));
    }
    for (size_t i = 0; i < map.table.cap; i++) {
        run = hash_slot_at(&map.table, SLOT, i)->mark ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    assert_in_range(longest, 1, 500); /* at most 2/3 are in use: some 50 is usual */
    map_deinit(&map);
}
