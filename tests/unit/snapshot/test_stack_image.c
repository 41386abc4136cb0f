/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "snapshot/stack_image.h"

/* A region list as SAMPLE has it, put together by hand. */
struct list {
    uint8_t bytes[4096];
    size_t size;
};

static void put(struct list *list, uint64_t value, unsigned size)
{
    assert_true(list->size + size <= sizeof(list->bytes));
    for (unsigned i = 0; i < size; i++)
        list->bytes[list->size++] = (uint8_t)(value >> (8 * i));
}

static void put_count(struct list *list, uint8_t count)
{
    list->size = 0;
    put(list, count, 1);
}

static void put_region(struct list *list, uint64_t start, uint64_t end, uint32_t runs)
{
    put(list, start, 8);
    put(list, end, 8);
    put(list, end, 8);
    put(list, runs, 4);
}

static void put_run(struct list *list, uint32_t off, const char *text)
{
    put(list, off, 4);
    put(list, strlen(text), 4);
    for (; *text; text++)
        put(list, (uint8_t)*text, 1);
}

static enum status restore(struct stack_image *next, const struct stack_image *last,
                           const struct list *list)
{
    struct cursor c = cursor_init(list->bytes, list->size);
    const char *what = NULL;
    enum status status = stack_image_restore(next, last, &c, &what);

    if (status == STATUS_OK)
        assert_int_equal(cursor_left(&c), 0);
    else
        assert_non_null(what);
    return status;
}

static void assert_region(const struct stack_image *image, unsigned i, uint64_t start,
                          const char *text)
{
    const struct snap_region *region = &image->regions[i];

    assert_true(i < image->region_count);
    assert_int_equal(region->start_addr, start);
    assert_int_equal(region->end_addr - start, strlen(text));
    assert_memory_equal(region->bytes, text, strlen(text));
}

TEST(stack_image_region_may_take_bytes_of_two_old_ones)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    /* Two regions that touch, in descending order; then one over both with one new byte. */
    put_count(&list, 2);
    put_region(&list, 0x1004, 0x1008, 1);
    put_run(&list, 0, "efgh");
    put_region(&list, 0x1000, 0x1004, 1);
    put_run(&list, 0, "abcd");
    assert_int_equal(restore(&last, &next, &list), STATUS_OK);
    assert_region(&last, 0, 0x1004, "efgh");
    assert_region(&last, 1, 0x1000, "abcd");
    put_count(&list, 1);
    put_region(&list, 0x1001, 0x1009, 1);
    put_run(&list, 7, "i");
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, 0x1001, "bcdefghi");
    stack_image_deinit(&last);
    stack_image_deinit(&next);
}

TEST(stack_image_gap_between_old_regions_is_missing)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    put_count(&list, 2);
    put_region(&list, 0x1000, 0x1004, 1);
    put_run(&list, 0, "abcd");
    put_region(&list, 0x1005, 0x1008, 1);
    put_run(&list, 0, "fgh");
    assert_int_equal(restore(&last, &next, &list), STATUS_OK);
    put_count(&list, 1);
    put_region(&list, 0x1000, 0x1008, 0);
    assert_int_equal(restore(&next, &last, &list), STATUS_BAD_DATA);
    put_count(&list, 1);
    put_region(&list, 0x1000, 0x1008, 1);
    put_run(&list, 4, "e");
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, 0x1000, "abcdefgh");
    stack_image_deinit(&last);
    stack_image_deinit(&next);
}

TEST(stack_image_runs_may_touch_and_be_empty)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    put_count(&list, 1);
    put_region(&list, 0x1000, 0x1004, 4);
    put_run(&list, 0, "ab");
    put_run(&list, 2, "");
    put_run(&list, 2, "cd");
    put_run(&list, 4, "");
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, 0x1000, "abcd");
    stack_image_deinit(&next);
}

TEST(stack_image_empty_region_is_a_region)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    put_count(&list, 1);
    put_region(&list, 0x1000, 0x1000, 0);
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, 0x1000, "");
    assert_non_null(next.regions[0].bytes);
    stack_image_deinit(&next);
}

TEST(stack_image_region_at_the_end_of_the_address_space)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    put_count(&list, 1);
    put_region(&list, UINT64_MAX - 4, UINT64_MAX, 1);
    put_run(&list, 0, "abcd");
    assert_int_equal(restore(&last, &next, &list), STATUS_OK);
    put_count(&list, 1);
    put_region(&list, UINT64_MAX - 3, UINT64_MAX, 0);
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, UINT64_MAX - 3, "bcd");
    stack_image_deinit(&last);
    stack_image_deinit(&next);
}

/*
 * Two images in turn, as the reader uses them: a large stack's memory is used again, and given back
 * after.
 */
TEST(stack_image_memory_is_reused_and_given_back)
{
    enum { SIZE = 1 << 20 };
    struct stack_image a = {0}, b = {0};
    uint8_t *bytes = malloc(SIZE + 64);
    struct cursor c;
    const char *what;
    struct list list;

    assert_non_null(bytes);
    put_count(&list, 1);
    put_region(&list, 0x100000, 0x100000 + SIZE, 1);
    put(&list, 0, 4);
    put(&list, SIZE, 4);
    memcpy(bytes, list.bytes, list.size);
    memset(bytes + list.size, 'x', SIZE);
    c = cursor_init(bytes, list.size + SIZE);
    assert_int_equal(stack_image_restore(&a, &b, &c, &what), STATUS_OK);
    assert_true(a.cap >= SIZE);
    put_count(&list, 1);
    put_region(&list, 0x100000 + SIZE - 4, 0x100000 + SIZE, 0);
    assert_int_equal(restore(&b, &a, &list), STATUS_OK);
    assert_region(&b, 0, 0x100000 + SIZE - 4, "xxxx");
    assert_int_equal(restore(&a, &b, &list), STATUS_OK);
    assert_region(&a, 0, 0x100000 + SIZE - 4, "xxxx");
    assert_true(a.cap < 4096);
    stack_image_deinit(&a);
    stack_image_deinit(&b);
    free(bytes);
}

TEST(stack_image_list_cut_anywhere_is_refused)
{
    struct stack_image last = {0};
    struct list list;

    put_count(&list, 2);
    put_region(&list, 0x1000, 0x1004, 1);
    put_run(&list, 0, "abcd");
    put_region(&list, 0x2000, 0x2003, 1);
    put_run(&list, 0, "xyz");
    for (size_t size = 0; size < list.size; size++) {
        struct stack_image next = {0};
        struct cursor c = cursor_init(list.bytes, size);
        const char *what = NULL;

        assert_int_equal(stack_image_restore(&next, &last, &c, &what), STATUS_BAD_DATA);
        assert_non_null(what);
        stack_image_deinit(&next);
    }
}

/* A record for [start, 0x2000) of random runs; some refer to bytes that nobody has. */
static void put_random(struct list *list, uint64_t start)
{
    uint32_t off = 0, runs = (uint32_t)rand() % 4;

    put_count(list, 1);
    put_region(list, start, 0x2000, runs);
    for (uint32_t i = 0; i < runs; i++) {
        char text[8] = "";
        uint32_t left = (uint32_t)(0x2000 - start) - off;
        uint32_t gap = left ? (uint32_t)rand() % (left / 2 + 1) : 0;
        uint32_t len = (uint32_t)rand() % 8;

        if (len > left - gap)
            len = left - gap;
        for (uint32_t k = 0; k < len; k++)
            text[k] = (char)('a' + rand() % 26);
        put_run(list, off + gap, text);
        off += gap + len;
    }
}

/* In place comes to the same as by a copy, for each record; and what is said not to change does
 * not. */
TEST(stack_image_updated_in_place_is_the_restored_one)
{
    struct stack_image image = {0}, copy = {0}, spare = {0};
    unsigned refused = 0, updated = 0;
    struct list list;

    srand(7);
    for (unsigned round = 0; round < 3000; round++) {
        struct stack_image old = copy;
        uint64_t unchanged_addr = 0;
        const char *what = NULL;
        enum status status;
        struct cursor c;

        if (round == 0 || image.region_count == 0) { /* begin with all bytes at hand */
            put_count(&list, 1);
            put_region(&list, 0x1fc0, 0x2000, 1);
            put(&list, 0, 4);
            put(&list, 0x40, 4);
            for (unsigned i = 0; i < 0x40; i++)
                put(&list, i, 1);
            assert_int_equal(restore(&image, &spare, &list), STATUS_OK);
            assert_int_equal(restore(&copy, &spare, &list), STATUS_OK);
            put_random(&list, 0x1fc0 - (uint64_t)(rand() % 64) + (uint64_t)(rand() % 64));
            continue;
        }
        c = cursor_init(list.bytes, list.size);
        status = stack_image_update(&image, &c, &unchanged_addr, &what);
        assert_int_equal(restore(&spare, &old, &list), status);
        if (status == STATUS_OK) {
            const struct snap_region *a = &image.regions[0], *b = &spare.regions[0];
            uint64_t from = old.regions[0].start_addr;

            updated++;
            assert_true(a->start_addr == b->start_addr && a->end_addr == b->end_addr);
            assert_memory_equal(a->bytes, b->bytes, a->end_addr - a->start_addr);
            assert_true(unchanged_addr >= a->start_addr && unchanged_addr <= a->end_addr);
            if (unchanged_addr < a->end_addr)
                assert_true(unchanged_addr >= from);
            for (uint64_t addr = unchanged_addr; addr < a->end_addr; addr++)
                assert_int_equal(a->bytes[addr - a->start_addr], old.regions[0].bytes[addr - from]);
            copy = spare;
            spare = old;
        } else {
            refused++;
            assert_non_null(what);
            image.region_count = 0; /* damaged */
        }
        put_random(&list, 0x1fc0 - (uint64_t)(rand() % 64) + (uint64_t)(rand() % 64));
    }
    assert_true(refused > 100 && updated > 100);
    stack_image_deinit(&image);
    stack_image_deinit(&copy);
    stack_image_deinit(&spare);
}
