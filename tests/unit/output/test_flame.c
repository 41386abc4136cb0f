/* SPDX-License-Identifier: MIT */
/* What a flame graph looks like as text; tests/system/views.py parses whole ones. */
#include "graph_fixture.h"

#include "output/flame.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"h", .module = 1, .start = 0x5000},
    {"odd", .start = 0x6000, .name = "operator<<&\"\x1b[31m\xff\xef\xbf\xbf'"},
    {"long", .start = 0x7000,
     .name = "std::vector<std::map<std::string, std::pair<int, long> > >::find(int)"},
    {"noname", .start = 0x8000, .is_nameless = true},
    {0},
};

static char *draw(struct fixture *f, enum weight_kind weight, const struct flame_options *options)
{
    struct view *view = fixture_view(f, GRAPH_BY_FUNCTION, weight, NULL);
    struct capture capture;

    assert_int_equal(flame_write(view, options, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    return capture.text;
}

static void assert_has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("no %s in %s", what, text);
}

static void assert_has_not(const char *text, const char *what)
{
    if (strstr(text, what))
        fail_msg("%s in %s", what, text);
}

TEST_OF(flame_draws_a_frame_with_a_tooltip_and_a_label, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "main f", 3);
    fixture_add(f, "t", 1, "main h", 1);
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){.title = "prog (pid 7)"});
    assert_memory_equal(text, "<svg ", 5);
    assert_has(text, "\n<title>prog (pid 7)</title>\n");
    assert_has(text, "class=\"h\">prog (pid 7)</text>\n");
    assert_has(text, "class=\"q\">samples: 4</text>\n");
    assert_has(text,
               "<rect x=\"16\" y=\"128.5\" width=\"876\" height=\"19\" class=\"m0\"><title>f\n"
               "/usr/bin/prog\n75.00% (3 samples), self 75.00% (3 samples)</title></rect>\n"
               "<text x=\"21\" y=\"141.8\">f<tspan class=\"s\" dx=\"7\">75.00%</tspan></text>");
    assert_has(text,
               "<rect x=\"892\" y=\"128.5\" width=\"292\" height=\"19\" class=\"m1\"><title>h\n"
               "/usr/lib/libc.so.6\n25.00% (1 sample), self 25.00% (1 sample)</title>");
    assert_has(text, "class=\"k\">libc.so.6</text>");
    assert_has_not(text, "left out");
    assert_string_equal(text + strlen(text) - 7, "</svg>\n");
    free(text);
}

TEST_OF(flame_escapes_what_xml_does_not_have, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "odd", 1);
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){.title = "a<b>\n\xff&"});
    assert_has(text, "<title>a&lt;b&gt;?\xef\xbf\xbd&amp;</title>");
    assert_has(text, "<title>operator&lt;&lt;&amp;&quot;?[31m\xef\xbf\xbd\xef\xbf\xbd'\n");
    assert_has(text, ">operator&lt;&lt;&amp;&quot;?[31m\xef\xbf\xbd\xef\xbf\xbd'<tspan");
    free(text);
}

TEST_OF(flame_shortens_names_to_what_fits, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "main", 84);
    fixture_add(f, "t", 1, "main long", 8);
    fixture_add(f, "t", 1, "main noname", 7);
    fixture_add(f, "t", 1, "main f", 1);
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){0});
    /* Whole in the tooltip; by what is in brackets left out; by what tells it from others. */
    assert_has(text, "<title>std::vector&lt;std::map&lt;std::string, std::pair&lt;int, long&gt; "
                     "&gt; &gt;::find(int)\n");
    assert_has(text, ">std::vector\xe2\x80\xa6</text>");
    assert_has(text, ">pr\xe2\x80\xa6+0x8000</text>");
    assert_has_not(text, ">f<tspan");
    free(text);
}

TEST_OF(flame_tells_what_is_left_out, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "main f", 900);
    fixture_add(f, "t", 1, "main h", 60);
    fixture_add(f, "t", 1, "main long", 40);
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){.node_fraction = 0.1});
    assert_has(text, ">grey or left out: 10 % in frames of less than 10.00%</text>");
    assert_has(text, "class=\"o\"><title>2 more, left out\n10.00% (100 samples)</title></rect>\n");
    assert_has(text, ">2 more</text>");
    free(text);
    fixture_add_deepest(f, "f", "h");
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){.node_fraction = 0});
    assert_has(text, ">cut: 0.1 % in frames deeper than 250 levels; "
                     "--invert shows chains from their other end</text>");
    assert_has(text, "class=\"o n\"><title>1 more, cut here\n0.10% (1 sample)</title></rect>\n");
    free(text);
}

TEST_OF(flame_compares_by_colour, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "main f", 6000);
    fixture_add(f, "t", 1, "main h", 3900);
    fixture_add(f, "t", 1, "odd", 100);
    fixture_add_base(f, "t", 1, "main f", 5300);
    fixture_add_base(f, "t", 1, "main h", 4100);
    fixture_add_base(f, "t", 1, "odd", 101);
    fixture_add_base(f, "t", 1, "long", 499);
    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){0});
    assert_has(text, "class=\"r3\"><title>f\n/usr/bin/prog\n"
                     "60.00% (6000 samples), self 60.00% (6000 samples)\n"
                     "baseline 53.00% (5300 samples), change +7.00%</title>");
    assert_has(text, "class=\"l2\"><title>h\n");
    assert_has(text, "class=\"x\"><title>operator");
    assert_has(text, "change -0.01%, may be noise</title>");
    assert_has(text, ">h<tspan class=\"s\" dx=\"7\">-2.00%</tspan>");
    assert_has(text, ">without width: 5.0 % of the baseline, in calls that were not seen again<");
    assert_has(text, ">less than in the baseline</text>");
    free(text);
}

TEST_OF(flame_of_time_says_so, fixture, f, FUNCTIONS)
{
    char *text;

    fixture_add(f, "t", 1, "main", 3);
    text = draw(f, WEIGHT_WALL, &(struct flame_options){.caveats = "one\n  two\n"});
    assert_has(text, ">wall time: 3 µs</text>\n");
    assert_has(text, ">one</text>\n");
    assert_has(text, ">  two</text>\n");
    assert_has(text, "100.00% (3 µs), self 100.00% (3 µs)</title>");
    free(text);
}

/* 80,000 frames, each with a name of 4 KiB that is not the others'. */
TEST(flame_of_very_much_is_a_small_file)
{
    struct fixture_function functions[41];
    struct fixture f;
    uint32_t seed = 1;
    char *text;

    memset(functions, 0, sizeof(functions));
    for (uint32_t i = 0; i < 40; i++) {
        char *name = malloc(4097), *alias = malloc(12);

        assert_true(name && alias);
        snprintf(alias, 12, "%u", (unsigned)i);
        memset(name, '"', 4096);
        memcpy(name, alias, strlen(alias));
        name[4096] = '\0';
        functions[i] =
            (struct fixture_function){.alias = alias, .start = 0x1000 * (i + 1), .name = name};
    }
    fixture_init(&f, functions);
    for (uint32_t i = 0; i < 2000; i++) {
        char chain[256] = "";
        size_t length = 0;

        for (uint32_t j = 0; j < 40; j++) {
            seed = seed * 1103515245 + 12345;
            length += (size_t)snprintf(chain + length, sizeof(chain) - length, "%s%s", j ? " " : "",
                                       functions[(seed >> 16) % 40].alias);
        }
        fixture_add(&f, "t", 1, chain, 1);
    }
    text = draw(&f, WEIGHT_SAMPLES, &(struct flame_options){0});
    assert_has(text, " in frames that are not among the 8000 heaviest</text>");
    assert_true(strlen(text) < 8000000);
    free(text);
    fixture_deinit(&f);
    for (uint32_t i = 0; i < 40; i++) {
        free((char *)functions[i].alias);
        free((char *)functions[i].name);
    }
}

TEST_OF(flame_of_nothing_has_a_head, fixture, f, FUNCTIONS)
{
    char *text;

    text = draw(f, WEIGHT_SAMPLES, &(struct flame_options){0});
    assert_has(text, ">samples: 0</text>");
    assert_has(text, "</svg>\n");
    free(text);
}

TEST_OF(flame_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    fixture_add(f, "t", 1, "main", 1);
    assert_int_equal(flame_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 &(struct flame_options){0}, full),
                     STATUS_IO);
    fclose(full);
}
