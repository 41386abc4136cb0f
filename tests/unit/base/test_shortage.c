/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "unit_test.h"
#include "base/shortage.h"

/* The list is the process's: one test, in the order in which things happen. */
TEST(shortage_first_file_is_told_and_missing_files_are_none)
{
    struct diag diag;
    char text[900];

    assert_false(shortage_told(&diag));
    shortage_note_open("/absent", ENOENT);
    shortage_note_open("/a/file/below", ENOTDIR);
    assert_false(shortage_told(&diag));

    shortage_note(NULL, ENOMEM);
    assert_true(shortage_told(&diag));
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "out of memory; the output may be incomplete");
    errno = EAGAIN;
    shortage_note_open("/secret", EACCES);
    assert_int_equal(errno, EAGAIN);
    shortage_note("/later", EIO);
    assert_true(shortage_told(&diag));
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "/secret: Permission denied; the output may be incomplete");
}
