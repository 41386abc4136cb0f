/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", 0, 0x1000, "main", "main.c", 10, NULL, false},
    {"a", 0, 0x2000, "a", "a.c", 100, NULL, false},
    {"b", 0, 0x3000, "b", "b.c", 200, NULL, false},
    {"c", 0, 0x4000, "c", NULL, 0, NULL, false},
    {"d", 1, 0x1000, "d", NULL, 0, NULL, false},
    {"e", 1, 0x2000, "e", NULL, 0, NULL, false},
    {"inl", 0, 0x5000, "outer", "o.c", 5, "inner", false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

static const struct callgraph_options NO_LIMIT = {0};

static struct callgraph *make(struct fixture *f, enum graph_by by,
                              const struct callgraph_options *options)
{
    struct callgraph *graph = NULL;
    struct view *view = fixture_view(f, by, WEIGHT_SAMPLES, NULL);

    assert_int_equal(callgraph_create(view, options, &graph), STATUS_OK);
    return graph;
}

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
    assert_string_equal(capture_end(&capture), want);
    free(capture.text);
}

static void callgraph_weights_are_summed_over_chains(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a c", 3);
    fixture_add(&f, "t", 1, "main b c", 2);
    fixture_add(&f, "u", 2, "main a", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
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
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_self_recursion_counts_once(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a a a a", 5);
    fixture_add(&f, "t", 1, "main a a/20", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "a 6 6\nmain 6 0\na>a 6\nmain>a 6\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_mutual_recursion_counts_once(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b a b a", 4);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "a 4 4\nb 4 0\nmain 4 0\na>b 4\nb>a 4\nmain>a 4\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_node_left_out_makes_residual_edges(void **state)
{
    struct callgraph_options three = {.nodes = 3};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b c", 4);
    fixture_add(&f, "t", 1, "main c", 3);
    fixture_add(&f, "t", 1, "main a a", 2);
    graph = make(&f, GRAPH_BY_FUNCTION, &three);
    /* b is out. main>c is direct on some chains only: that is enough to be no residual edge. */
    assert_graph(graph, "main 9 0\nc 7 7\na 6 2\nmain>a 6\na>c 4~\nmain>c 3\na>a 2\n");
    assert_int_equal(graph->nodes_left_out, 1);
    assert_int_equal(graph->edges_left_out, 2);
    assert_int_equal(graph->weight_left_out, 0);
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_residual_edge_joins_no_node_to_itself(void **state)
{
    struct callgraph_options two = {.nodes = 2};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b a", 1);
    fixture_add(&f, "t", 1, "main a", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &two);
    assert_graph(graph, "a 2 2\nmain 2 0\nmain>a 2\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_fractions_cut_light_nodes_and_edges(void **state)
{
    struct callgraph_options options = {.node_fraction = 0.02, .edge_fraction = 0.05};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a", 95);
    fixture_add(&f, "t", 1, "main b", 4);
    fixture_add(&f, "t", 1, "main c", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &options);
    /* main>b is light, but all that shows where b is called. */
    assert_graph(graph, "main 100 0\na 95 95\nb 4 4\nmain>a 95\nmain>b 4\n");
    assert_int_equal(graph->nodes_left_out, 1);
    assert_int_equal(graph->edges_left_out, 1);
    assert_int_equal(graph->weight_left_out, 1);
    callgraph_destroy(graph);
    fixture_add(&f, "t", 1, "main a b", 4);
    graph = make(&f, GRAPH_BY_FUNCTION, &(struct callgraph_options){.edge_fraction = 0.05});
    assert_graph(graph, "main 104 0\na 99 95\nb 8 8\nc 1 1\nmain>a 99\nmain>b 4\na>b 4\n"
                        "main>c 1\n");
    callgraph_destroy(graph);
    fixture_add(&f, "t", 1, "main a b", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &(struct callgraph_options){.edge_fraction = 0.05});
    assert_graph(graph, "main 105 0\na 100 95\nb 9 9\nc 1 1\nmain>a 100\na>b 5\nmain>c 1\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_few_nodes_are_where_the_weight_is_and_where_chains_begin(void **state)
{
    struct callgraph_options few = {.nodes = 4};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b c", 4);
    fixture_add(&f, "t", 1, "main a b d", 3);
    fixture_add(&f, "t", 1, "main a e", 2);
    /* a has more weight than any of them, but all of it in b. */
    graph = make(&f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\nc 4 4\nd 3 3\ne 2 2\nmain>c 4~\nmain>d 3~\nmain>e 2~\n");
    assert_int_equal(graph->weight_left_out, 0);
    callgraph_destroy(graph);
    few.nodes = 5; /* then the one that parts most */
    graph = make(&f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\nb 7 0\nc 4 4\nd 3 3\ne 2 2\n"
                        "main>b 7~\nb>c 4\nb>d 3\nmain>e 2~\n");
    callgraph_destroy(graph);
    few.nodes = 1;
    graph = make(&f, GRAPH_BY_FUNCTION, &few);
    assert_graph(graph, "main 9 0\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_residual_edge_beside_a_longer_way_goes(void **state)
{
    struct callgraph_options three = {.nodes = 3};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b c", 5);
    fixture_add(&f, "t", 1, "main d c", 2);
    fixture_add(&f, "t", 1, "main a", 4);
    graph = make(&f, GRAPH_BY_FUNCTION, &three);
    assert_graph(graph, "main 11 0\na 9 4\nc 7 7\nmain>a 9\na>c 5~\n");
    callgraph_destroy(graph);
    fixture_add(&f, "t", 1, "main d c", 4); /* the heaviest into c stays, and so does a>c */
    graph = make(&f, GRAPH_BY_FUNCTION, &three);
    assert_graph(graph, "main 15 0\nc 11 11\na 9 4\nmain>a 9\nmain>c 6~\na>c 5~\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
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
    assert_string_equal(capture_end(&capture), want);
    free(capture.text);
}

static void callgraph_run_of_single_calls_counts_as_one(void **state)
{
    struct callgraph_options two = {.nodes = 2, .edge_fraction = 0.9, .runs = true};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b c", 3);
    fixture_add(&f, "t", 1, "main a b d", 2);
    graph = make(&f, GRAPH_BY_FUNCTION, &two);
    assert_int_equal(graph->node_count, 4);
    assert_int_equal(graph->nodes_left_out, 1);
    assert_runs(graph, "main a b");
    callgraph_destroy(graph);
    two.runs = false;
    graph = make(&f, GRAPH_BY_FUNCTION, &two);
    assert_int_equal(graph->node_count, 2);
    assert_runs(graph, "");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_run_ends_where_anything_would_be_lost(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct callgraph *graph;
        struct fixture f;

        fixture_init(&f, FUNCTIONS);
        for (size_t j = 0; j < 3 && CASES[i].chains[j]; j++)
            fixture_add(&f, "t", 1, CASES[i].chains[j], 3);
        graph = make(&f, GRAPH_BY_FUNCTION, &all);
        assert_runs(graph, CASES[i].runs);
        callgraph_destroy(graph);
        fixture_deinit(&f);
    }
}

/* 3 of 1000 samples are nothing worth mentioning, 6 are. */
static void callgraph_run_may_spend_a_little(void **state)
{
    const struct callgraph_options all = {.runs = true};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b c", 997);
    fixture_add(&f, "t", 1, "main a", 3);
    graph = make(&f, GRAPH_BY_FUNCTION, &all);
    assert_runs(graph, "main a b");
    callgraph_destroy(graph);
    fixture_add(&f, "t", 1, "main a", 3);
    graph = make(&f, GRAPH_BY_FUNCTION, &all);
    assert_runs(graph, "");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_caller_found_by_weak_source_marks_edge(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main!exidx a!fp b c", 1);
    fixture_add(&f, "t", 1, "main a b c", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "c 2 2\na 2 0\nb 2 0\nmain 2 0\na>b 2?\nb>c 2\nmain>a 2\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_weak_frame_left_out_marks_residual_edge(void **state)
{
    struct callgraph_options two = {.nodes = 2};
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main b!scan c", 1);
    fixture_add(&f, "t", 1, "main", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &two);
    assert_graph(graph, "main 2 1\nc 1 1\nmain>c 1~?\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_call_sites_are_the_callers_lines(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a/1 b", 1);
    fixture_add(&f, "t", 1, "main a/2 b", 2);
    fixture_add(&f, "t", 1, "main a/2 b/20", 3);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "b 6 6\na 6 0\nmain 6 0\na>b 6\nmain>a 6\n");
    assert_int_equal(graph->edges[0].site_count, 2);
    assert_string_equal(graph->sites[graph->edges[0].site_first].file, "a.c");
    assert_int_equal(graph->sites[graph->edges[0].site_first].line, 102);
    assert_int_equal(graph->sites[graph->edges[0].site_first].weight, 5);
    assert_int_equal(graph->sites[graph->edges[0].site_first + 1].line, 101);
    assert_int_equal(graph->edges[1].site_count, 1);
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_inlined_function_is_called_by_its_host(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main inl/900!fp c", 1);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    /* Between outer and inner nothing was unwound; inner's caller side of c was. */
    assert_graph(graph, "c 1 1\ninner 1 0\nmain 1 0\nouter 1 0\n"
                        "inner>c 1?\nmain>outer 1\nouter>inner 1\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_by_module_joins_neighbours(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a d e", 3);
    fixture_add(&f, "t", 1, "main d e a", 2);
    graph = make(&f, GRAPH_BY_MODULE, &NO_LIMIT);
    assert_graph(graph, "libc.so.6 5 3\nprog 5 2\nprog>libc.so.6 5\nlibc.so.6>prog 2\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

static void callgraph_by_line_splits_functions(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a/1", 3);
    fixture_add(&f, "t", 1, "main a/2", 2);
    graph = make(&f, GRAPH_BY_LINE, &NO_LIMIT);
    assert_graph(graph, "main (main.c:26) 5 0\na (a.c:101) 3 3\na (a.c:102) 2 2\n"
                        "main (main.c:26)>a (a.c:101) 3\nmain (main.c:26)>a (a.c:102) 2\n");
    callgraph_destroy(graph);
    fixture_deinit(&f);
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
static void callgraph_random_chains_stay_within_the_total(void **state)
{
    struct callgraph_options few = {.nodes = 4};
    uint32_t seed = 7;

    (void)state;
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
        graph = make(&f, GRAPH_BY_FUNCTION, round % 2 ? &few : &NO_LIMIT);
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
        callgraph_destroy(graph);
        fixture_deinit(&f);
    }
}

static void callgraph_empty_profile_is_an_empty_graph(void **state)
{
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    graph = make(&f, GRAPH_BY_FUNCTION, &NO_LIMIT);
    assert_graph(graph, "");
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callgraph_weights_are_summed_over_chains),
        cmocka_unit_test(callgraph_self_recursion_counts_once),
        cmocka_unit_test(callgraph_mutual_recursion_counts_once),
        cmocka_unit_test(callgraph_node_left_out_makes_residual_edges),
        cmocka_unit_test(callgraph_residual_edge_joins_no_node_to_itself),
        cmocka_unit_test(callgraph_fractions_cut_light_nodes_and_edges),
        cmocka_unit_test(callgraph_few_nodes_are_where_the_weight_is_and_where_chains_begin),
        cmocka_unit_test(callgraph_residual_edge_beside_a_longer_way_goes),
        cmocka_unit_test(callgraph_run_of_single_calls_counts_as_one),
        cmocka_unit_test(callgraph_run_ends_where_anything_would_be_lost),
        cmocka_unit_test(callgraph_run_may_spend_a_little),
        cmocka_unit_test(callgraph_caller_found_by_weak_source_marks_edge),
        cmocka_unit_test(callgraph_weak_frame_left_out_marks_residual_edge),
        cmocka_unit_test(callgraph_call_sites_are_the_callers_lines),
        cmocka_unit_test(callgraph_inlined_function_is_called_by_its_host),
        cmocka_unit_test(callgraph_by_module_joins_neighbours),
        cmocka_unit_test(callgraph_by_line_splits_functions),
        cmocka_unit_test(callgraph_random_chains_stay_within_the_total),
        cmocka_unit_test(callgraph_empty_profile_is_an_empty_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
