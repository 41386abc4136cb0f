/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "graph/told_labels.h"

TEST(told_labels_have_one_mark_for_the_same)
{
    const char *const none[] = {NULL, NULL}, *const one[] = {"[a=1]", NULL},
                      *const other[] = {NULL, "[a=1]"}, *const both[] = {"[b=2]", "[a=1]"};
    struct told_labels labels = {.mark_count = 0};
    uint32_t mark, again, third;

    assert_int_equal(told_labels_mark(&labels, none, 2, &mark), STATUS_OK);
    assert_int_equal(mark, 0);
    assert_int_equal(told_labels_mark(&labels, NULL, 0, &mark), STATUS_OK);
    assert_int_equal(mark, 0);
    assert_int_equal(told_labels_mark(&labels, one, 2, &mark), STATUS_OK);
    assert_int_equal(told_labels_mark(&labels, both, 2, &third), STATUS_OK);
    assert_int_equal(told_labels_mark(&labels, one, 2, &again), STATUS_OK);
    assert_int_equal(mark, again);
    assert_int_not_equal(mark, third);
    assert_int_equal(told_labels_mark(&labels, other, 2, &again), STATUS_OK);
    assert_int_not_equal(mark, again);
    assert_int_equal(told_labels_mark(&labels, one, 1, &again), STATUS_OK);
    assert_int_not_equal(mark, again);
    /* Depths count from the outermost function. */
    assert_string_equal(told_labels_label(&labels, mark, 1), "[a=1]");
    assert_null(told_labels_label(&labels, mark, 0));
    assert_null(told_labels_label(&labels, mark, 2));
    assert_string_equal(told_labels_label(&labels, third, 0), "[a=1]");
    assert_string_equal(told_labels_label(&labels, third, 1), "[b=2]");
    assert_null(told_labels_label(&labels, 0, 0));
    assert_null(told_labels_label(&labels, again + 1, 0));
    told_labels_deinit(&labels);
}
