/* SPDX-License-Identifier: MIT */
/* What the search for functions knows of bytes: data, and what may be some. */
#include <string.h>

#include "unit_test.h"
#include "unwind/functions/function_marks.h"

#define FIRST UINT64_C(0x1000)
#define SIZE  16

static uint8_t bytes[SIZE];
static struct area area = {.start_vaddr = FIRST, .end_vaddr = FIRST + SIZE, .marks = bytes};

static struct marks none(void)
{
    memset(bytes, 0, sizeof(bytes));
    return (struct marks){.areas = &area, .area_count = 1};
}

static void assert_doubtful(uint64_t vaddr)
{
    assert_true(mark_is_doubtful_data(bytes[vaddr - FIRST]));
    assert_false(mark_is_data(bytes[vaddr - FIRST]));
}

static void assert_data(uint64_t vaddr)
{
    assert_true(mark_is_data(bytes[vaddr - FIRST]));
    assert_false(mark_is_doubtful_data(bytes[vaddr - FIRST]));
}

TEST(marks_code_over_doubtful_data_is_code_alone)
{
    struct marks marks = none();

    marks_set_doubtful_data(&marks, FIRST, FIRST + 8);
    assert_doubtful(FIRST);
    assert_doubtful(FIRST + 7);
    marks_set_code(&marks, FIRST, FIRST + 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(bytes[i], MARK_CODE);
    assert_doubtful(FIRST + 4);
}

TEST(marks_code_over_data_leaves_it)
{
    struct marks marks = none();

    marks_set_data(&marks, FIRST, FIRST + 4);
    marks_set_code(&marks, FIRST, FIRST + 4);
    assert_int_equal(bytes[0], MARK_CODE | MARK_DATA);
    assert_data(FIRST);
}

TEST(marks_data_of_a_function_is_not_doubtful_any_more)
{
    struct marks marks = none();

    marks_set_doubtful_data(&marks, FIRST, FIRST + 8);
    marks_set_data(&marks, FIRST + 2, FIRST + 6);
    assert_doubtful(FIRST + 1);
    assert_data(FIRST + 2);
    assert_data(FIRST + 5);
    assert_doubtful(FIRST + 6);
}

TEST(marks_what_is_known_does_not_become_doubtful)
{
    struct marks marks = none();

    marks_set_data(&marks, FIRST, FIRST + 4);
    marks_set_code(&marks, FIRST + 4, FIRST + 8);
    marks_set_doubtful_data(&marks, FIRST, FIRST + 12);
    assert_data(FIRST);
    assert_int_equal(bytes[4], MARK_CODE);
    assert_doubtful(FIRST + 8);
    assert_int_equal(bytes[12], 0);
}

/* MARK_REJECTED says something else of code: data that lies over it stays data. */
TEST(marks_code_of_no_function_makes_no_data_doubtful)
{
    struct marks marks = none();

    marks_set(&marks, FIRST, FIRST + 4, MARK_CODE | MARK_REJECTED);
    marks_set_data(&marks, FIRST, FIRST + 4);
    assert_data(FIRST);
    assert_true(bytes[0] & MARK_REJECTED);
}

TEST(marks_end_with_the_area)
{
    struct marks marks = none();

    area.end_vaddr = FIRST + 4;
    marks_set_doubtful_data(&marks, FIRST, FIRST + SIZE);
    assert_doubtful(FIRST + 3);
    assert_int_equal(bytes[4], 0);
    marks_set_data(&marks, FIRST, FIRST + SIZE);
    assert_data(FIRST + 3);
    assert_int_equal(bytes[4], 0);
    marks_set_code(&marks, FIRST, FIRST + SIZE);
    assert_int_equal(bytes[4], 0);
    area.end_vaddr = FIRST + SIZE;
    /* Nor is anything set outside. */
    marks_set_code(&marks, FIRST + SIZE, FIRST + SIZE + 4);
    marks_set_data(&marks, FIRST - 4, FIRST + 8);
    marks_set_doubtful_data(&marks, FIRST - 4, FIRST + 8);
    assert_int_equal(bytes[4], 0);
}
