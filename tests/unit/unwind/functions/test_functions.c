/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/functions/functions.h"

static void add(struct functions *list, uint64_t start_vaddr, uint64_t end_vaddr,
                enum function_origin origin)
{
    struct code_function function = {.start_vaddr = start_vaddr,
                                     .end_vaddr = end_vaddr,
                                     .origin = (uint8_t)origin};

    assert_int_equal(functions_add(list, &function), STATUS_OK);
}

/* Orders them and compares with "start-end origin, …"; frees them. */
static void assert_sorted(struct functions *list, const char *expected)
{
    char text[512] = "";
    size_t len = 0;

    functions_sort(list);
    for (size_t i = 0; i < list->count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%llx-%llx %s", i ? ", " : "",
                                (unsigned long long)list->items[i].start_vaddr,
                                (unsigned long long)list->items[i].end_vaddr,
                                function_origin_name(list->items[i].origin));
    assert_string_equal(text, expected);
    functions_deinit(list);
}

static void functions_sort_orders_by_start(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x30, 0x40, FUNCTION_CALL);
    add(&list, 0x10, 0x20, FUNCTION_CALL);
    add(&list, 0x20, 0x28, FUNCTION_CALL);
    assert_sorted(&list, "10-20 call, 20-28 call, 30-40 call");
}

static void functions_sort_of_none_is_empty(void **state)
{
    struct functions list = {0};

    (void)state;
    assert_sorted(&list, "");
}

static void functions_sort_first_origin_wins_at_one_start(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x80, FUNCTION_SYMTAB);
    add(&list, 0x10, 0x20, FUNCTION_FDE);
    add(&list, 0x10, 0x18, FUNCTION_GAP);
    assert_sorted(&list, "10-20 fde");
}

static void functions_sort_longest_wins_at_one_start_and_origin(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x18, FUNCTION_SYMTAB);
    add(&list, 0x10, 0x20, FUNCTION_SYMTAB);
    assert_sorted(&list, "10-20 symtab");
}

static void functions_sort_cuts_at_the_next_start(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x40, FUNCTION_CALL);
    add(&list, 0x20, 0x30, FUNCTION_CALL);
    assert_sorted(&list, "10-20 call, 20-30 call");
}

static void functions_sort_label_inside_of_a_better_origin_is_left_out(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x40, FUNCTION_FDE);
    add(&list, 0x20, 0x30, FUNCTION_SYMTAB);
    add(&list, 0x40, 0x50, FUNCTION_SYMTAB);
    assert_sorted(&list, "10-40 fde, 40-50 symtab");
}

static void functions_sort_better_origin_inside_cuts(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x40, FUNCTION_SYMTAB);
    add(&list, 0x20, 0x30, FUNCTION_FDE);
    assert_sorted(&list, "10-20 symtab, 20-30 fde");
}

static void functions_sort_empty_ones_are_left_out(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x10, FUNCTION_FDE);
    add(&list, 0x20, 0x18, FUNCTION_FDE);
    add(&list, 0x20, 0x28, FUNCTION_GAP);
    assert_sorted(&list, "20-28 gap");
}

static void functions_sort_twice_changes_nothing(void **state)
{
    struct functions list = {0};

    (void)state;
    add(&list, 0x10, 0x40, FUNCTION_SYMTAB);
    add(&list, 0x20, 0x30, FUNCTION_FDE);
    functions_sort(&list);
    assert_sorted(&list, "10-20 symtab, 20-30 fde");
}

static void functions_sort_orders_jumps_by_target(void **state)
{
    struct entry_jump jumps[] = {{5, 9}, {4, 7}, {3, 9}, {6, 8}};
    struct functions list = {.jumps = jumps, .jump_count = 4, .jump_cap = 4};

    (void)state;
    functions_sort(&list);
    assert_int_equal(jumps[0].target_vaddr, 7);
    assert_int_equal(jumps[1].target_vaddr, 8);
    assert_int_equal(jumps[2].source_vaddr, 3);
    assert_int_equal(jumps[3].source_vaddr, 5);
}

static void functions_find_looks_at_start_and_end(void **state)
{
    struct functions list = {0};

    (void)state;
    assert_null(functions_find(&list, 0));
    add(&list, 0x10, 0x20, FUNCTION_CALL);
    add(&list, 0x20, 0x28, FUNCTION_CALL);
    add(&list, 0x30, 0x40, FUNCTION_CALL);
    functions_sort(&list);
    assert_null(functions_find(&list, 0x0f));
    assert_ptr_equal(functions_find(&list, 0x10), &list.items[0]);
    assert_ptr_equal(functions_find(&list, 0x1f), &list.items[0]);
    assert_ptr_equal(functions_find(&list, 0x20), &list.items[1]);
    assert_null(functions_find(&list, 0x28));
    assert_null(functions_find(&list, 0x2f));
    assert_ptr_equal(functions_find(&list, 0x3f), &list.items[2]);
    assert_null(functions_find(&list, 0x40));
    assert_null(functions_find(&list, UINT64_MAX));
    functions_deinit(&list);
}

static void functions_origins_have_names_of_their_own(void **state)
{
    (void)state;
    for (unsigned i = FUNCTION_FDE; i <= FUNCTION_FRAGMENT; i++)
        for (unsigned k = FUNCTION_FDE; k < i; k++)
            assert_string_not_equal(function_origin_name((enum function_origin)i),
                                    function_origin_name((enum function_origin)k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_sort_orders_by_start),
        cmocka_unit_test(functions_sort_of_none_is_empty),
        cmocka_unit_test(functions_sort_first_origin_wins_at_one_start),
        cmocka_unit_test(functions_sort_longest_wins_at_one_start_and_origin),
        cmocka_unit_test(functions_sort_cuts_at_the_next_start),
        cmocka_unit_test(functions_sort_label_inside_of_a_better_origin_is_left_out),
        cmocka_unit_test(functions_sort_better_origin_inside_cuts),
        cmocka_unit_test(functions_sort_empty_ones_are_left_out),
        cmocka_unit_test(functions_sort_twice_changes_nothing),
        cmocka_unit_test(functions_sort_orders_jumps_by_target),
        cmocka_unit_test(functions_find_looks_at_start_and_end),
        cmocka_unit_test(functions_origins_have_names_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
