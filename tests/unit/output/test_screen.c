/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "output/screen.h"

struct shown {
    char *text;
    size_t size;
    FILE *to, *screen;
    unsigned begun;
};

static void count_begin(void *context)
{
    struct shown *shown = context;

    shown->begun++;
}

static void begin(struct shown *shown, struct screen_options options)
{
    memset(shown, 0, sizeof(*shown));
    shown->to = open_memstream(&shown->text, &shown->size);
    options.to = shown->to;
    options.begin = count_begin;
    options.context = shown;
    shown->screen = screen_open(&options);
    assert_non_null(shown->screen);
}

static void end(struct shown *shown, const char *want)
{
    assert_int_equal(fclose(shown->screen), 0);
    fclose(shown->to);
    assert_string_equal(shown->text, want);
    free(shown->text);
}

TEST(screen_without_wishes_changes_nothing)
{
    static const char text[] = "a\tb\n\n 50.00% x [y]\nno end";
    struct shown shown;

    begin(&shown, (struct screen_options){0});
    fputs(text, shown.screen);
    end(&shown, text);
}

TEST(screen_cuts_lines_to_the_width)
{
    struct shown shown;

    begin(&shown, (struct screen_options){.columns = 5});
    fputs("\n12345\n123456\n\nab漢\nab漢c\nabc漢d\nabcde\xcc\x81\nabcde", shown.screen);
    fputs("f", shown.screen);
    end(&shown, "\n12345\n1234…\n\nab漢\nab漢c\nabc…\nabcde\xcc\x81\nabcd…");
}

TEST(screen_colours_what_is_left_of_a_line)
{
    struct shown shown;

    begin(&shown, (struct screen_options){.columns = 16, .colour = true});
    fputs(" 50.00%  f [prog]\n 50.00%  f [pro]\nplain\n", shown.screen);
    end(&shown, " \033[1m50.00%\033[m  f \033[2m[pro\033[m…\n"
                " \033[1m50.00%\033[m  f \033[2m[pro]\033[m\nplain\n");
}

TEST(screen_learns_of_caveats_late)
{
    const char *caveats = NULL;
    struct shown shown;

    begin(&shown, (struct screen_options){.colour = true, .caveats = &caveats});
    fputs("lost\n", shown.screen);
    fflush(shown.screen);
    caveats = "lost\n";
    fputs("lost\n", shown.screen);
    end(&shown, "lost\n\033[33mlost\033[m\n");
}

TEST(screen_tells_of_its_first_byte_once)
{
    struct shown shown;

    begin(&shown, (struct screen_options){.columns = 80});
    fflush(shown.screen);
    assert_int_equal(shown.begun, 0);
    fputs("a", shown.screen);
    fflush(shown.screen);
    fputs("b\n", shown.screen);
    fflush(shown.screen);
    assert_int_equal(shown.begun, 1);
    end(&shown, "ab\n");
}

/* Longer than any buffer, so that it is refused before the last flush. */
TEST(screen_fails_at_its_end_as_well)
{
    const struct screen_options options = {.to = fopen("/dev/full", "w"), .columns = 1000000};
    FILE *screen = screen_open(&options);

    assert_non_null(options.to);
    for (unsigned i = 0; i < 100000; i++)
        putc('x', screen);
    assert_int_not_equal(fclose(screen), 0);
    fclose(options.to);
}

TEST(screen_fails_as_what_is_behind_it)
{
    const struct screen_options options = {.to = fopen("/dev/full", "w"), .columns = 80};
    FILE *screen = screen_open(&options);

    assert_non_null(options.to);
    fputs("a line\n", screen);
    assert_int_not_equal(fflush(screen), 0);
    assert_true(ferror(screen));
    fclose(screen);
    fclose(options.to);
}
