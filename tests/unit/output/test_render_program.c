/* SPDX-License-Identifier: MIT */
/* A dot of ours, which is a script, in the place of Graphviz's. */
#include "graph_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/render_program.h"

#define TEXT "digraph g { a -> b; }"

static char directory[64], program[80], trace[80];

static void install(const char *script)
{
    FILE *file = fopen(program, "w");

    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    fclose(file);
    assert_int_equal(chmod(program, 0755), 0);
}

static int begin(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/render_program.XXXXXX");
    if (!mkdtemp(directory))
        return 1;
    snprintf(program, sizeof(program), "%s/dot", directory);
    snprintf(trace, sizeof(trace), "%s/trace", directory);
    return setenv("PATH", directory, 1);
}

static int end(void **state)
{
    (void)state;
    unlink(program);
    unlink(trace);
    return rmdir(directory) != 0;
}

/* The picture, malloc'ed. Nothing is left behind. */
static char *render(unsigned seconds, bool confined, enum status expected, struct diag *diag)
{
    struct render_options options = {.format = RENDER_PNG, .seconds = seconds};
    struct capture capture;

    assert_int_equal(render_program_begin(RENDER_PNG, confined, &options.renderer, diag),
                     STATUS_OK);
    assert_int_equal(render_dot(TEXT, &options, capture_begin(&capture), diag), expected);
    capture_end(&capture);
    render_end(options.renderer);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return capture.text;
}

TEST_WITH(render_program_is_given_the_format_and_the_text, begin, end)
{
    install("echo \"$@\"; exec /bin/cat");
    for (int confined = 0; confined < 2; confined++) {
        struct diag diag = {0};
        char *picture = render(RENDER_SECONDS, confined, STATUS_OK, &diag);

        assert_string_equal(picture, "-Tpng\n" TEXT);
        free(picture);
    }
}

TEST_WITH(render_program_that_is_not_there_is_told, begin, end)
{
    struct diag diag = {0};

    unlink(program);
    free(render(RENDER_SECONDS, true, STATUS_NOT_FOUND, &diag));
    assert_non_null(strstr(diag.what, "dot is not installed"));
}

TEST_WITH(render_program_is_not_taken_from_a_relative_directory, begin, end)
{
    struct diag diag = {0};
    int here = open(".", O_RDONLY | O_DIRECTORY);

    install("exec /bin/cat");
    assert_int_equal(chdir(directory), 0);
    setenv("PATH", ".::/nowhere", 1);
    free(render(RENDER_SECONDS, true, STATUS_NOT_FOUND, &diag));
    setenv("PATH", directory, 1);
    assert_int_equal(fchdir(here), 0);
    close(here);
}

TEST_WITH(render_program_fails_with_the_first_line_that_it_says, begin, end)
{
    struct diag diag = {0};

    install("echo 'Error: no such thing' >&2; echo more >&2; echo half a picture; exit 3");
    free(render(RENDER_SECONDS, true, STATUS_UNSUPPORTED, &diag));
    assert_string_equal(diag.what, "Error: no such thing");
}

TEST_WITH(render_program_that_takes_too_long_is_given_up, begin, end)
{
    struct diag diag = {0};

    install("exec /bin/sleep 60");
    free(render(1, true, STATUS_UNSUPPORTED, &diag));
    assert_non_null(strstr(diag.what, "did not finish the layout in 1 s"));
}

TEST_WITH(render_program_writes_no_file, begin, end)
{
    char script[256];
    struct diag diag = {0};
    struct stat st;

    snprintf(script, sizeof(script), "echo one >%s; echo two", trace);
    install(script);
    free(render(RENDER_SECONDS, false, STATUS_UNSUPPORTED, &diag)); /* a file must not grow */
    assert_true(stat(trace, &st) != 0 || st.st_size == 0);
}

TEST_WITH(render_program_that_is_not_needed_ends, begin, end)
{
    struct renderer *renderer;
    struct diag diag = {0};

    install("exec /bin/cat");
    assert_int_equal(render_program_begin(RENDER_SVG, true, &renderer, &diag), STATUS_OK);
    render_end(renderer);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    render_end(NULL);
}
