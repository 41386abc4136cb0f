/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "graph/title.h"

static void add(struct title *title, const char *exe, uint32_t pid, bool exec)
{
    const struct snap_process process = {.exe = exe, .pid = pid, .exec = exec};

    assert_int_equal(title_process(title, &process, false), STATUS_OK);
}

static void add_snapshot(struct title *title, const char *exe, uint32_t pid)
{
    add(title, exe, pid, false);
    assert_int_equal(title_end(title), STATUS_OK);
}

TEST(title_of_one_snapshot_is_its_first_process)
{
    struct title title = {.count = 0};

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

TEST(title_after_an_exec_is_the_new_program)
{
    struct title title = {.count = 0};

    add(&title, "/bin/sh", 7, false);
    add(&title, "/usr/bin/prog", 7, true);
    assert_int_equal(title_end(&title), STATUS_OK);
    assert_string_equal(title.text, "/usr/bin/prog (pid 7)");
    title_deinit(&title);
}

TEST(title_names_all_that_were_to_be_captured)
{
    const struct snap_process processes[] = {{.exe = "/bin/b", .pid = 7},
                                             {.exe = "/bin/a", .pid = 8},
                                             {.exe = "/bin/b", .pid = 9}};
    struct title title = {.count = 0};

    for (size_t i = 0; i < 3; i++)
        assert_int_equal(title_process(&title, &processes[i], true), STATUS_OK);
    add(&title, "/bin/c", 8, true);
    add(&title, "/bin/child", 10, false);
    assert_int_equal(title_end(&title), STATUS_OK);
    assert_string_equal(title.text, "/bin/b, /bin/c (pid 8)");
    title_deinit(&title);
}

TEST(title_names_each_program_once)
{
    struct title title = {.count = 0};

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

TEST(title_of_long_paths_still_tells_how_many)
{
    struct title title = {.count = 0};
    char path[5000];

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

TEST(title_does_not_depend_on_the_order)
{
    struct title title = {.count = 0};

    add_snapshot(&title, "/bin/c", 3);
    add_snapshot(&title, "/bin/a", 1);
    add_snapshot(&title, "/bin/b", 2);
    assert_string_equal(title.text, "/bin/a (pid 1), /bin/b (pid 2), /bin/c (pid 3)");
    title_deinit(&title);
}

TEST(title_text_of_a_program_is_taken_as_it_was_given)
{
    static const char *const texts[] = {"/bin/a (pid 7)", "/bin/b", "/bin/c (pid 07)", "(pid 8)"};
    struct title title = {.count = 0};

    for (size_t i = 0; i < 4; i++)
        assert_int_equal(title_text(&title, texts[i]), STATUS_OK);
    assert_int_equal(title.count, 4);
    for (size_t i = 0; i < 4; i++) {
        char *text = title_program_text(&title, i);

        assert_string_equal(text, texts[(i + 3) % 4]); /* by path: '(' is before '/' */
        free(text);
    }
    assert_int_equal(title.programs[1].pid, 7);
    assert_int_equal(title.programs[3].pid, 0);
    assert_int_equal(title_text(&title, "/bin/a (pid 9)"), STATUS_OK);
    assert_int_equal(title.programs[1].pid, 0);
    title_deinit(&title);
}

TEST(title_of_a_board_has_no_pid)
{
    static const struct {
        const char *exe, *machine, *text;
    } cases[] = {{"/fw.elf", "arm", "/fw.elf"}, {"", "arm", "board (arm)"}, {"", "", "board"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct title title = {.count = 0};

        add(&title, cases[i].exe, 1, false);
        assert_int_equal(title_board(&title, 2, "of another"), STATUS_OK);
        for (int resets = 0; resets < 2; resets++)
            assert_int_equal(title_board(&title, 1, cases[i].machine), STATUS_OK);
        assert_int_equal(title_end(&title), STATUS_OK);
        assert_string_equal(title.text, cases[i].text);
        title_deinit(&title);
    }
}
