/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/walk.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "m.c", .line = 10},
    {"a", .start = 0x2000, .file = "a.c", .line = 20},
    {"b", .module = 1, .start = 0x3000, .file = "b.c", .line = 30},
    {0},
};

/* The view's nodes are numbered as their frames were met: main 0, a 1, b 2. */
static struct view *make_view(struct fixture *f)
{
    fixture_init(f, FUNCTIONS);
    fixture_add(f, "t", 1, "main a b a", 3);
    fixture_add(f, "t", 1, "main b", 2);
    return fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
}

static const struct walk_edge *edge(const struct graph_walk *walk, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < walk->edge_count; i++)
        if (walk->edges[i].from == from && walk->edges[i].to == to)
            return &walk->edges[i];
    return NULL;
}

TEST(walk_of_all_nodes_weighs_each_once_a_chain)
{
    struct fixture f;
    struct graph_walk walk;

    assert_int_equal(walk_run(&walk, make_view(&f), NULL, true), STATUS_OK);
    assert_int_equal(walk.total[0], 5);
    assert_int_equal(walk.total[1], 3);
    assert_int_equal(walk.total[2], 5);
    assert_int_equal(walk.self[1], 3);
    assert_int_equal(walk.self[2], 2);
    assert_int_equal(walk.edge_count, 4);
    assert_int_equal(edge(&walk, 1, 2)->weight, 3);
    assert_true(edge(&walk, 1, 2)->direct);
    assert_int_equal(edge(&walk, 2, 1)->on_path, 0);
    assert_int_equal(walk.site_count, 0);
    walk_deinit(&walk);
    fixture_deinit(&f);
}

TEST(walk_without_edges_weighs_the_same)
{
    struct fixture f;
    struct graph_walk walk;

    assert_int_equal(walk_run(&walk, make_view(&f), NULL, false), STATUS_OK);
    assert_int_equal(walk.total[0], 5);
    assert_int_equal(walk.total[1], 3);
    assert_int_equal(walk.total[2], 5);
    assert_int_equal(walk.self[1], 3);
    assert_int_equal(walk.self[2], 2);
    assert_int_equal(walk.edge_count, 0);
    walk_deinit(&walk);
    fixture_deinit(&f);
}

TEST(walk_passes_over_what_is_not_kept)
{
    const bool kept[] = {true, false, true};
    struct fixture f;
    struct graph_walk walk;

    assert_int_equal(walk_run(&walk, make_view(&f), kept, true), STATUS_OK);
    assert_int_equal(walk.edge_count, 1);
    assert_int_equal(edge(&walk, 0, 2)->weight, 5);
    assert_true(edge(&walk, 0, 2)->direct);
    assert_int_equal(walk.total[1], 0);
    /* The chain that ends in a is nobody's own. */
    assert_int_equal(walk.self[2], 2);
    assert_int_equal(walk.site_count, 1);
    assert_int_equal(walk.sites[0].line, 26);
    walk_deinit(&walk);
    fixture_deinit(&f);
}
