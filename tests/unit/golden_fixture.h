/* SPDX-License-Identifier: MIT */
/*
 * Golden files: what is written is compared, byte by byte, with a file in tests/golden. After a
 * change that is meant, and from the directory tests,
 *     CG_GOLDEN_UPDATE=1 BUILD/tests/test_NAME
 * writes those of that test anew; look at the difference before it is committed.
 */
#ifndef TESTS_GOLDEN_FIXTURE_H
#define TESTS_GOLDEN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* What was written to a stream, to be freed. */
struct capture {
    char *text;
    size_t size;
    FILE *file;
};

static inline FILE *capture_begin(struct capture *capture)
{
    *capture = (struct capture){0};
    capture->file = open_memstream(&capture->text, &capture->size);
    assert_non_null(capture->file);
    return capture->file;
}

static inline const char *capture_end(struct capture *capture)
{
    assert_int_equal(fclose(capture->file), 0);
    return capture->text;
}

/* Compares with tests/golden/NAME, or writes it. */
static inline void assert_golden(const char *name, const char *text)
{
    char path[256];
    char *want = NULL;
    size_t size = 0;
    FILE *file;

    snprintf(path, sizeof(path), "golden/%s", name);
    if (getenv("CG_GOLDEN_UPDATE")) {
        file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
        return;
    }
    file = fopen(path, "r");
    if (!file)
        fail_msg("no %s: run from the directory tests", path);
    if (getdelim(&want, &size, '\0', file) < 0)
        fail_msg("%s is empty", path);
    fclose(file);
    assert_string_equal(text, want);
    free(want);
}

#endif
