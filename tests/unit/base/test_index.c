/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "base/index.h"

TEST(index_finds_all_ids_of_a_hash)
{
    struct index index = {0};
    struct index_probe probe = index_find(&index, 5);
    uint32_t seen = 0;
    uint32_t id;

    assert_false(index_next(&probe, &id));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(index_add(&index, i % 10, i), STATUS_OK);
    assert_int_equal(index.table.len, 1000);
    for (probe = index_find(&index, 7); index_next(&probe, &id); seen++)
        assert_int_equal(id % 10, 7);
    assert_int_equal(seen, 100);
    probe = index_find(&index, 11);
    assert_false(index_next(&probe, &id));
    assert_int_equal(index_add(&index, 1, UINT32_MAX), STATUS_NO_MEMORY);
    index_deinit(&index);
}

/* Their slots begin at the table's end and go on at its beginning, each time the table grows. */
TEST(index_gives_ids_of_a_hash_in_the_order_they_were_added)
{
    struct index index = {0};
    struct index_probe probe;
    uint32_t expected = 0, id;

    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(index_add(&index, UINT32_MAX - 1, i), STATUS_OK);
    for (probe = index_find(&index, UINT32_MAX - 1); index_next(&probe, &id);)
        assert_int_equal(id, expected++);
    assert_int_equal(expected, 1000);
    index_deinit(&index);
}

TEST(pool_same_text_is_one_string)
{
    struct pool pool = {0};
    char text[] = "abc";
    uint32_t id[4];

    assert_int_equal(pool_intern(&pool, text, &id[0]), STATUS_OK);
    assert_int_equal(pool_intern(&pool, "abd", &id[1]), STATUS_OK);
    text[2] = 'd';
    assert_int_equal(pool_intern(&pool, text, &id[2]), STATUS_OK);
    assert_int_equal(pool_intern(&pool, "", &id[3]), STATUS_OK);
    assert_int_equal(id[0], 0);
    assert_int_equal(id[1], 1);
    assert_int_equal(id[2], 1);
    assert_int_equal(id[3], 2);
    assert_string_equal(pool.texts[0], "abc");
    pool_deinit(&pool);
}
