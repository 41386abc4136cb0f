/* SPDX-License-Identifier: MIT */
/* Traces of calls: exact counts in the graph, and what is told of what cannot be read. */
#include "elf_fixture.h"
#include "graph_fixture.h"

#include "graph/calltrace.h"
#include "output/dot.h"
#include "output/folded.h"
#include "output/tree.h"

#define BIAS UINT64_C(0x555555554000)

/* In the code of elf_fixture.h's file. */
static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x401000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x402000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x403000, .file = "src/g.c", .line = 200},
    {0},
};

struct traced {
    struct fixture f;
    struct calltrace trace;
    struct diag diag;
    enum status status;
    struct view *view;
    struct callgraph *graph; /* not trimmed */
};

struct text {
    const char *at;
    size_t left, chunk;
    void (*more)(struct text *text); /* what comes when none is left; may be NULL */
    unsigned turn;
};

static int64_t read_text(void *context, void *buffer, uint64_t size)
{
    struct text *text = context;
    size_t n = text->chunk;

    if (text->left == 0 && text->more)
        text->more(text);
    n = n < size ? n : (size_t)size;
    n = n < text->left ? n : text->left;
    if (n)
        memcpy(buffer, text->at, n);
    text->at += n;
    text->left -= n;
    return (int64_t)n;
}

static void traced_run(struct traced *t, struct text *text, uint64_t isa_bit)
{
    const struct view_options options = {.weight = WEIGHT_CALLS};
    const struct callgraph_options all = {0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct calltrace_options how = {.name = "trace", .load_bias = BIAS, .isa_bit = isa_bit};

    memset(t, 0, sizeof(*t));
    fixture_init(&t->f, FUNCTIONS);
    fixture_text(elf, 0x8000);
    fixture_finish(elf);
    t->f.modules[0].image = fixture_open(elf);
    how.module = &t->f.modules[0];
    t->status = calltrace_read(read_text, text, &how, t->f.profile, &t->trace, &t->diag);
    assert_int_equal(profile_resolve(t->f.profile, t->f.names), STATUS_OK);
    assert_int_equal(view_create(t->f.profile, &options, &t->view), STATUS_OK);
    assert_int_equal(callgraph_create(t->view, &all, &t->graph), STATUS_OK);
}

/* Lines of letters: M, F and G enter main, f and g; m, f and g leave them. */
static void traced_calls(struct traced *t, const char *calls, size_t chunk)
{
    static const char letters[] = "MFGmfg";
    char lines[4096];
    size_t len = 0;
    struct text text = {.at = lines, .chunk = chunk};

    for (; *calls; calls++) {
        size_t which = (size_t)(strchr(letters, *calls) - letters);

        len +=
            (size_t)snprintf(lines + len, sizeof(lines) - len, "%c0x%llx\n", which < 3 ? 'E' : 'X',
                             (unsigned long long)(BIAS + FUNCTIONS[which % 3].start));
    }
    text.left = len;
    traced_run(t, &text, 0);
}

static void traced_deinit(struct traced *t)
{
    callgraph_destroy(t->graph);
    view_destroy(t->view);
    elf_image_close(t->f.modules[0].image);
    fixture_deinit(&t->f);
}

static const char *name_of(const struct traced *t, uint32_t node)
{
    return t->view->nodes[t->graph->nodes[node].view_node].label;
}

static uint64_t calls_of(const struct traced *t, const char *name)
{
    for (uint32_t i = 0; i < t->graph->node_count; i++)
        if (strcmp(name_of(t, i), name) == 0)
            return t->graph->nodes[i].self;
    return 0;
}

static const struct callgraph_edge *edge_of(const struct traced *t, const char *from,
                                            const char *to)
{
    for (size_t i = 0; i < t->graph->edge_count; i++)
        if (strcmp(name_of(t, t->graph->edges[i].from), from) == 0 &&
            strcmp(name_of(t, t->graph->edges[i].to), to) == 0)
            return &t->graph->edges[i];
    fail_msg("no edge from %s to %s", from, to);
    return NULL;
}

static void assert_edge(const struct traced *t, const char *from, const char *to, uint64_t calls,
                        uint64_t first)
{
    assert_int_equal(edge_of(t, from, to)->calls, calls);
    assert_int_equal(edge_of(t, from, to)->first, first);
}

/* main calls f twice, which calls itself once and g three times, and g once. */
TEST(calltrace_counts_each_call)
{
    static const size_t CHUNKS[] = {1, 7, 100000};

    for (size_t i = 0; i < 3; i++) {
        struct traced t;

        traced_calls(&t, "MFFGgffFGgGgfGgm", CHUNKS[i]);
        assert_int_equal(t.status, STATUS_OK);
        assert_int_equal(t.trace.lines, 16);
        assert_int_equal(t.trace.calls, 8);
        assert_int_equal(t.trace.max_depth, 4);
        assert_int_equal(t.trace.functions, 3);
        assert_int_equal(t.trace.functions_outside, 0);
        assert_int_equal(t.trace.bad.count + t.trace.unpaired.count + t.trace.left_open, 0);
        assert_int_equal(calls_of(&t, "main"), 1);
        assert_int_equal(calls_of(&t, "f"), 3);
        assert_int_equal(calls_of(&t, "g"), 4);
        assert_int_equal(t.graph->edge_count, 4);
        assert_edge(&t, "main", "f", 2, 2);
        assert_edge(&t, "f", "f", 1, 3);
        assert_edge(&t, "f", "g", 3, 4);
        assert_edge(&t, "main", "g", 1, 8);
        assert_int_equal(t.graph->site_count, 0); /* where a function begins is no call */
        traced_deinit(&t);
    }
}

TEST(calltrace_graph_is_the_golden_one)
{
    struct traced t;
    struct dot_options options = {.title = "prog: calls in trace", .sequence = true};
    struct capture capture;

    traced_calls(&t, "MFFGgffFGgGgfGgm", 100);
    assert_int_equal(dot_write(t.graph, &options, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "graph-calls.dot");
    assert_int_equal(tree_write(t.view, &(struct tree_options){0}, capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, "calls: 8\n\n"
                              "   total     self       calls  function [module]\n"
                              " 100.00%   12.50%           1  main [prog]\n"
                              "  75.00%   25.00%           2  |-- f [prog]\n"
                              "  25.00%   25.00%           2  |   |-- g [prog]\n"
                              "  25.00%   12.50%           1  |   `-- f [prog]\n"
                              "  12.50%   12.50%           1  |       g [prog]\n"
                              "  12.50%   12.50%           1  `-- g [prog]\n");
    assert_int_equal(folded_write(t.view, capture_begin(&capture)), STATUS_OK);
    assert_captured(&capture, "prog;main 1\nprog;main;f 2\nprog;main;f;f 1\n"
                              "prog;main;f;f;g 1\nprog;main;f;g 2\n"
                              "prog;main;g 1\n");
    traced_deinit(&t);
}

TEST(calltrace_exit_closes_what_was_called_from_there)
{
    /* f and g write no exits: main's closes them, and what comes next is called by nobody. */
    struct traced t;

    traced_calls(&t, "MFGmG", 100);
    assert_int_equal(t.trace.unpaired.count, 1);
    assert_int_equal(t.trace.unpaired.line, 4);
    assert_non_null(strstr(t.trace.unpaired.text, "wrote no exit before 'X0x555555955000'"));
    assert_int_equal(t.trace.left_open, 1);
    assert_int_equal(calls_of(&t, "g"), 2);
    assert_edge(&t, "f", "g", 1, 3);
    traced_deinit(&t);
}

TEST(calltrace_exit_of_nothing_is_told_and_ignored)
{
    struct traced t;

    traced_calls(&t, "mMgFfFmf", 100);
    assert_int_equal(t.trace.unpaired.count, 4);
    assert_int_equal(t.trace.unpaired.line, 1);
    assert_non_null(strstr(t.trace.unpaired.text, "the function is not open"));
    assert_int_equal(t.trace.calls, 3);
    assert_edge(&t, "main", "f", 2, 2);
    traced_deinit(&t);
}

static void traced_text(struct traced *t, const char *text, uint64_t isa_bit)
{
    struct text input = {.at = text, .left = strlen(text), .chunk = 64};

    traced_run(t, &input, isa_bit);
}

TEST(calltrace_bad_lines_are_told_and_left_out)
{
    struct traced t;

    traced_text(&t,
                "E0x555555955000\n"
                "\n"
                "E0x5555zz\n"
                "0x555555956000 0x555555955010\n"
                "E0x555555956000\n"
                "X0x555555956000\n"
                "X0x55555595",
                0);
    assert_int_equal(t.status, STATUS_OK);
    assert_int_equal(t.trace.bad.count, 2);
    assert_int_equal(t.trace.bad.line, 3);
    assert_string_equal(t.trace.bad.text, "is no record: 'E0x5555zz'");
    assert_true(t.trace.cut_short);
    assert_int_equal(t.trace.lines, 6);
    assert_int_equal(t.trace.left_open, 1);
    assert_int_equal(t.trace.calls, 2);
    assert_edge(&t, "main", "f", 1, 2);
    traced_deinit(&t);
}

TEST(calltrace_pairs_have_call_sites)
{
    /* The call site is behind the call: of f's first byte, it is in main. */
    struct traced t;
    const struct callgraph_edge *edge;

    traced_text(&t,
                "0x555555955000 0x7f0000001000\n"
                "555555956000 555555955011\n"
                "555555956000 555555955021\n"
                "555555956000 555555955011\n"
                "555555957000 555555956000\n"
                "E0x555555957000\n",
                0);
    edge = edge_of(&t, "main", "f");
    assert_true(t.trace.has_pairs);
    assert_int_equal(t.trace.calls, 5);
    assert_int_equal(t.trace.bad.count, 1);
    assert_string_equal(t.trace.bad.text,
                        "is of another kind than those before: 'E0x555555957000'");
    assert_edge(&t, "[unknown]+0x7f0000001000", "main", 1, 1);
    assert_edge(&t, "main", "f", 3, 2);
    assert_edge(&t, "main", "g", 1, 5);
    assert_int_equal(edge->site_count, 2);
    assert_int_equal(t.graph->sites[edge->site_first].weight, 2);
    assert_int_equal(t.graph->sites[edge->site_first].line, 10 + 0x10);
    traced_deinit(&t);
}

TEST(calltrace_thumb_bit_is_no_address)
{
    struct traced t;

    traced_text(&t, "E0x555555955001\nE0x555555956001\n", 1);
    assert_edge(&t, "main", "f", 1, 2);
    assert_int_equal(t.view->steps[0].line, 10);
    traced_deinit(&t);
}

TEST(calltrace_addresses_outside_have_no_name)
{
    struct traced t;

    traced_text(&t, "E0x401000\nE0x402000\n", 0);
    assert_int_equal(t.trace.functions, 2);
    assert_int_equal(t.trace.functions_outside, 2);
    assert_edge(&t, "[unknown]+0x401000", "[unknown]+0x402000", 1, 2);
    traced_deinit(&t);
}

/* f calls itself without end. */
static void more_recursion(struct text *text)
{
    text->at = "E0x555555956000\n";
    text->left = text->turn++ < 3000 ? strlen(text->at) : 0;
}

TEST(calltrace_deep_calls_stay_exact)
{
    struct text text = {.chunk = 100, .more = more_recursion};
    struct traced t;

    traced_run(&t, &text, 0);
    assert_int_equal(t.trace.calls, 3000);
    assert_int_equal(t.trace.max_depth, 3000);
    assert_int_equal(t.trace.left_open, 3000);
    assert_int_equal(t.trace.left_out, 0);
    assert_true(t.trace.begun_anew > 0);
    assert_true(t.f.profile->trie.len <= 2 * CALLTRACE_PATH_MAX);
    assert_int_equal(calls_of(&t, "f"), 3000);
    assert_edge(&t, "f", "f", 2999, 2);
    traced_deinit(&t);
}

/* A line that does not end, and one record after it. */
static void more_of_a_line(struct text *text)
{
    static char many[4096];

    memset(many, 'E', sizeof(many));
    text->turn++;
    text->at = text->turn <= 1000 ? many : "\nE0x555555956000\n";
    text->left = text->turn <= 1000 ? sizeof(many) : text->turn == 1001 ? strlen(text->at) : 0;
}

TEST(calltrace_line_without_end_is_one_bad_line)
{
    struct text text = {.at = "E0x555555955000\n",
                        .left = strlen("E0x555555955000\n"),
                        .chunk = 5000,
                        .more = more_of_a_line};
    struct traced t;

    traced_run(&t, &text, 0);
    assert_int_equal(t.trace.lines, 3);
    assert_int_equal(t.trace.bad.count, 1);
    assert_int_equal(t.trace.bad.line, 2);
    assert_non_null(strstr(t.trace.bad.text, "is longer than any record"));
    assert_edge(&t, "main", "f", 1, 2);
    traced_deinit(&t);
}

/* Another function in each line. */
static void more_functions(struct text *text)
{
    static char line[32];

    snprintf(line, sizeof(line), "E0x%x\n", 0x10000 + text->turn++);
    text->at = line;
    text->left = strlen(line);
}

TEST(calltrace_of_too_many_functions_is_none)
{
    struct text text = {.chunk = 100, .more = more_functions};
    struct traced t;

    traced_run(&t, &text, 0);
    assert_int_equal(t.status, STATUS_BAD_DATA);
    assert_non_null(strstr(t.diag.what, "has more than 262144 addresses of code"));
    assert_int_equal(t.trace.calls, CALLTRACE_ADDRESSES_MAX);
    traced_deinit(&t);
}
