/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "unit_test.h"
#include "unwind/functions/functions.h"

static void add(struct functions *list, uint64_t start_vaddr, uint64_t end_vaddr,
                enum function_origin origin)
{
    struct code_function function = {.start_vaddr = start_vaddr,
                                     .end_vaddr = end_vaddr,
                                     .origin = (uint8_t)origin};

    assert_int_equal(functions_add(list, &function), STATUS_OK);
}

static void functions_init(struct functions *list)
{
    *list = (struct functions){0};
}

/* Orders them and compares with "start-end origin, …". */
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
}

TEST_OF(functions_sort_orders_by_start, functions, list)
{
    add(list, 0x30, 0x40, FUNCTION_CALL);
    add(list, 0x10, 0x20, FUNCTION_CALL);
    add(list, 0x20, 0x28, FUNCTION_CALL);
    assert_sorted(list, "10-20 call, 20-28 call, 30-40 call");
}

TEST_OF(functions_sort_of_none_is_empty, functions, list)
{
    assert_sorted(list, "");
}

TEST_OF(functions_sort_first_origin_wins_at_one_start, functions, list)
{
    add(list, 0x10, 0x80, FUNCTION_SYMTAB);
    add(list, 0x10, 0x20, FUNCTION_FDE);
    add(list, 0x10, 0x18, FUNCTION_GAP);
    assert_sorted(list, "10-20 fde");
}

TEST_OF(functions_sort_longest_wins_at_one_start_and_origin, functions, list)
{
    add(list, 0x10, 0x18, FUNCTION_SYMTAB);
    add(list, 0x10, 0x20, FUNCTION_SYMTAB);
    assert_sorted(list, "10-20 symtab");
}

TEST_OF(functions_sort_cuts_at_the_next_start, functions, list)
{
    add(list, 0x10, 0x40, FUNCTION_CALL);
    add(list, 0x20, 0x30, FUNCTION_CALL);
    assert_sorted(list, "10-20 call, 20-30 call");
}

TEST_OF(functions_sort_label_inside_of_a_better_origin_is_left_out, functions, list)
{
    add(list, 0x10, 0x40, FUNCTION_FDE);
    add(list, 0x20, 0x30, FUNCTION_SYMTAB);
    add(list, 0x40, 0x50, FUNCTION_SYMTAB);
    assert_sorted(list, "10-40 fde, 40-50 symtab");
}

TEST_OF(functions_sort_better_origin_inside_cuts, functions, list)
{
    add(list, 0x10, 0x40, FUNCTION_SYMTAB);
    add(list, 0x20, 0x30, FUNCTION_FDE);
    assert_sorted(list, "10-20 symtab, 20-30 fde");
}

TEST_OF(functions_sort_empty_ones_are_left_out, functions, list)
{
    add(list, 0x10, 0x10, FUNCTION_FDE);
    add(list, 0x20, 0x18, FUNCTION_FDE);
    add(list, 0x20, 0x28, FUNCTION_GAP);
    assert_sorted(list, "20-28 gap");
}

TEST_OF(functions_sort_twice_changes_nothing, functions, list)
{
    add(list, 0x10, 0x40, FUNCTION_SYMTAB);
    add(list, 0x20, 0x30, FUNCTION_FDE);
    functions_sort(list);
    assert_sorted(list, "10-20 symtab, 20-30 fde");
}

TEST(functions_sort_orders_jumps_by_target)
{
    struct entry_jump jumps[] = {{5, 9}, {4, 7}, {3, 9}, {6, 8}};
    struct functions list = {.jumps = jumps, .jump_count = 4, .jump_cap = 4};

    functions_sort(&list);
    assert_int_equal(jumps[0].target_vaddr, 7);
    assert_int_equal(jumps[1].target_vaddr, 8);
    assert_int_equal(jumps[2].source_vaddr, 3);
    assert_int_equal(jumps[3].source_vaddr, 5);
}

TEST_OF(functions_find_looks_at_start_and_end, functions, list)
{
    assert_null(functions_find(list, 0));
    add(list, 0x10, 0x20, FUNCTION_CALL);
    add(list, 0x20, 0x28, FUNCTION_CALL);
    add(list, 0x30, 0x40, FUNCTION_CALL);
    functions_sort(list);
    assert_null(functions_find(list, 0x0f));
    assert_ptr_equal(functions_find(list, 0x10), &list->items[0]);
    assert_ptr_equal(functions_find(list, 0x1f), &list->items[0]);
    assert_ptr_equal(functions_find(list, 0x20), &list->items[1]);
    assert_null(functions_find(list, 0x28));
    assert_null(functions_find(list, 0x2f));
    assert_ptr_equal(functions_find(list, 0x3f), &list->items[2]);
    assert_null(functions_find(list, 0x40));
    assert_null(functions_find(list, UINT64_MAX));
}

TEST(functions_origins_have_names_of_their_own)
{
    for (unsigned i = FUNCTION_FDE; i <= FUNCTION_FRAGMENT; i++)
        for (unsigned k = FUNCTION_FDE; k < i; k++)
            assert_string_not_equal(function_origin_name((enum function_origin)i),
                                    function_origin_name((enum function_origin)k));
}
