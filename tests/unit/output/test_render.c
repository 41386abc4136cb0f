/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "output/render.h"

static const char SMALL[] = "digraph g { a [label=\"f\\n12\"]; a -> b; }";

static const struct render_options usual = {.format = RENDER_SVG, .seconds = RENDER_SECONDS};

static void assert_picture(enum render_format format, bool confined, const char *begin)
{
    struct capture capture;
    struct diag diag = {0};

    assert_int_equal(render_dot(SMALL,
                                &(struct render_options){.format = format,
                                                         .seconds = RENDER_SECONDS,
                                                         .confined = confined},
                                capture_begin(&capture), &diag),
                     STATUS_OK);
    capture_end(&capture);
    assert_true(capture.size > strlen(begin));
    assert_memory_equal(capture.text, begin, strlen(begin));
    free(capture.text);
}

TEST(render_draws_each_format)
{
    assert_picture(RENDER_SVG, false, "<?xml");
    assert_picture(RENDER_PNG, false, "\x89PNG");
    assert_picture(RENDER_PDF, false, "%PDF");
}

TEST(render_draws_each_format_confined)
{
    assert_picture(RENDER_SVG, true, "<?xml");
    assert_picture(RENDER_PNG, true, "\x89PNG");
    assert_picture(RENDER_PDF, true, "%PDF");
}

TEST(render_bad_dot_is_refused_with_a_reason)
{
    struct capture capture;
    struct diag diag = {0};

    assert_int_equal(render_dot("digraph {{{", &usual, capture_begin(&capture), &diag),
                     STATUS_UNSUPPORTED);
    capture_end(&capture);
    assert_int_equal(capture.size, 0);
    assert_non_null(strstr(diag.what, "Graphviz does not read the graph"));
    free(capture.text);
}

/* A dense graph of 1,200 nodes takes dot minutes. */
TEST(render_layout_that_takes_too_long_is_given_up)
{
    struct capture dot;
    struct capture picture;
    struct diag diag = {0};
    struct timespec before;
    struct timespec after;
    FILE *out = capture_begin(&dot);

    fputs("digraph g {\n", out);
    for (unsigned i = 0; i < 1200; i++)
        for (unsigned j = 1; j < 12; j++)
            fprintf(out, "n%u -> n%u;\n", i, (i * 7 + j * j * 31) % 1200);
    fputs("}\n", out);
    capture_end(&dot);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(render_dot(dot.text,
                                &(struct render_options){.format = RENDER_SVG, .seconds = 1},
                                capture_begin(&picture), &diag),
                     STATUS_UNSUPPORTED);
    clock_gettime(CLOCK_MONOTONIC, &after);
    capture_end(&picture);
    assert_int_equal(picture.size, 0);
    assert_non_null(strstr(diag.what, "did not finish the layout in 1 s"));
    assert_true(after.tv_sec - before.tv_sec <= 5);
    /* Nothing is left behind. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    free(dot.text);
    free(picture.text);
}

TEST(render_to_a_full_disk_is_an_error)
{
    struct diag diag = {0};
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    assert_int_equal(render_dot(SMALL, &usual, full, &diag), STATUS_IO);
    fclose(full);
}
