/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "main.c", .line = 10},
    {"a", .start = 0x2000, .file = "a.c", .line = 100},
    {"b", .start = 0x3000, .file = "b.c", .line = 200},
    {"c", .start = 0x4000},
    {"d", .module = 1, .start = 0x1000},
    {"e", .module = 1, .start = 0x2000},
    {"inl", .start = 0x5000, .name = "outer", .file = "o.c", .line = 5, .inlined = "inner"},
    {0},
};

static const struct callgraph_options NO_LIMIT = {0};

static const char *label(const struct callgraph *graph, uint32_t node)
{
    return graph->view->nodes[graph->nodes[node].view_node].label;
}

/* The graph as text: "name total self" and "from>to weight" with "~" residual and "?" low trust. */
static void assert_graph(const struct callgraph *graph, const char *want)
{
    struct capture capture;
    FILE *out = capture_begin(&capture);

    for (size_t i = 0; i < graph->node_count; i++)
        fprintf(out, "%s %d %d\n", label(graph, (uint32_t)i), (int)graph->nodes[i].total,
                (int)graph->nodes[i].self);
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct callgraph_edge *edge = &graph->edges[i];

        fprintf(out, "%s>%s %d%s%s\n", label(graph, edge->from), label(graph, edge->to),
                (int)edge->weight, edge->residual ? "~" : "", edge->low_trust ? "?" : "");
    }
    assert_captured(&capture, want);
}

TEST_OF(callgraph_weights_are_summed_over_chains, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a c", 3);
    fixture_add(f, "t", 1, "main b c", 2);
    fixture_add(f, "u", 2, "main a", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "main 6 0\n"
                        "c 5 5\n"
                        "a 4 1\n"
                        "b 2 0\n"
                        "main>a 4\n"
                        "a>c 3\n"
                        "main>b 2\n"
                        "b>c 2\n");
    assert_int_equal(graph->nodes_left_out, 0);
    assert_int_equal(graph->edges_left_out, 0);
}

TEST_OF(callgraph_self_recursion_counts_once, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a a a a", 5);
    fixture_add(f, "t", 1, "main a a/20", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "a 6 6\nmain 6 0\na>a 6\nmain>a 6\n");
}

TEST_OF(callgraph_mutual_recursion_counts_once, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b a b a", 4);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "a 4 4\nb 4 0\nmain 4 0\na>b 4\nb>a 4\nmain>a 4\n");
}

TEST_OF(callgraph_node_left_out_makes_residual_edges, fixture, f, FUNCTIONS)
{
    struct callgraph_options three = {.nodes = 3};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b c", 4);
    fixture_add(f, "t", 1, "main c", 3);
    fixture_add(f, "t", 1, "main a a", 2);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &three);
    /* b is out. main>c is direct on some chains only: that is enough to be no residual edge. */
    assert_graph(graph, "main 9 0\nc 7 7\na 6 2\nmain>a 6\na>c 4~\nmain>c 3\na>a 2\n");
    assert_int_equal(graph->nodes_left_out, 1);
    assert_int_equal(graph->edges_left_out, 2);
    assert_int_equal(graph->weight_left_out, 0);
}

TEST_OF(callgraph_residual_edge_joins_no_node_to_itself, fixture, f, FUNCTIONS)
{
    struct callgraph_options two = {.nodes = 2};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b a", 1);
    fixture_add(f, "t", 1, "main a", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &two);
    assert_graph(graph, "a 2 2\nmain 2 0\nmain>a 2\n");
}

TEST_OF(callgraph_fractions_cut_light_nodes_and_edges, fixture, f, FUNCTIONS)
{
    struct callgraph_options options = {.node_fraction = 0.02, .edge_fraction = 0.05};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a", 95);
    fixture_add(f, "t", 1, "main b", 4);
    fixture_add(f, "t", 1, "main c", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &options);
    /* main>b is light, but all that shows where b is called. */
    assert_graph(graph, "main 100 0\na 95 95\nb 4 4\nmain>a 95\nmain>b 4\n");
    assert_int_equal(graph->nodes_left_out, 1);
    assert_int_equal(graph->edges_left_out, 1);
    assert_int_equal(graph->weight_left_out, 1);
    fixture_add(f, "t", 1, "main a b", 4);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &(struct callgraph_options){.edge_fraction = 0.05});
    assert_graph(graph, "main 104 0\na 99 95\nb 8 8\nc 1 1\nmain>a 99\nmain>b 4\na>b 4\n"
                        "main>c 1\n");
    fixture_add(f, "t", 1, "main a b", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &(struct callgraph_options){.edge_fraction = 0.05});
    assert_graph(graph, "main 105 0\na 100 95\nb 9 9\nc 1 1\nmain>a 100\na>b 5\nmain>c 1\n");
}

TEST_OF(callgraph_few_nodes_are_where_the_weight_is_and_where_chains_begin, fixture, f, FUNCTIONS)
{
    struct callgraph_options few = {.nodes = 4};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b c", 4);
    fixture_add(f, "t", 1, "main a b d", 3);
    fixture_add(f, "t", 1, "main a e", 2);
    /* a has more weight than any of them, but all of it in b. */
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\nc 4 4\nd 3 3\ne 2 2\nmain>c 4~\nmain>d 3~\nmain>e 2~\n");
    assert_int_equal(graph->weight_left_out, 0);
    few.nodes = 5; /* then the one that parts most */
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\nb 7 0\nc 4 4\nd 3 3\ne 2 2\n"
                        "main>b 7~\nb>c 4\nb>d 3\nmain>e 2~\n");
    few.nodes = 1;
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\n");
}

TEST_OF(callgraph_residual_edge_beside_a_longer_way_goes, fixture, f, FUNCTIONS)
{
    struct callgraph_options three = {.nodes = 3};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b c", 5);
    fixture_add(f, "t", 1, "main d c", 2);
    fixture_add(f, "t", 1, "main a", 4);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &three);
    assert_graph(graph, "main 11 0\na 9 4\nc 7 7\nmain>a 9\na>c 5~\n");
    fixture_add(f, "t", 1, "main d c", 4); /* the heaviest into c stays, and so does a>c */
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &three);
    assert_graph(graph, "main 15 0\nc 11 11\na 9 4\nmain>a 9\nmain>c 6~\na>c 5~\n");
}

/* The runs of a graph, as "main a b, c". */
static void assert_runs(const struct callgraph *graph, const char *want)
{
    struct capture capture;
    FILE *out = capture_begin(&capture);
    const char *between = "";

    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].outer != CALLGRAPH_NONE || graph->nodes[i].inner == CALLGRAPH_NONE)
            continue;
        fputs(between, out);
        between = ", ";
        for (uint32_t id = i; id != CALLGRAPH_NONE; id = graph->nodes[id].inner) {
            uint32_t inner = graph->nodes[id].inner;

            fprintf(out, "%s%s", id == i ? "" : " ", label(graph, id));
            if (inner == CALLGRAPH_NONE)
                continue;
            assert_int_equal(graph->nodes[inner].outer, id);
            assert_int_equal(graph->edges[graph->nodes[id].inner_call].from, id);
            assert_int_equal(graph->edges[graph->nodes[id].inner_call].to, inner);
        }
    }
    assert_captured(&capture, want);
}

TEST_OF(callgraph_run_of_single_calls_counts_as_one, fixture, f, FUNCTIONS)
{
    struct callgraph_options two = {.nodes = 2, .edge_fraction = 0.9, .runs = true};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b c", 3);
    fixture_add(f, "t", 1, "main a b d", 2);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &two);
    assert_int_equal(graph->node_count, 4);
    assert_int_equal(graph->nodes_left_out, 1);
    assert_runs(graph, "main a b");
    two.runs = false;
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &two);
    assert_int_equal(graph->node_count, 2);
    assert_runs(graph, "");
}

TEST(callgraph_run_ends_where_anything_would_be_lost)
{
    static const struct {
        const char *chains[3];
        const char *runs;
    } CASES[] = {
        {{"main a b c"}, "main a b"},
        {{"main a b c", "main a"}, ""},    /* a spends time itself */
        {{"main a b c", "main c b"}, ""},  /* another caller, another callee */
        {{"main a b c", "b c"}, "main a"}, /* begins a chain */
        {{"main a b a b c"}, "a b"},       /* a has two callers, b two callees */
        {{"main a a b c"}, ""},            /* a calls itself */
        {{"main d e a b c"}, "a b, d e"},  /* another module */
        {{"a b a b", "b a c"}, ""},        /* a circle */
        {{"main a!fp b c"}, "main a"},     /* the call of b has a mark */
        {{"main a b c", "d"}, "main a b"},
    };
    const struct callgraph_options all = {.runs = true};

    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct callgraph *graph;
        struct fixture f;

        fixture_init(&f, FUNCTIONS);
        for (size_t j = 0; j < 3 && CASES[i].chains[j]; j++)
            fixture_add(&f, "t", 1, CASES[i].chains[j], 3);
        graph = fixture_graph(&f, GRAPH_BY_FUNCTION, &all);
        assert_runs(graph, CASES[i].runs);
        fixture_deinit(&f);
    }
}

/* 3 of 1000 samples are nothing worth mentioning, 6 are. */
TEST_OF(callgraph_run_may_spend_a_little, fixture, f, FUNCTIONS)
{
    const struct callgraph_options all = {.runs = true};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a b c", 997);
    fixture_add(f, "t", 1, "main a", 3);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &all);
    assert_runs(graph, "main a b");
    fixture_add(f, "t", 1, "main a", 3);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &all);
    assert_runs(graph, "");
}

TEST_OF(callgraph_caller_found_by_weak_source_marks_edge, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main!exidx a!fp b c", 1);
    fixture_add(f, "t", 1, "main a b c", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "c 2 2\na 2 0\nb 2 0\nmain 2 0\na>b 2?\nb>c 2\nmain>a 2\n");
}

TEST_OF(callgraph_weak_frame_left_out_marks_residual_edge, fixture, f, FUNCTIONS)
{
    struct callgraph_options two = {.nodes = 2};
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main b!scan c", 1);
    fixture_add(f, "t", 1, "main", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &two);
    assert_graph(graph, "main 2 1\nc 1 1\nmain>c 1~?\n");
}

TEST_OF(callgraph_call_sites_are_the_callers_lines, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a/1 b", 1);
    fixture_add(f, "t", 1, "main a/2 b", 2);
    fixture_add(f, "t", 1, "main a/2 b/20", 3);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "b 6 6\na 6 0\nmain 6 0\na>b 6\nmain>a 6\n");
    assert_int_equal(graph->edges[0].site_count, 2);
    assert_string_equal(graph->sites[graph->edges[0].site_first].file, "a.c");
    assert_int_equal(graph->sites[graph->edges[0].site_first].line, 102);
    assert_int_equal(graph->sites[graph->edges[0].site_first].weight, 5);
    assert_int_equal(graph->sites[graph->edges[0].site_first + 1].line, 101);
    assert_int_equal(graph->edges[1].site_count, 1);
}

TEST_OF(callgraph_inlined_function_is_called_by_its_host, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main inl/900!fp c", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    /* Between outer and inner nothing was unwound; inner's caller side of c was. */
    assert_graph(graph, "c 1 1\ninner 1 0\nmain 1 0\nouter 1 0\n"
                        "inner>c 1?\nmain>outer 1\nouter>inner 1\n");
}

TEST_OF(callgraph_by_module_joins_neighbours, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a d e", 3);
    fixture_add(f, "t", 1, "main d e a", 2);
    graph = fixture_graph(f, GRAPH_BY_MODULE, &NO_LIMIT);
    assert_graph(graph, "libc.so.6 5 3\nprog 5 2\nprog>libc.so.6 5\nlibc.so.6>prog 2\n");
}

TEST_OF(callgraph_by_line_splits_functions, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    fixture_add(f, "t", 1, "main a/1", 3);
    fixture_add(f, "t", 1, "main a/2", 2);
    graph = fixture_graph(f, GRAPH_BY_LINE, &NO_LIMIT);
    assert_graph(graph, "main (main.c:26) 5 0\na (a.c:101) 3 3\na (a.c:102) 2 2\n"
                        "main (main.c:26)>a (a.c:101) 3\nmain (main.c:26)>a (a.c:102) 2\n");
}

/* The picture shows how one gets from main to each node. */
static void assert_reached(const struct callgraph *graph)
{
    bool reached[8] = {false};

    for (uint32_t i = 0; i < graph->node_count; i++)
        reached[i] = strcmp(label(graph, i), "main") == 0;
    for (size_t round = 0; round < graph->node_count; round++)
        for (size_t i = 0; i < graph->edge_count; i++)
            reached[graph->edges[i].to] |= reached[graph->edges[i].from];
    for (uint32_t i = 0; i < graph->node_count; i++)
        assert_true(reached[i]);
}

/*
 * Random graphs: totals within the whole, self within total, selfs and what is left out are the
 * whole.
 */
TEST(callgraph_random_chains_stay_within_the_total)
{
    struct callgraph_options few = {.nodes = 4};
    uint32_t seed = 7;

    for (int round = 0; round < 30; round++) {
        struct callgraph *graph;
        struct fixture f;
        uint64_t self = 0;

        fixture_init(&f, FUNCTIONS);
        for (int i = 0; i < 60; i++) {
            char text[256] = "main";

            for (int depth = 0; depth < 12; depth++) {
                seed = seed * 1103515245 + 12345;
                strcat(text, " ");
                strcat(text, FUNCTIONS[(seed >> 16) % 7].alias);
                if ((seed >> 20) % 9 == 0)
                    break;
            }
            fixture_add(&f, "t", 1, text, (seed >> 24) % 5);
        }
        graph = fixture_graph(&f, GRAPH_BY_FUNCTION, round % 2 ? &few : &NO_LIMIT);
        assert_true(graph->node_count > 0);
        for (size_t i = 0; i < graph->node_count; i++) {
            assert_true(graph->nodes[i].total <= graph->view->total);
            assert_true(graph->nodes[i].self <= graph->nodes[i].total);
            self += graph->nodes[i].self;
        }
        for (size_t i = 0; i < graph->edge_count; i++) {
            assert_true(graph->edges[i].weight <= graph->nodes[graph->edges[i].from].total);
            assert_true(graph->edges[i].weight <= graph->nodes[graph->edges[i].to].total);
        }
        assert_int_equal(self + graph->weight_left_out, graph->view->total);
        assert_true(graph->node_count <= 4 || round % 2 == 0);
        assert_reached(graph);
        fixture_deinit(&f);
    }
}

TEST_OF(callgraph_empty_profile_is_an_empty_graph, fixture, f, FUNCTIONS)
{
    struct callgraph *graph;

    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "");
}
