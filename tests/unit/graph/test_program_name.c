/* SPDX-License-Identifier: MIT */
/* What programs are called: as they were started; and what processes call themselves. */
#include <string.h>

#include "unit_test.h"
#include "graph/program_name.h"

struct program {
    const char *exe, *line; /* the command line: '|' stands for a zero */
    const char *thread;
    const char *text, *title; /* expected; title NULL: has none */
};

static void check(const struct program *program)
{
    struct snap_process process = {.exe = program->exe, .pid = 7};
    const struct snap_thread thread = {.pid = 7, .tid = 7, .name = program->thread};
    const struct snap_thread later = {.pid = 7, .tid = 7, .name = "later"};
    struct program_name name;
    uint8_t line[200];

    process.command_line_size = (uint32_t)strlen(program->line);
    for (uint32_t i = 0; i < process.command_line_size; i++)
        line[i] = program->line[i] == '|' ? 0 : (uint8_t)program->line[i];
    process.command_line = line;
    assert_int_equal(program_name_read(&name, &process), STATUS_OK);
    assert_int_equal(program_name_thread(&name, &thread), STATUS_OK);
    assert_int_equal(program_name_thread(&name, &later), STATUS_OK);
    assert_string_equal(program_name_text(&name), program->text);
    if (program->title)
        assert_string_equal(name.title, program->title);
    else
        assert_null(name.title);
    program_name_deinit(&name);
}

TEST(program_is_called_as_it_was_started)
{
    static const struct program list[] = {
        {"/usr/bin/prog", "./prog|-x|", "prog", "/usr/bin/prog", NULL},
        {"/usr/bin/redis-check-rdb", "redis-server|", "redis-server", "redis-server", NULL},
        {"/usr/bin/redis-check-rdb", "/usr/bin/redis-server|a|", "redis-server",
         "/usr/bin/redis-server", NULL},
        {"/usr/bin/busybox", "./sh|", "sh", "sh", NULL},
        {"/usr/bin/dash", "-sh|", "sh", "sh", NULL},
        {"/usr/bin/vim.basic", "vi|", "vi", "vi", NULL},
        {"/usr/bin/x86_64-linux-gnu-gcc-12", "a-long-name-of-gcc|", "a-long-name-of-", /* 15 */
         "a-long-name-of-gcc", NULL},
        {"", "prog|", "prog", "prog", NULL},
    };

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        check(&list[i]);
}

TEST(program_is_called_as_its_file_where_that_says_more)
{
    static const struct program list[] = {
        {"/usr/bin/python3.11", "python3|x.py|", "python3", "/usr/bin/python3.11", NULL},
        {"/usr/bin/python3.11", "/usr/bin/python3|x.py|", "x.py", "/usr/bin/python3.11", NULL},
        {"/usr/bin/prog (deleted)", "prog|", "prog", "/usr/bin/prog (deleted)", NULL},
        {"/usr/bin/prog", "liar|", "prog", "/usr/bin/prog", NULL},
        {"/usr/bin/prog", "link|", "renamed", "/usr/bin/prog", NULL},
        {"/usr/bin/prog", "dir/|", "", "/usr/bin/prog", NULL},
        {"/usr/bin/prog", "link", "link", "/usr/bin/prog", NULL}, /* no zero: no arguments */
        {"/usr/bin/prog", "||", "prog", "/usr/bin/prog", NULL},
        {"/usr/bin/prog", "", "prog", "/usr/bin/prog", NULL},
    };

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        check(&list[i]);
}

TEST(title_is_what_takes_the_place_of_the_arguments)
{
    static const struct program list[] = {
        {"/usr/lib/postgres", "postgres: 15/main: checkpointer   ||||", "postgres",
         "/usr/lib/postgres", "postgres: 15/main: checkpointer"},
        {"/usr/sbin/nginx", "nginx: master process /usr/sbin/nginx -g x;|", "nginx",
         "/usr/sbin/nginx", "nginx: master process /usr/sbin/nginx -g x;"},
        {"/usr/bin/redis-check-rdb", "/usr/bin/redis-server *:6379|", "redis-server",
         "/usr/bin/redis-server", "redis-server *:6379"},
        {"/usr/bin/python3.11", "gunicorn: master [app]|", "gunicorn: maste", "/usr/bin/python3.11",
         "gunicorn: master [app]"},
        {"/opt/a b/prog", "/opt/a b/prog|", "prog", "/opt/a b/prog", NULL},
        {"/usr/bin/prog", "prog -x|-y|", "prog", "/usr/bin/prog", NULL}, /* has arguments */
        {"/usr/bin/prog", "some text|", "prog", "/usr/bin/prog", NULL},
        {"/usr/bin/prog", "prog 1", "prog", "/usr/bin/prog", NULL}, /* a core's */
        {"/bin/prog", "prog: 123456789 123456789 123456789 123456789 123456789 1234 67890|", "prog",
         "/bin/prog", "prog: 123456789 123456789 123456789 123456789 123456789 1234\xe2\x80\xa6"},
    };

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        check(&list[i]);
}

/* Of a process of which only some threads are captured, the first is not among them. */
TEST(another_thread_tells_only_what_agrees)
{
    const struct snap_process process = {.exe = "/bin/file",
                                         .pid = 7,
                                         .command_line = (const uint8_t *)"link",
                                         .command_line_size = 5};
    struct snap_thread thread = {.pid = 7, .tid = 8, .name = "worker"};
    struct program_name name;

    assert_int_equal(program_name_read(&name, &process), STATUS_OK);
    assert_int_equal(program_name_thread(&name, &thread), STATUS_OK);
    assert_string_equal(program_name_text(&name), "/bin/file");
    thread.name = "link";
    assert_int_equal(program_name_thread(&name, &thread), STATUS_OK);
    assert_string_equal(program_name_text(&name), "link");
    program_name_deinit(&name);
}
