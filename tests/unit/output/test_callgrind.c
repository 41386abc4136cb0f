/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/callgrind.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"a", .start = 0x2000, .file = "src/a.c", .line = 10},
    {"b", .start = 0x3000, .file = "src/b.c", .line = 100},
    {"c", .start = 0x4000, .file = "src/c.c", .line = 200},
    {"s1", .start = 0x7000, .name = "helper", .file = "a.c", .line = 1},
    {"s2", .start = 0x8000, .name = "helper", .file = "b.c", .line = 1},
    {"inl", .start = 0x9000, .name = "outer", .file = "o.c", .line = 5, .inlined = "inner"},
    {"odd", .module = 1, .start = 0x1000, .name = "(1) o\ndd"},
    {0},
};

static const char HEAD[] =
    "# callgrind format\n"
    "version: 1\n"
    "creator: cgunwind " CG_VERSION "\n"
    "cmd: prog (pid 7)\n"
    "desc: Samples are not calls: \"calls\" are the samples in which a call was seen\n"
    "positions: line\n"
    "event: Samples : Samples\n"
    "event: Wall : Wall time (ns)\n"
    "event: Cpu : CPU time (ns)\n"
    "events: Samples Wall Cpu\n"
    "summary: ";

/* The text behind "summary: ", yours to free. */
static char *write_body(struct fixture *f, const struct graph_filter *filter)
{
    struct view *view = fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, filter);
    struct capture capture;
    char *body;

    assert_int_equal(callgrind_write(view, "prog (pid 7)", capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_memory_equal(capture.text, HEAD, sizeof(HEAD) - 1);
    body = strdup(capture.text + sizeof(HEAD) - 1);
    free(capture.text);
    return body;
}

static void assert_body(struct fixture *f, const char *want)
{
    char *body = write_body(f, NULL);

    assert_string_equal(body, want);
    free(body);
}

/* Readers show the first event: that is the weight that was chosen. */
TEST_OF(callgrind_weight_of_the_view_is_the_first_event, fixture, f, FUNCTIONS)
{
    struct capture capture;

    fixture_weigh(f, "t", 1, "start a", 'R', (struct weights){.value = {3, 70, 50}});
    assert_int_equal(callgrind_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_CPU, NULL), "p",
                                     capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "\nevent: Cpu : CPU time (ns)\nevent: Samples : Samples\n"
                                         "event: Wall : Wall time (ns)\nevents: Cpu Samples Wall\n"
                                         "summary: 50 3 70\n"));
    free(capture.text);
}

TEST_OF(callgrind_calls_cost_what_lies_below_them, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "start a b", 3);
    fixture_add(f, "t", 1, "start a/20 b", 2);
    fixture_add(f, "t", 1, "start a", 1);
    assert_body(f, "6 6000 60\n"
                   "\n"
                   "ob=(1) /usr/bin/prog\n"
                   "fl=(1) ???\n"
                   "fn=(1) _start\n"
                   "cob=(1)\n"
                   "cfi=(2) src/a.c\n"
                   "cfn=(3) a\n"
                   "calls=6 0\n"
                   "0 6 6000 60\n"
                   "\n"
                   "ob=(1)\n"
                   "fl=(2)\n"
                   "fn=(3)\n"
                   "26 1 1000 10\n"
                   "cob=(1)\n"
                   "cfi=(3) src/b.c\n"
                   "cfn=(5) b\n"
                   "calls=3 0\n"
                   "26 3 3000 30\n"
                   "cob=(1)\n"
                   "cfi=(3)\n"
                   "cfn=(5)\n"
                   "calls=2 0\n"
                   "42 2 2000 20\n"
                   "\n"
                   "ob=(1)\n"
                   "fl=(3)\n"
                   "fn=(5)\n"
                   "116 5 5000 50\n");
}

TEST_OF(callgrind_inlined_functions_are_called, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "inl/900", 1);
    assert_body(f, "1 1000 10\n"
                   "\n"
                   "ob=(1) /usr/bin/prog\n"
                   "fl=(1) o.c\n"
                   "fn=(1) inner\n"
                   "900 1 1000 10\n"
                   "\n"
                   "ob=(1)\n"
                   "fl=(1)\n"
                   "fn=(3) outer\n"
                   "cob=(1)\n"
                   "cfi=(1)\n"
                   "cfn=(1)\n"
                   "calls=1 0\n"
                   "2309 1 1000 10\n");
}

/*
 * Reads the format back as callgrind_annotate does, of one module and without fi=: self costs by
 * function, and inclusive ones: of what is called the sum of its calls, else what it spends itself
 * and in calls.
 */
struct tally {
    char names[64][64];
    uint64_t self[64], calls_to[64], calls_from[64];
};

static uint64_t inclusive(const struct tally *tally, const char *name)
{
    for (size_t i = 0; i < 64; i++)
        if (strcmp(tally->names[i], name) == 0)
            return tally->calls_to[i] ? tally->calls_to[i] : tally->self[i] + tally->calls_from[i];
    return 0;
}

/* The same by what a function calls; 0 also where the file has no lines of it. */
static uint64_t spent(const struct tally *tally, const char *name)
{
    for (size_t i = 0; i < 64; i++)
        if (strcmp(tally->names[i], name) == 0)
            return tally->self[i] + tally->calls_from[i];
    return 0;
}

static size_t read_name(struct tally *tally, const char *text)
{
    size_t id = strtoul(text + 1, NULL, 10);
    const char *name = strchr(text, ' ');

    assert_in_range(id, 1, 63);
    if (name)
        snprintf(tally->names[id], sizeof(tally->names[id]), "%s", name + 1);
    return id;
}

static void tally_body(struct tally *tally, char *body)
{
    bool is_call = false;
    size_t from = 0;
    size_t to = 0;

    *tally = (struct tally){.self = {0}};
    strsep(&body, "\n");
    for (char *line; (line = strsep(&body, "\n"));) {
        uint64_t cost;

        if (strncmp(line, "fn=", 3) == 0)
            from = read_name(tally, line + 3);
        if (strncmp(line, "cfn=", 4) == 0)
            to = read_name(tally, line + 4);
        if (strncmp(line, "calls=", 6) == 0)
            is_call = true;
        if (line[0] < '0' || line[0] > '9')
            continue;
        cost = strtoull(strchr(line, ' '), NULL, 10);
        if (is_call) {
            tally->calls_from[from] += cost;
            tally->calls_to[to] += cost;
        } else {
            tally->self[from] += cost;
        }
        is_call = false;
    }
}

TEST_OF(callgrind_recursion_does_not_count_twice, fixture, f, FUNCTIONS)
{
    struct tally tally;
    char *body;

    fixture_add(f, "t", 1, "start a a a a b", 3);
    fixture_add(f, "t", 1, "start a b a b a c", 2);
    fixture_add(f, "t", 1, "start a", 1);
    body = write_body(f, NULL);
    tally_body(&tally, body);
    assert_int_equal(inclusive(&tally, "_start"), 6);
    assert_int_equal(inclusive(&tally, "a"), 6);
    assert_int_equal(inclusive(&tally, "b"), 5);
    assert_int_equal(inclusive(&tally, "c"), 2);
    assert_int_equal(inclusive(&tally, "a'2"), 5);
    assert_int_equal(inclusive(&tally, "b'2"), 2);
    assert_null(strstr(body, "a'2'2"));
    free(body);
}

/* Where a function that is on the chain often already is called by one that is there first. */
TEST(callgrind_mutual_recursion_leaves_no_caller_out)
{
    static const char *const chains[] = {"start a a a b a c", "start a b a b a b"};
    static const char *const names[] = {"_start", "a", "b", "c"};

    for (size_t i = 0; i < 2; i++) {
        struct tally tally;
        struct fixture f;
        char *body;

        fixture_init(&f, FUNCTIONS);
        fixture_add(&f, "t", 1, chains[i], 5);
        body = write_body(&f, NULL);
        assert_non_null(strstr(body, ") src/b.c\n"));
        tally_body(&tally, body);
        for (size_t k = 0; k < (i == 0 ? 4 : 3); k++) {
            assert_int_equal(inclusive(&tally, names[k]), 5);
            assert_int_equal(spent(&tally, names[k]), 5);
        }
        assert_in_range(spent(&tally, "a'2"), 5, 10);
        free(body);
        fixture_deinit(&f);
    }
}

TEST_OF(callgrind_namesakes_are_two_and_names_cannot_break_the_format, fixture, f, FUNCTIONS)
{
    char *body;

    fixture_add(f, "t", 1, "odd s1", 1);
    fixture_add(f, "t", 1, "odd s2", 1);
    body = write_body(f, NULL);
    assert_non_null(strstr(body, ") helper@0x7000\n"));
    assert_non_null(strstr(body, ") helper@0x8000\n"));
    assert_non_null(strstr(body, ") (1) o?dd\n"));
    free(body);
}

TEST_OF(callgrind_hidden_functions_and_dropped_samples_are_not_there, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {0};
    char *body;

    fixture_add(f, "t", 1, "a b c", 1);
    fixture_add(f, "t", 1, "a s1", 4);
    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, "^b$", NULL), STATUS_OK);
    assert_int_equal(graph_filter_set(&filter, FILTER_IGNORE, "helper", NULL), STATUS_OK);
    body = write_body(f, &filter);
    assert_string_equal(body, "1 1000 10\n"
                              "\n"
                              "ob=(1) /usr/bin/prog\n"
                              "fl=(1) src/a.c\n"
                              "fn=(1) a\n"
                              "cob=(1)\n"
                              "cfi=(2) src/c.c\n"
                              "cfn=(3) c\n"
                              "calls=1 0\n"
                              "26 1 1000 10\n"
                              "\n"
                              "ob=(1)\n"
                              "fl=(2)\n"
                              "fn=(3)\n"
                              "216 1 1000 10\n");
    free(body);
    graph_filter_deinit(&filter);
}

/* Whatever the chains: self costs add up to the samples, and no function has more than all. */
TEST(callgrind_random_chains_add_up)
{
    static const char *const names[] = {"a", "b", "c"};
    uint32_t seed = 1;

    for (int round = 0; round < 20; round++) {
        uint64_t on_chain[3] = {0};
        uint64_t samples = 0;
        uint64_t self = 0;
        struct tally tally;
        struct fixture f;
        char *body;

        fixture_init(&f, FUNCTIONS);
        for (int i = 0; i < 100; i++) {
            char text[64] = "start";
            bool seen[3] = {false};

            for (uint32_t depth = 0; depth < 10; depth++) {
                uint32_t which;

                seed = seed * 1103515245 + 12345;
                which = (seed >> 16) % 3;
                seen[which] = true;
                strcat(strcat(text, " "), names[which]);
            }
            fixture_add(&f, "t", 1, text, 1 + (seed >> 24) % 3);
            samples += 1 + (seed >> 24) % 3;
            for (size_t k = 0; k < 3; k++)
                on_chain[k] += seen[k] ? 1 + (seed >> 24) % 3 : 0;
        }
        body = write_body(&f, NULL);
        tally_body(&tally, body);
        for (size_t i = 0; i < 64; i++)
            self += tally.self[i];
        assert_int_equal(self, samples);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(inclusive(&tally, names[k]), on_chain[k]);
            assert_int_equal(spent(&tally, names[k]), on_chain[k]);
        }
        free(body);
        fixture_deinit(&f);
    }
}

TEST_OF(callgrind_deepest_chain_is_four_functions, fixture, f, FUNCTIONS)
{
    struct tally tally;
    char *body;

    fixture_add_deepest(f, "a", "b");
    body = write_body(f, NULL);
    tally_body(&tally, body);
    assert_int_equal(inclusive(&tally, "a"), 1);
    assert_int_equal(inclusive(&tally, "b"), 1);
    assert_int_equal(inclusive(&tally, "a'2"), 1);
    assert_int_equal(inclusive(&tally, "b'2"), 1);
    free(body);
}

TEST_OF(callgrind_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    fixture_add(f, "t", 1, "a", 1);
    assert_int_equal(callgrind_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), NULL,
                                     full),
                     STATUS_IO);
    fclose(full);
}
