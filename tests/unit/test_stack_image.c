#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void stack_image_region_may_take_bytes_of_two_old_ones(void **state)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    (void)state;
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

static void stack_image_gap_between_old_regions_is_missing(void **state)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    (void)state;
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

static void stack_image_runs_may_touch_and_be_empty(void **state)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    (void)state;
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

static void stack_image_empty_region_is_a_region(void **state)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    (void)state;
    put_count(&list, 1);
    put_region(&list, 0x1000, 0x1000, 0);
    assert_int_equal(restore(&next, &last, &list), STATUS_OK);
    assert_region(&next, 0, 0x1000, "");
    assert_non_null(next.regions[0].bytes);
    stack_image_deinit(&next);
}

static void stack_image_region_at_the_end_of_the_address_space(void **state)
{
    struct stack_image last = {0}, next = {0};
    struct list list;

    (void)state;
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
static void stack_image_memory_is_reused_and_given_back(void **state)
{
    enum { SIZE = 1 << 20 };
    struct stack_image a = {0}, b = {0};
    uint8_t *bytes = malloc(SIZE + 64);
    struct cursor c;
    const char *what;
    struct list list;

    (void)state;
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

static void stack_image_list_cut_anywhere_is_refused(void **state)
{
    struct stack_image last = {0};
    struct list list;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_image_region_may_take_bytes_of_two_old_ones),
        cmocka_unit_test(stack_image_gap_between_old_regions_is_missing),
        cmocka_unit_test(stack_image_runs_may_touch_and_be_empty),
        cmocka_unit_test(stack_image_empty_region_is_a_region),
        cmocka_unit_test(stack_image_region_at_the_end_of_the_address_space),
        cmocka_unit_test(stack_image_memory_is_reused_and_given_back),
        cmocka_unit_test(stack_image_list_cut_anywhere_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
