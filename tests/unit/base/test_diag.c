/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"

static void diag_says_file_offset_what_and_hint(void **state)
{
    struct diag diag;
    char text[900];

    (void)state;
    diag_set_at(&diag, "snap.bin", 4711, "record %d is damaged", 3);
    diag_hint(&diag, "capture %s", "again");
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "snap.bin: at offset 4711: record 3 is damaged; capture again");
}

static void diag_leaves_out_what_is_not_there(void **state)
{
    struct diag diag;
    char text[900];

    (void)state;
    diag_set_at(&diag, "x", 1, "old");
    diag_hint(&diag, "old hint");
    diag_set(&diag, NULL, "no such process");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "no such process");
}

static void diag_long_file_name_keeps_its_end(void **state)
{
    struct diag diag;
    char path[1000], text[900];

    (void)state;
    memset(path, 'a', sizeof(path));
    memcpy(path + sizeof(path) - 10, "/end.file", 10);
    diag_set(&diag, path, "what");
    assert_int_equal(strlen(diag.file), sizeof(diag.file) - 1);
    assert_memory_equal(diag.file, "...", 3);
    assert_non_null(strstr(diag_format(&diag, text, sizeof(text)), "/end.file: what"));
}

static void diag_control_characters_become_question_marks(void **state)
{
    struct diag diag;
    char text[900];

    (void)state;
    diag_set(&diag, "a\x1b[31m\n\x7f", "b\tc");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "a?[31m??: b?c");
    /* C1, in UTF-8 and as a single byte; what is a part of a character stays. */
    diag_set(&diag, "\xc2\x9b[31m\xc2\x80\x9b", "\xc2\xa0\xc3\x9f\xe2\x82\xac\xff");
    assert_string_equal(diag_format(&diag, text, sizeof(text)),
                        "??[31m???: \xc2\xa0\xc3\x9f\xe2\x82\xac\xff");
}

static void diag_text_is_shortened_to_fit(void **state)
{
    struct diag diag;
    char text[8];

    (void)state;
    diag_set(&diag, "file", "something");
    assert_string_equal(diag_format(&diag, text, sizeof(text)), "file: s");
}

static void diag_null_is_ignored(void **state)
{
    (void)state;
    diag_set(NULL, "file", "what");
    diag_set_at(NULL, "file", 0, "what");
    diag_hint(NULL, "hint");
}

static void status_every_one_has_its_own_name(void **state)
{
    (void)state;
    for (int a = STATUS_OK; a <= STATUS_IO; a++)
        for (int b = STATUS_OK; b < a; b++)
            assert_string_not_equal(status_name((enum status)a), status_name((enum status)b));
    assert_string_equal(status_name(STATUS_OK), "ok");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diag_says_file_offset_what_and_hint),
        cmocka_unit_test(diag_leaves_out_what_is_not_there),
        cmocka_unit_test(diag_long_file_name_keeps_its_end),
        cmocka_unit_test(diag_control_characters_become_question_marks),
        cmocka_unit_test(diag_text_is_shortened_to_fit),
        cmocka_unit_test(diag_null_is_ignored),
        cmocka_unit_test(status_every_one_has_its_own_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
