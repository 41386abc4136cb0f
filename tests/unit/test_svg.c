/* SPDX-License-Identifier: MIT */
/* Numbers and text for pictures. */
#include "graph_fixture.h"
#include "output/svg.h"

static void assert_cut(const char *text, size_t cells, const char *want)
{
    struct capture capture;

    svg_text_cut(capture_begin(&capture), text, cells);
    assert_string_equal(capture_end(&capture), want);
    free(capture.text);
}

static void text_is_escaped(void **state)
{
    struct capture capture;

    (void)state;
    svg_text(capture_begin(&capture), "a<b> & \"c\" 'd' \xef\xbf\xbe \xc3\xa9");
    assert_string_equal(capture_end(&capture),
                        "a&lt;b&gt; &amp; &quot;c&quot; 'd' \xef\xbf\xbd \xc3\xa9");
    free(capture.text);
}

static void text_is_cut_to_its_cells(void **state)
{
    (void)state;
    assert_cut("abcdef", 6, "abcdef");
    assert_cut("abcdef", 5, "abcd\xe2\x80\xa6");
    assert_cut("<<<<", 3, "&lt;&lt;\xe2\x80\xa6");
    assert_cut("\xc3\xa9\xc3\xa9\xc3\xa9", 2, "\xc3\xa9\xe2\x80\xa6");
    assert_cut("abc", 1, "\xe2\x80\xa6");
    assert_cut("abc", 0, "");
    assert_cut("", 0, "");
    /* Two cells each. */
    assert_cut("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 4, "\xe4\xb8\xad\xe2\x80\xa6");
    assert_int_equal(svg_text_cells("a\xe4\xb8\xad\xc3\xa9\xf0\x9f\x98\x80\xe2\x80\xa6"), 7);
}

static void numbers_have_at_most_one_decimal(void **state)
{
    struct capture capture;

    (void)state;
    svg_number(capture_begin(&capture), 120);
    fputc(' ', capture.file);
    svg_number(capture.file, 5);
    fputc(' ', capture.file);
    svg_rect(capture.file, 10, 21, 32, 40, "r");
    assert_string_equal(capture_end(&capture),
                        "12 0.5 <rect x=\"1\" y=\"2.1\" width=\"3.2\" height=\"4\" class=\"r\"");
    free(capture.text);
}

static void the_middle_is_cut_and_the_end_stays(void **state)
{
    static const struct {
        const char *text, *want;
        size_t cells, end;
    } cases[] = {
        {"abcdef", "abcdef", 6, 2},
        {"abcdef",
         "ab\xe2\x80\xa6"
         "ef",
         5, 2},
        {"abcdef",
         "\xe2\x80\xa6"
         "ef",
         3, 2},
        {"abcdef",
         "\xe2\x80\xa6"
         "f",
         2, 9},
        {"abcdef", "", 0, 9},
        {"a<\xe4\xb8\xad\xe4\xb8\xad>&", "a&lt;\xe2\x80\xa6&gt;&amp;", 6, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct capture capture;

        svg_text_middle(capture_begin(&capture), cases[i].text, cases[i].cells, cases[i].end);
        assert_string_equal(capture_end(&capture), cases[i].want);
        free(capture.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(text_is_cut_to_its_cells),
        cmocka_unit_test(numbers_have_at_most_one_decimal),
        cmocka_unit_test(the_middle_is_cut_and_the_end_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
