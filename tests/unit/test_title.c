/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph/title.h"

static void add(struct title *title, const char *exe, uint32_t pid, bool exec)
{
    const struct snap_process process = {.exe = exe, .pid = pid, .exec = exec};

    assert_int_equal(title_process(title, &process), STATUS_OK);
}

static void add_snapshot(struct title *title, const char *exe, uint32_t pid)
{
    add(title, exe, pid, false);
    assert_int_equal(title_end(title), STATUS_OK);
}

static void title_of_one_snapshot_is_its_first_process(void **state)
{
    struct title title = {.count = 0};

    (void)state;
    assert_int_equal(title_end(&title), STATUS_OK);
    assert_string_equal(title.text, "");
    assert_string_equal(title_program(&title), "");
    add(&title, "/usr/bin/prog", 7, false);
    add(&title, "/usr/bin/child", 8, false);
    add(&title, "/usr/bin/another", 8, true);
    assert_int_equal(title_end(&title), STATUS_OK);
    assert_string_equal(title.text, "/usr/bin/prog (pid 7)");
    title_deinit(&title);
}

static void title_after_an_exec_is_the_new_program(void **state)
{
    struct title title = {.count = 0};

    (void)state;
    add(&title, "/bin/sh", 7, false);
    add(&title, "/usr/bin/prog", 7, true);
    assert_int_equal(title_end(&title), STATUS_OK);
    assert_string_equal(title.text, "/usr/bin/prog (pid 7)");
    title_deinit(&title);
}

static void title_names_each_program_once(void **state)
{
    struct title title = {.count = 0};

    (void)state;
    add_snapshot(&title, "/bin/a", 1);
    add_snapshot(&title, "/bin/a", 2);
    assert_string_equal(title.text, "/bin/a");
    add_snapshot(&title, "/bin/b", 1);
    add_snapshot(&title, "/bin/c", 3);
    add_snapshot(&title, "/bin/b", 9);
    assert_string_equal(title.text, "/bin/a, /bin/b, /bin/c (pid 3)");
    add_snapshot(&title, "/bin/d", 4);
    add_snapshot(&title, "/bin/e", 5);
    assert_string_equal(title.text, "/bin/a, /bin/b, /bin/c (pid 3) and 2 more");
    assert_string_equal(title_program(&title), "/bin/a");
    title_deinit(&title);
}

static void title_of_long_paths_still_tells_how_many(void **state)
{
    struct title title = {.count = 0};
    char path[5000];

    (void)state;
    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    add_snapshot(&title, path, 1);
    assert_int_equal(strlen(title.text), sizeof(title.text) - 1);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(path + sizeof(path) - 3, 3, "%u", i);
        add_snapshot(&title, path, i);
    }
    assert_non_null(strstr(title.text, " and 2 more"));
    title_deinit(&title);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(title_of_one_snapshot_is_its_first_process),
        cmocka_unit_test(title_after_an_exec_is_the_new_program),
        cmocka_unit_test(title_names_each_program_once),
        cmocka_unit_test(title_of_long_paths_still_tells_how_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
