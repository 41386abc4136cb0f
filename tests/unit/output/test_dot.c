/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/dot.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"evil", .start = 0x4000, .name = "a\"b\\c&lt;<T>\n\\N", .file = "d\"\\.c", .line = 200},
    {"h", .module = 1, .start = 0x5000, .name = "operator new(unsigned long)"},
    {"x", .module = 2, .start = 0x6000, .is_nameless = true},
    {0},
};

static char *make_dot(struct fixture *f, enum graph_by by, const struct callgraph_options *options,
                      const char *title)
{
    struct callgraph *graph;
    struct capture capture;

    graph = fixture_graph(f, by, options);
    assert_int_equal(dot_write(graph, &(struct dot_options){.title = title},
                               capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    return capture.text;
}

static void add_samples(struct fixture *f, bool backwards)
{
    static const struct {
        const char *chain;
        uint64_t samples;
    } SAMPLES[] = {
        {"start main f h", 50},        {"start main/4 f h", 20}, {"start main evil/1 h", 10},
        {"start main f!fp x", 10},     {"start main f f", 6},    {"@beef", 2},
        {"start main evil lib@99", 2},
    };
    size_t count = sizeof(SAMPLES) / sizeof(SAMPLES[0]);

    for (size_t i = 0; i < count; i++) {
        size_t at = backwards ? count - 1 - i : i;

        fixture_add(f, "t", 1, SAMPLES[at].chain, SAMPLES[at].samples);
    }
}

TEST_OF(dot_graph_is_the_golden_one, fixture, f, FUNCTIONS)
{
    struct callgraph_options options = {0};
    char *dot;

    add_samples(f, false);
    dot = make_dot(f, GRAPH_BY_FUNCTION, &options, "prog \"x\" (pid 7)");
    assert_golden("graph-function.dot", dot);
    free(dot);
    options = (struct callgraph_options){.nodes = 4, .edge_fraction = 0.1};
    dot = make_dot(f, GRAPH_BY_FUNCTION, &options, "prog (pid 7)");
    assert_golden("graph-trimmed.dot", dot);
    free(dot);
    options = (struct callgraph_options){0};
    dot = make_dot(f, GRAPH_BY_MODULE, &options, NULL);
    assert_golden("graph-module.dot", dot);
    free(dot);
}

TEST(dot_order_of_samples_does_not_matter)
{
    struct callgraph_options options = CALLGRAPH_DEFAULTS;
    struct fixture f[2];
    char *dot[2];

    for (int i = 0; i < 2; i++) {
        fixture_init(&f[i], FUNCTIONS);
        add_samples(&f[i], i == 1);
        dot[i] = make_dot(&f[i], GRAPH_BY_FUNCTION, &options, "t");
    }
    assert_string_equal(dot[0], dot[1]);
    for (int i = 0; i < 2; i++) {
        free(dot[i]);
        fixture_deinit(&f[i]);
    }
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

TEST(dot_of_a_hundred_functions_shows_eighty)
{
    struct callgraph_options options = CALLGRAPH_DEFAULTS;
    struct fixture_function functions[101] = {0};
    char names[100][8];
    struct fixture f;
    char *dot;

    for (uint32_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof(names[i]), "f%02u", i);
        functions[i] = (struct fixture_function){.alias = names[i],
                                                 .start = 0x1000 * (i + 1),
                                                 .name = names[i]};
    }
    fixture_init(&f, functions);
    for (uint32_t i = 1; i < 100; i++) {
        char chain[16];

        snprintf(chain, sizeof(chain), "f00 f%02u", i);
        fixture_add(&f, "t", 1, chain, i == 1 ? 2 : 1);
    }
    dot = make_dot(&f, GRAPH_BY_FUNCTION, &options, "t");
    assert_int_equal(count_of(dot, "fillcolor=\"#") - 1, 80);
    assert_non_null(strstr(dot, "80 functions, 79 calls shown\\l"
                                "left out: 20 functions with 20 % of the weight in themselves, "
                                "20 calls\\l"));
    /* Of those with the same weight, the first by name. */
    assert_non_null(strstr(dot, "\"f79\\n"));
    assert_null(strstr(dot, "\"f80\\n"));
    free(dot);
    fixture_deinit(&f);
}

/* Functions of which each calls the next one only, and the last two others. */
static char *run_dot(struct fixture *f, const struct dot_options *how, uint32_t length)
{
    static struct fixture_function functions[64];
    static char names[63][8];
    const struct callgraph_options options = {.runs = true};
    struct callgraph *graph;
    char chain[512] = "";
    struct capture capture;

    for (uint32_t i = 0; i < 63; i++) {
        snprintf(names[i], sizeof(names[i]), "f%02u", i);
        functions[i] = (struct fixture_function){.alias = names[i],
                                                 .start = 0x1000 * (i + 1),
                                                 .name = names[i],
                                                 .file = "f.c",
                                                 .line = 10 * i + 1};
    }
    fixture_init(f, functions);
    for (uint32_t i = 0; i < length; i++) {
        strcat(chain, names[i]);
        strcat(chain, " ");
    }
    strcat(chain, "f61");
    fixture_add(f, "t", 1, chain, 6);
    strcpy(strstr(chain, "f61"), "f62");
    fixture_add(f, "t", 1, chain, 4);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &options);
    assert_int_equal(dot_write(graph, how, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    return capture.text;
}

TEST(dot_run_is_a_box_that_names_all)
{
    const uint32_t ids[] = {70, 71, 72, 73, 74, 75, 76};
    const struct dot_options how = {.cluster = CLUSTER_MODULE};
    struct fixture f;
    char *dot = run_dot(&f, &how, 5);

    assert_non_null(strstr(dot, "7 functions in 3 boxes, 6 calls shown\\l"));
    assert_non_null(strstr(dot, "several names in a box: each calls the next one only\\l"));
    assert_non_null(strstr(dot, "n0 [label=\"f00\\nf01\\nf02\\nf03\\nf04\\n100.0% (10)\""));
    assert_non_null(strstr(dot, " id=n0_1_2_3_4]"));
    assert_non_null(strstr(dot, "tooltip=\"f00  100.0% (10), calls at f.c:17\\n"
                                "f01  100.0% (10), calls at f.c:27\\n"));
    assert_non_null(strstr(dot, "\\nf04  100.0% (10)\\n/usr/bin/prog\""));
    assert_non_null(strstr(dot, "n0 -> n5 [label="));
    assert_non_null(strstr(dot, " id=e4_5,"));
    assert_int_equal(count_of(dot, " -> n"), 2);
    free(dot);
    fixture_deinit(&f);
    dot = run_dot(&f, &(struct dot_options){.ids = ids}, 5);
    assert_non_null(strstr(dot, " id=n70_71_72_73_74]"));
    assert_non_null(strstr(dot, " id=e74_75,"));
    free(dot);
    fixture_deinit(&f);
}

TEST(dot_long_run_shows_its_ends)
{
    const struct dot_options how = {.cluster = CLUSTER_MODULE};
    struct fixture f;
    char *dot = run_dot(&f, &how, 6);

    assert_non_null(strstr(dot, "[label=\"f00\\nf01\\nf02\\n\xe2\x80\xa6 2 more\\nf05\\n100.0%"));
    free(dot);
    fixture_deinit(&f);
    dot = run_dot(&f, &how, 40);
    assert_non_null(strstr(dot, "42 functions in 4 boxes"));
    assert_non_null(strstr(dot, "\xe2\x80\xa6 28 more\\nf31\\n100.0%"));
    assert_non_null(strstr(dot, "\xe2\x80\xa6 4 more\\nf39\\n100.0%"));
    free(dot);
    fixture_deinit(&f);
}

/* Each label has room in its box, in a font as wide as Arial, whatever Graphviz lays out with. */
TEST(dot_boxes_have_room_for_their_labels)
{
    assert_int_equal(dot_text_sans("W"), 944);
    assert_int_equal(dot_text_sans("i\\nWi\\ni"), 944 + 222);
    assert_int_equal(dot_text_sans("\\\"\\\\&amp;"), 355 + 278 + 667);
    assert_int_equal(dot_text_sans(""), 0);
}

/* Not either what XML has not, which Graphviz passes on. */
TEST(dot_text_has_no_markup)
{
    struct capture capture;
    FILE *out = capture_begin(&capture);

    dot_put_text(out, "\"a\\&lt;\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd\n");
    dot_put_lines(out, "b\n\xef\xbf\xbe");
    assert_captured(&capture, "\\\"a\\\\&amp;lt;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\n"
                              "b\\l\xef\xbf\xbd");
}
