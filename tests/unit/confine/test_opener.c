/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/opener.h"

static char directory[] = "/tmp/test_opener-XXXXXX";
static char first[64], second[64];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(first, sizeof(first), "%s/first", directory);
    snprintf(second, sizeof(second), "%s/none/second", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    remove(first);
    return rmdir(directory);
}

static bool is_text(const char *begin, size_t size)
{
    return memmem(begin, size, "text", 4) != NULL;
}

static void begin(struct opener *opener)
{
    *opener = (struct opener){.paths = {first, second}, .replaces = {is_text, is_text}};
    assert_int_equal(opener_begin(opener), STATUS_OK);
}

static long size_of_first(void)
{
    struct stat st;

    return stat(first, &st) == 0 ? (long)st.st_size : -1;
}

static void write_first(struct opener *opener, const char *text)
{
    struct diag diag;
    FILE *file = opener_open(opener, 0, &diag);

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void opener_begun_touches_no_file(void **state)
{
    struct opener opener;

    (void)state;
    remove(first);
    begin(&opener);
    assert_int_equal(size_of_first(), -1);
    opener_end(&opener);
    assert_int_equal(size_of_first(), -1);
}

static void opener_makes_a_file_anew_each_time(void **state)
{
    struct opener opener;

    (void)state;
    begin(&opener);
    write_first(&opener, "long text\n");
    assert_int_equal(size_of_first(), 10);
    write_first(&opener, "text\n");
    assert_int_equal(size_of_first(), 5);
    opener_remove(&opener, 0);
    assert_int_equal(size_of_first(), -1);
    opener_end(&opener);
}

static void put(const char *text)
{
    FILE *file = fopen(first, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_refused(struct opener *opener, const char *why, long size)
{
    struct diag diag = {.has_off = false};

    assert_null(opener_open(opener, 0, &diag));
    assert_string_equal(diag.file, first);
    assert_non_null(strstr(diag.what, why));
    assert_int_equal(size_of_first(), size);
}

/* It may be somebody's work: what asks is perhaps taken over. */
static void opener_removes_only_what_it_has_opened(void **state)
{
    struct opener opener;

    (void)state;
    put("text\n");
    begin(&opener);
    opener_remove(&opener, 0);
    assert_int_equal(size_of_first(), 5);
    opener_end(&opener);
    assert_int_equal(remove(first), 0);
}

static void opener_overwrites_only_what_it_may(void **state)
{
    struct opener opener, keeps = {.paths = {first}};
    struct stat st;

    (void)state;
    begin(&opener);
    put("a diary\n");
    expect_refused(&opener, "no output of this program", 8);
    expect_refused(&keeps, strerror(EEXIST), 8);
    put("");
    expect_refused(&keeps, strerror(EEXIST), 0);
    assert_int_equal(chmod(first, 0666), 0);
    write_first(&opener, "text\n");
    assert_int_equal(stat(first, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    opener_end(&opener);
    opener = (struct opener){.paths = {first}, .replaces = {out_file_replaces_all}};
    put("a diary\n");
    write_first(&opener, "text\n");
    assert_int_equal(size_of_first(), 5);
    remove(first);
}

/* The one who asks gets to know the name, and cannot choose it. */
static void opener_dated_path_has_the_time(void **state)
{
    static char pattern[64];
    struct opener opener = {.paths = {pattern}, .is_dated = {true}};
    struct diag diag = {.has_off = false};
    FILE *file;
    int year = 0;

    (void)state;
    snprintf(pattern, sizeof(pattern), "%s/of-%%Y.bin", directory);
    assert_int_equal(opener_begin(&opener), STATUS_OK);
    file = opener_open(&opener, 0, &diag);
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sscanf(diag.file + strlen(directory), "/of-%4d.bin", &year), 1);
    assert_true(year > 2000);
    assert_null(opener_open(&opener, 0, &diag)); /* it is there */
    opener_end(&opener);
    assert_int_equal(remove(diag.file), 0);
}

/* Somebody else may have made it, in /tmp. */
static void opener_follows_no_link(void **state)
{
    struct opener opener;

    (void)state;
    begin(&opener);
    assert_int_equal(symlink("elsewhere", first), 0);
    expect_refused(&opener, "symbolic link", -1);
    remove(first);
    assert_int_equal(symlink("/dev/null", first), 0);
    expect_refused(&opener, "symbolic link", 0);
    remove(first);
    opener_end(&opener);
}

static void opener_tells_why_not(void **state)
{
    struct opener opener;
    struct diag diag;

    (void)state;
    begin(&opener);
    assert_null(opener_open(&opener, 1, &diag));
    assert_string_equal(diag.file, second);
    assert_non_null(strstr(diag.what, strerror(ENOENT)));
    write_first(&opener, "text\n");
    opener_end(&opener);
}

/* Such a question comes from somebody who has taken the program over. */
static void opener_asked_for_another_path_ends(void **state)
{
    const size_t others[] = {2, OPENER_PATHS_MAX, 127};

    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct opener opener;
        struct diag diag;

        remove(first);
        begin(&opener);
        assert_null(opener_open(&opener, others[i], &diag));
        assert_non_null(strstr(diag.what, "has ended"));
        assert_null(opener_open(&opener, 0, &diag));
        opener_end(&opener);
        assert_int_equal(size_of_first(), -1);
    }
}

static void opener_leaves_no_process(void **state)
{
    struct opener opener;

    (void)state;
    begin(&opener);
    opener_end(&opener);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* What was there before is not the opener's to remove. */
static void opener_removes_no_fifo(void **state)
{
    struct opener opener;
    struct diag diag;
    FILE *file;
    int reader;

    (void)state;
    assert_int_equal(mkfifo(first, 0600), 0);
    reader = open(first, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    for (unsigned begun = 0; begun < 2; begun++) {
        opener = (struct opener){.paths = {first, second}, .replaces = {is_text, is_text}};
        if (begun)
            begin(&opener);
        file = opener_open(&opener, 0, &diag);
        assert_non_null(file);
        fclose(file);
        opener_remove(&opener, 0);
        opener_end(&opener);
        assert_int_equal(access(first, F_OK), 0);
    }
    close(reader);
    remove(first);
}

static void opener_not_begun_opens_by_itself(void **state)
{
    struct opener opener = {.paths = {first, second}};

    (void)state;
    write_first(&opener, "text\n");
    assert_int_equal(size_of_first(), 5);
    opener_remove(&opener, 0);
    opener_end(&opener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opener_begun_touches_no_file),
        cmocka_unit_test(opener_makes_a_file_anew_each_time),
        cmocka_unit_test(opener_removes_only_what_it_has_opened),
        cmocka_unit_test(opener_overwrites_only_what_it_may),
        cmocka_unit_test(opener_dated_path_has_the_time),
        cmocka_unit_test(opener_follows_no_link),
        cmocka_unit_test(opener_tells_why_not),
        cmocka_unit_test(opener_asked_for_another_path_ends),
        cmocka_unit_test(opener_leaves_no_process),
        cmocka_unit_test(opener_removes_no_fifo),
        cmocka_unit_test(opener_not_begun_opens_by_itself),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
