/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>

#include "unit_test.h"
#include "base/hash.h"

struct item {
    struct hash_slot head;
    uint64_t payload[3];
};

static void add(struct hash_table *table, uint32_t hash, uint32_t mark)
{
    struct item item = {.head = {.hash = hash, .mark = mark}, .payload = {mark, hash, 5}};

    assert_int_equal(hash_reserve(table, sizeof(item)), STATUS_OK);
    *(struct item *)(void *)hash_free_slot(table, sizeof(item), hash) = item;
    table->len++;
}

static struct item *find(const struct hash_table *table, uint32_t hash, uint32_t mark)
{
    size_t pos = table->cap ? hash_pos(table, hash) : 0;

    for (; table->cap; pos = hash_pos(table, pos + 1)) {
        struct item *item = (struct item *)(void *)hash_slot_at(table, sizeof(*item), pos);

        if (item->head.mark == 0)
            return NULL;
        if (item->head.hash == hash && item->head.mark == mark)
            return item;
    }
    return NULL;
}

TEST(hash_table_grows_with_whole_slots)
{
    struct hash_table table = {0};

    for (uint32_t i = 1; i <= 1000; i++)
        add(&table, i * 7, i);
    assert_int_equal(table.len, 1000);
    for (uint32_t i = 1; i <= 1000; i++) {
        const struct item *item = find(&table, i * 7, i);

        assert_non_null(item);
        assert_int_equal(item->payload[0], i);
        assert_int_equal(item->payload[1], i * 7);
        assert_int_equal(item->payload[2], 5);
    }
    hash_deinit(&table);
}

/* Few hashes, some of which are the table's last positions, so that runs wrap around. */
TEST(hash_remove_leaves_all_others_to_be_found)
{
    enum { MARKS = 40 };

    for (uint32_t gone = 1; gone <= MARKS; gone++) {
        struct hash_table table = {0};

        for (uint32_t i = 1; i <= MARKS; i++)
            add(&table, UINT32_MAX - i % 5, i);
        for (uint32_t i = gone; i <= MARKS; i += 3)
            hash_remove(&table, sizeof(struct item), &find(&table, UINT32_MAX - i % 5, i)->head);
        for (uint32_t i = 1; i <= MARKS; i++) {
            bool removed = i >= gone && (i - gone) % 3 == 0;

            assert_int_equal(find(&table, UINT32_MAX - i % 5, i) == NULL, removed);
        }
        hash_deinit(&table);
    }
}

TEST(hash_clear_leaves_a_table_that_can_be_used_again)
{
    struct hash_table table = {0};

    hash_clear(&table, sizeof(struct item));
    add(&table, 1, 1);
    hash_clear(&table, sizeof(struct item));
    assert_int_equal(table.len, 0);
    assert_null(find(&table, 1, 1));
    add(&table, 1, 2);
    assert_non_null(find(&table, 1, 2));
    hash_deinit(&table);
}

TEST(hash_words_depends_on_order_and_every_bit)
{
    uint64_t hash = hash_words(1, 2);

    assert_true(hash != hash_words(2, 1));
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_true(hash != hash_words(1 ^ UINT64_C(1) << bit, 2));
        assert_true(hash != hash_words(1, 2 ^ UINT64_C(1) << bit));
    }
}

/* Identities of threads are printed: they are to be the same in the next version. */
TEST(hashes_are_those_of_earlier_versions)
{
    assert_true(hash_words(1, 2) == UINT64_C(0xc7eafba733477d2c));
    assert_true(hash_text("") == UINT64_C(0xcbf29ce44fd0bfc1));
    assert_true(hash_text("worker") == UINT64_C(0xa51a677dfe43660a));
}

TEST(hash_bytes_is_fnv_1a_and_can_be_continued)
{
    uint64_t hash = hash_bytes(HASH_BYTES, "foobar", 6);

    assert_true(hash == UINT64_C(0x85944171f73967e8)); /* of the authors' test vectors */
    assert_true(hash_bytes(hash_bytes(HASH_BYTES, "foo", 3), "bar", 3) == hash);
}
