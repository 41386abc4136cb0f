/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "snapshot/code_pages.h"

#define SIZE 300u

/* Every byte's value tells its place. */
static void add(struct code_pages *pages, uint64_t off, size_t size)
{
    uint8_t bytes[SIZE];

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)((off + i) * 7);
    assert_int_equal(code_pages_add(pages, off, bytes, size), STATUS_OK);
}

/* From `off` on there are exactly `size` bytes, and they are the right ones. */
static void expect(const struct code_pages *pages, uint64_t off, uint64_t size)
{
    uint64_t avail = 0;
    const uint8_t *bytes = code_pages_at(pages, off, &avail);

    assert_non_null(bytes);
    assert_int_equal(avail, size);
    for (uint64_t i = 0; i < size; i++)
        assert_int_equal(bytes[i], (uint8_t)((off + i) * 7));
}

static void expect_hole(const struct code_pages *pages, uint64_t off)
{
    uint64_t avail;

    assert_null(code_pages_at(pages, off, &avail));
}

TEST(code_pages_piece_ends_at_its_hole)
{
    struct code_pages pages = {0};

    expect_hole(&pages, 0);
    add(&pages, 100, 50);
    expect_hole(&pages, 99);
    expect(&pages, 100, 50);
    expect(&pages, 149, 1);
    expect_hole(&pages, 150);
    expect_hole(&pages, UINT64_MAX);
    code_pages_deinit(&pages);
}

TEST(code_pages_pieces_that_touch_become_one)
{
    struct code_pages pages = {0};

    add(&pages, 200, 50);
    add(&pages, 100, 50);
    expect(&pages, 120, 30);
    add(&pages, 150, 50);
    expect(&pages, 120, 130);
    assert_int_equal(pages.len, 1);
    assert_int_equal(pages.total, 150);
    code_pages_deinit(&pages);
}

TEST(code_pages_first_bytes_of_a_place_stay)
{
    const uint8_t other[SIZE] = {0};
    struct code_pages pages = {0};

    add(&pages, 100, 50);
    add(&pages, 200, 50);
    assert_int_equal(code_pages_add(&pages, 120, other, 20), STATUS_OK);
    expect(&pages, 100, 50);
    add(&pages, 90, 200);
    expect(&pages, 90, 200);
    assert_int_equal(pages.len, 1);
    code_pages_deinit(&pages);
}

TEST(code_pages_any_order_gives_the_same)
{
    srand(7);
    for (unsigned round = 0; round < 200; round++) {
        struct code_pages pages = {0};
        uint8_t present[2 * SIZE] = {0};

        for (unsigned i = 0; i < 12; i++) {
            uint64_t off = (uint64_t)(rand() % (int)SIZE);
            size_t size = (size_t)(rand() % 60);
            add(&pages, off, size);
            memset(present + off, 1, size);
        }
        for (uint64_t off = 0; off < 2 * SIZE; off++) {
            uint64_t run = 0;
            while (off + run < 2 * SIZE && present[off + run])
                run++;
            if (run)
                expect(&pages, off, run);
            else
                expect_hole(&pages, off);
        }
        code_pages_deinit(&pages);
    }
}

TEST(code_pages_too_much_is_refused)
{
    struct code_pages pages = {.total = CODE_PAGES_MAX - 1};
    const uint8_t bytes[2] = {0};

    assert_int_equal(code_pages_add(&pages, 0, bytes, 2), STATUS_NO_MEMORY);
    assert_int_equal(code_pages_add(&pages, UINT64_MAX, bytes, 2), STATUS_NO_MEMORY);
    expect_hole(&pages, 0);
    code_pages_deinit(&pages);
}

TEST(code_pages_replaced_bytes_are_the_new_ones)
{
    static const uint8_t other[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct code_pages pages = {0};
    bool changed = false;
    uint64_t avail;
    uint8_t same[8];

    add(&pages, 100, 4);
    add(&pages, 106, 4);
    assert_int_equal(code_pages_replace(&pages, 102, other, 8, &changed), STATUS_OK);
    assert_true(changed);
    assert_int_equal(pages.len, 1);
    assert_int_equal(pages.total, 10);
    assert_memory_equal(code_pages_at(&pages, 102, &avail), other, 8);
    memcpy(same, other, 8);
    changed = false;
    assert_int_equal(code_pages_replace(&pages, 102, same, 8, &changed), STATUS_OK);
    assert_false(changed);
    assert_int_equal(code_pages_replace(&pages, 200, other, 8, &changed), STATUS_OK);
    assert_false(changed); /* nothing was there */
    assert_int_equal(code_pages_replace(&pages, UINT64_MAX, other, 2, &changed), STATUS_NO_MEMORY);
    code_pages_deinit(&pages);
}
