/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "base/diag.h"

TEST(diag_says_file_offset_what_and_hint)
{
    struct diag diag;
    char text[900];

    diag_set_at(&diag, "snap.bin", 4711, "record %d is damaged", 3);
    diag_hint(&diag, "capture %s", "again");
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "snap.bin: at offset 4711: record 3 is damaged; capture again");
}

TEST(diag_leaves_out_what_is_not_there)
{
    struct diag diag;
    char text[900];

    diag_set_at(&diag, "x", 1, "old");
    diag_hint(&diag, "old hint");
    diag_set(&diag, NULL, "no such process");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "no such process");
}

TEST(diag_long_file_name_keeps_its_end)
{
    struct diag diag;
    char path[1000], text[900];

    memset(path, 'a', sizeof(path));
    memcpy(path + sizeof(path) - 10, "/end.file", 10);
    diag_set(&diag, path, "what");
    assert_int_equal(strlen(diag.file), sizeof(diag.file) - 1);
    assert_memory_equal(diag.file, "...", 3);
    assert_non_null(strstr(diag_format(&diag, text, sizeof(text)), "/end.file: what"));
}

TEST(diag_control_characters_become_question_marks)
{
    struct diag diag;
    char text[900];

    diag_set(&diag, "a\x1b[31m\n\x7f", "b\tc");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "a?[31m??: b?c");
    /* C1, in UTF-8 and as a single byte; what is a part of a character stays. */
    diag_set(&diag, "\xc2\x9b[31m\xc2\x80\x9b", "\xc2\xa0\xc3\x9f\xe2\x82\xac\xff");
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "??[31m???: \xc2\xa0\xc3\x9f\xe2\x82\xac\xff");
}

TEST(diag_text_is_shortened_to_fit)
{
    struct diag diag;
    char text[8];

    diag_set(&diag, "file", "something");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "file: s");
}

TEST(diag_null_is_ignored)
{
    diag_set(NULL, "file", "what");
    diag_set_at(NULL, "file", 0, "what");
    diag_hint(NULL, "hint");
}

TEST(status_every_one_has_its_own_name)
{
    for (int a = STATUS_OK; a <= STATUS_IO; a++)
        for (int b = STATUS_OK; b < a; b++)
            assert_string_not_equal(status_name((enum status)a), status_name((enum status)b));
    assert_string_equal(status_name(STATUS_OK), "ok");
}
