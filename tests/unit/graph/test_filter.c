/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/filter.h"

TEST(filter_bad_expression_is_refused_and_explained)
{
    struct graph_filter filter = {0};
    struct diag diag = {0};

    assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, "a(", &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "'a(' is not a regular expression"));
    assert_false(filter.set[FILTER_FOCUS]);
    assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, "[", NULL), STATUS_BAD_DATA);
    graph_filter_deinit(&filter);
}

TEST(filter_set_again_replaces)
{
    struct graph_filter filter = {0};

    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, "a", NULL), STATUS_OK);
    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, "b+c", NULL), STATUS_OK);
    assert_false(graph_filter_text(&filter, FILTER_HIDE, "a"));
    assert_true(graph_filter_text(&filter, FILTER_HIDE, "xbbcx"));
    assert_false(graph_filter_text(&filter, FILTER_FOCUS, "xbbcx"));
    assert_false(graph_filter_text(&filter, FILTER_HIDE, NULL));
    graph_filter_deinit(&filter);
}

TEST(filter_thread_digits_are_an_id)
{
    struct graph_filter filter = {0};

    assert_true(graph_filter_thread(&filter, 5, "x"));
    assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, "12", NULL), STATUS_OK);
    assert_true(graph_filter_thread(&filter, 12, "x"));
    assert_false(graph_filter_thread(&filter, 13, "12"));
    assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, "pool-[12]", NULL), STATUS_OK);
    assert_true(graph_filter_thread(&filter, 13, "pool-2"));
    assert_false(graph_filter_thread(&filter, 12, "pool-3"));
    /* Too large for an id: an expression. */
    assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, "99999999999", NULL), STATUS_OK);
    assert_false(filter.has_tid);
    graph_filter_deinit(&filter);
}

static bool state_passes(const char *list, char state)
{
    struct graph_filter filter = {0};
    bool passes;

    assert_int_equal(graph_filter_set_states(&filter, list, NULL), STATUS_OK);
    passes = graph_filter_state(&filter, state);
    graph_filter_deinit(&filter);
    return passes;
}

TEST(filter_states_are_a_list)
{
    struct graph_filter filter = {0};

    assert_true(graph_filter_state(&filter, 'S'));
    assert_true(graph_filter_state(&filter, 0));
    assert_true(state_passes("running", 'R'));
    assert_false(state_passes("running", SNAP_STATE_READY));
    assert_true(state_passes("ready", SNAP_STATE_READY));
    assert_false(state_passes("blocked", SNAP_STATE_READY));
    assert_false(state_passes("running", 'S'));
    assert_false(state_passes("running", 0));
    assert_true(state_passes("disk-sleep,running", 'R'));
    assert_true(state_passes("disk-sleep,running", 'D'));
    assert_false(state_passes("disk-sleep,running", 'S'));
    assert_true(state_passes("dead", 'x'));
    for (const char *c = "SDTtZXxIP"; *c; c++)
        assert_true(state_passes("blocked,dead,blocked", *c));
    assert_false(state_passes("blocked", 'R'));
    assert_false(state_passes("blocked", 0));
}

TEST(filter_unknown_states_are_refused)
{
    static const char *const BAD[] = {"", "run", "runnings", "running,", ",running", "R"};
    struct graph_filter filter = {0};
    struct diag diag;

    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++)
        assert_int_equal(graph_filter_set_states(&filter, BAD[i], NULL), STATUS_BAD_DATA);
    assert_int_equal(graph_filter_set_states(&filter, "running,asleep", &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "'asleep' is no state: running, ready, blocked"));
    graph_filter_deinit(&filter);
}

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "src/main.c", .line = 10},
    {"host", .start = 0x2000, .file = "src/h.c", .line = 100, .inlined = "inner"},
    {"read", .module = 1, .start = 0x1000},
    {0},
};

static bool chain_passes(enum filter_kind kind, const char *pattern)
{
    struct graph_filter filter = {0};
    struct fixture f;
    struct chain chain;
    bool passes = false;

    fixture_init(&f, FUNCTIONS);
    chain = fixture_chain(&f, "main host/900 read @beef");
    assert_int_equal(graph_filter_set(&filter, kind, pattern, NULL), STATUS_OK);
    assert_int_equal(graph_filter_chain(&filter, f.names, &chain, &passes), STATUS_OK);
    chain_deinit(&chain);
    graph_filter_deinit(&filter);
    fixture_deinit(&f);
    return passes;
}

TEST(filter_decides_on_a_chain_by_all_its_frames)
{
    assert_true(chain_passes(FILTER_FOCUS, "inner"));
    assert_true(chain_passes(FILTER_FOCUS, "src/h"));
    assert_true(chain_passes(FILTER_FOCUS, "libc"));
    assert_true(chain_passes(FILTER_FOCUS, "0xbeef"));
    assert_false(chain_passes(FILTER_FOCUS, "absent"));
    assert_false(chain_passes(FILTER_IGNORE, "inner"));
    assert_true(chain_passes(FILTER_IGNORE, "absent"));
    assert_true(chain_passes(FILTER_MODULE, "libc"));
    assert_false(chain_passes(FILTER_MODULE, "read"));
    assert_true(chain_passes(FILTER_HIDE, "main"));
}
