/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/ways.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000},
    {"a", .start = 0x2000},
    {"b", .start = 0x3000},
    {"c", .start = 0x4000},
    {"d", .start = 0x5000},
    {"e", .start = 0x6000},
    {0},
};

/* Edges as "caller>callee weight", of a graph without those below half of all. */
static void assert_edges(struct fixture *f, const char *want)
{
    const struct callgraph_options half = {.edge_fraction = 0.5};
    struct view *view = fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    struct callgraph *graph = NULL;
    struct capture capture;
    FILE *out = capture_begin(&capture);

    assert_int_equal(callgraph_create(view, &half, &graph), STATUS_OK);
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct callgraph_edge *edge = &graph->edges[i];

        fprintf(out, "%s>%s %d\n", view->nodes[graph->nodes[edge->from].view_node].label,
                view->nodes[graph->nodes[edge->to].view_node].label, (int)edge->weight);
    }
    assert_captured(&capture, want);
    callgraph_destroy(graph);
}

TEST_OF(ways_into_a_node_keep_their_heaviest, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main a c", 2);
    fixture_add(f, "t", 1, "main b c", 1);
    fixture_add(f, "t", 1, "main", 9);
    assert_edges(f, "main>a 2\na>c 2\nmain>b 1\n");
}

/* The heaviest calls of a and b are their own: d, which most goes through, has the one to a. */
TEST_OF(ways_lead_into_a_circle, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main c a b a b", 2);
    fixture_add(f, "t", 1, "main d a b a b", 1);
    fixture_add(f, "t", 1, "main e b a b", 1);
    fixture_add(f, "t", 1, "main d", 9);
    assert_edges(f, "main>d 10\nb>a 4\na>b 4\nmain>c 2\nmain>e 1\nd>a 1\n");
}

/* A circle where chains begin needs no other way. */
TEST_OF(ways_begin_where_chains_do, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main a b a b", 1);
    fixture_add(f, "t", 1, "b a b a", 2);
    fixture_add(f, "t", 1, "main", 9);
    assert_edges(f, "a>b 3\nb>a 3\n");
}
