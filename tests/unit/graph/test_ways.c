/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/ways.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", 0, 0x1000, "main", NULL, 0, NULL, false}, {"a", 0, 0x2000, "a", NULL, 0, NULL, false},
    {"b", 0, 0x3000, "b", NULL, 0, NULL, false},       {"c", 0, 0x4000, "c", NULL, 0, NULL, false},
    {"d", 0, 0x5000, "d", NULL, 0, NULL, false},       {"e", 0, 0x6000, "e", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
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
    assert_string_equal(capture_end(&capture), want);
    free(capture.text);
    callgraph_destroy(graph);
}

static void ways_into_a_node_keep_their_heaviest(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a c", 2);
    fixture_add(&f, "t", 1, "main b c", 1);
    fixture_add(&f, "t", 1, "main", 9);
    assert_edges(&f, "main>a 2\na>c 2\nmain>b 1\n");
    fixture_deinit(&f);
}

/* The heaviest calls of a and b are their own: d, which most goes through, has the one to a. */
static void ways_lead_into_a_circle(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main c a b a b", 2);
    fixture_add(&f, "t", 1, "main d a b a b", 1);
    fixture_add(&f, "t", 1, "main e b a b", 1);
    fixture_add(&f, "t", 1, "main d", 9);
    assert_edges(&f, "main>d 10\nb>a 4\na>b 4\nmain>c 2\nmain>e 1\nd>a 1\n");
    fixture_deinit(&f);
}

/* A circle where chains begin needs no other way. */
static void ways_begin_where_chains_do(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a b a b", 1);
    fixture_add(&f, "t", 1, "b a b a", 2);
    fixture_add(&f, "t", 1, "main", 9);
    assert_edges(&f, "a>b 3\nb>a 3\n");
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_into_a_node_keep_their_heaviest),
        cmocka_unit_test(ways_lead_into_a_circle),
        cmocka_unit_test(ways_begin_where_chains_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
