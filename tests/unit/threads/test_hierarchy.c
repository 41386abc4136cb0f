/* SPDX-License-Identifier: MIT */
/* Which thread made which, as a tree. */
#include "threads_fixture.h"

static const struct fixture_function functions[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "prog.c", .line = 10},
    {"manager", .start = 0x3000, .file = "prog.c", .line = 20},
    {"worker", .start = 0x4000, .file = "prog.c", .line = 30},
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"create", .module = 1, .start = 0x3000, .name = "pthread_create"},
    {"wait", .module = 1, .start = 0x5000},
    {0},
};

TEST_OF(threads_stand_below_their_makers_depth_first, story, s, functions)
{
    const struct hierarchy_node *nodes;
    const struct report *r;

    story_thread(s, 8, "m", 7, "start main create clone", 1);
    story_thread(s, 9, "n", 7, "start main/30 create clone", 2);
    story_thread(s, 10, "w", 9, "clone manager create clone", 3);
    story_thread(s, 11, "w", 8, "clone manager create clone", 4);
    story_thread(s, 12, "w", 8, "clone manager create clone", 5);
    r = story_report(s);
    nodes = r->hierarchy->nodes;
    assert_int_equal(r->hierarchy->count, 5);
    assert_int_equal(nodes[0].subtree, 4);
    assert_int_equal(nodes[1].parent, 0);
    assert_int_equal(nodes[2].parent, 1);
    assert_int_equal(nodes[2].count, 2);
    assert_int_equal(nodes[2].depth, 2);
    assert_int_equal(nodes[3].parent, 0);
    assert_int_equal(nodes[4].parent, 3);
    /* One identity, two places in the tree. */
    assert_int_equal(nodes[2].identity, nodes[4].identity);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(r->history->threads[r->hierarchy->order[i]].tid,
                         ((const uint32_t[]){7, 8, 11, 12, 9, 10})[i]);
}

TEST_OF(threads_that_make_their_own_kind_are_one_node, story, s, functions)
{
    const struct report *r;

    story_thread(s, 8, "w", 7, "clone worker create clone", 1);
    for (uint32_t tid = 9; tid < 20000; tid++)
        story_thread(s, tid, "w", tid - 1, "clone worker create clone", tid);
    r = story_report(s);
    assert_int_equal(r->hierarchy->count, 2);
    assert_int_equal(r->hierarchy->nodes[1].count, 20000 - 8);
}

TEST_OF(forked_process_is_a_tree_of_its_own, story, s, functions)
{
    const struct report *r;

    story_process(s, 20, "/usr/bin/prog");
    story_thread(s, 20, "prog", 7, "start main create clone", 1);
    story_thread(s, 21, "w", 20, "start main/40 create clone", 2);
    s->pid = STORY_PID;
    story_thread(s, 8, "w", 7, "start main/40 create clone", 3);
    r = story_report(s);
    assert_int_equal(r->hierarchy->count, 4);
    assert_int_equal(r->hierarchy->nodes[1].process, 0);
    assert_int_equal(r->hierarchy->nodes[2].parent, HIERARCHY_NONE);
    assert_int_equal(r->hierarchy->nodes[2].process, 1);
    assert_int_equal(r->hierarchy->nodes[3].parent, 2);
}

TEST_OF(filter_keeps_the_way_to_what_passes, story, s, functions)
{
    struct graph_filter filter = {0};

    story_thread(s, 8, "m", 7, "start main create clone", 1);
    story_thread(s, 9, "w-1", 8, "clone manager create clone", 2);
    story_thread(s, 10, "w-2", 8, "clone manager create clone", 3);
    story_thread(s, 11, "other", 7, "start main/30 create clone", 4);
    assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, "w-2", NULL), STATUS_OK);
    assert_int_equal(profile_resolve(s->fixture.profile, s->fixture.names), STATUS_OK);
    s->report.history = &s->history;
    s->report.profile = s->fixture.profile;
    assert_int_equal(report_prepare(&s->report, &filter), STATUS_OK);
    assert_int_equal(s->report.shown_count, 1);
    assert_true(s->report.node_kept[0] && s->report.node_kept[1] && s->report.node_kept[2]);
    assert_false(s->report.node_kept[3]);
    assert_int_equal(s->report.node_shown[2], 1);
    graph_filter_deinit(&filter);
}
