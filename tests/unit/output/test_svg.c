/* SPDX-License-Identifier: MIT */
/* Numbers and text for pictures. */
#include "graph_fixture.h"
#include "output/svg.h"
#include "output/svg_fit.h"

static void assert_cut(const char *text, size_t cells, const char *want)
{
    struct capture capture;

    svg_text_cut(capture_begin(&capture), text, cells);
    assert_captured(&capture, want);
}

TEST(text_is_escaped)
{
    struct capture capture;

    svg_text(capture_begin(&capture), "a<b> & \"c\" 'd' \xef\xbf\xbe \xc3\xa9");
    assert_captured(&capture, "a&lt;b&gt; &amp; &quot;c&quot; 'd' \xef\xbf\xbd \xc3\xa9");
}

TEST(text_is_cut_to_its_cells)
{
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
    assert_int_equal(svg_text_cells("\xe2\x9a\xa1\xe2\x87\x92"), 3); /* U+26A1, U+21D2 */
}

TEST(numbers_have_at_most_one_decimal)
{
    struct capture capture;

    svg_number(capture_begin(&capture), 120);
    fputc(' ', capture.file);
    svg_number(capture.file, 5);
    fputc(' ', capture.file);
    svg_rect(capture.file, 10, 21, 32, 40, "r");
    assert_captured(&capture,
                    "12 0.5 <rect x=\"1\" y=\"2.1\" width=\"3.2\" height=\"4\" class=\"r\"");
}

TEST(the_middle_is_cut_and_the_end_stays)
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

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct capture capture;

        svg_text_middle(capture_begin(&capture), cases[i].text, cases[i].cells, cases[i].end);
        assert_captured(&capture, cases[i].want);
    }
}

TEST(text_is_measured_in_a_sans_serif_font)
{
    assert_int_equal(svg_text_sans(""), 0);
    assert_int_equal(svg_text_sans(" ~"), 278 + 584);
    assert_int_equal(svg_text_sans("iW_\xc2\xa0"), 222 + 944 + 556 + 278);
    assert_int_equal(svg_text_sans("\xe2\x80\xa6\xe4\xb8\xad\xc3\xa9"), 1000 + 1000 + 667);
}

static void assert_fit(const char *svg, const char *want)
{
    struct capture capture;

    svg_fit(svg, strlen(svg), capture_begin(&capture));
    assert_captured(&capture, want);
}

#define FIT "\" lengthAdjust=\"spacingAndGlyphs\">"

TEST(graphviz_text_gets_its_length)
{
    assert_fit("<g><text x=\"1\" font-size=\"10.00\">WW</text></g>",
               "<g><text x=\"1\" font-size=\"10.00\" textLength=\"18.8" FIT "WW</text></g>");
    assert_fit("<text font-size=\"12.5\" fill=\"#fff\">0</text><text font-size=\"9\">0</text>",
               "<text font-size=\"12.5\" fill=\"#fff\" textLength=\"6.9" FIT
               "0</text><text font-size=\"9\" textLength=\"5" FIT "0</text>");
    /* Entities are characters; spaces at the ends are not drawn, others are. */
    assert_fit("<text font-size=\"10\"> &amp;&lt; &#45;&#160; </text>",
               "<text font-size=\"10\" textLength=\"21.4" FIT " &amp;&lt; &#45;&#160; </text>");
}

TEST(what_is_no_text_of_graphviz_stays)
{
    static const char *const SAME[] = {
        "",
        "<g/>",
        "<text font-size=\"10\">a",
        "<text font-size=\"10\"",
        "<text >a</text>",
        "<text font-size=\"\">a</text>",
        "<text font-size=\"x\">a</text>",
        "<text font-size=\"0.00\">a</text>",
        "<text font-size=\"10px\">a</text>",
        "<text font-size=\"10\"></text>",
        "<text font-size=\"10\"> </text>",
    };

    for (size_t i = 0; i < sizeof(SAME) / sizeof(SAME[0]); i++)
        assert_fit(SAME[i], SAME[i]);
}
