/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/fold_starts.h"

static const struct fixture_function FUNCTIONS[] = {
    {"_start", .start = 0x1000, .file = "s.S", .line = 1},
    {"main", .start = 0x2000, .file = "m.c", .line = 10},
    {"worker", .start = 0x3000},
    {"start", .start = 0x4000},
    {"libc_start", .module = 1, .start = 0x5000, .name = "__libc_start_main"},
    {"clone3", .module = 1, .start = 0x6000, .name = "__clone3"},
    {"thread", .module = 1, .start = 0x7000, .name = "start_thread"},
    {0},
};

/* "main:0/120 worker:20/20": the roots' own weights and totals, in the order of their names. */
static void assert_roots(struct fixture *f, enum graph_by by, uint64_t total, const char *want)
{
    const struct view *view = fixture_view(f, by, WEIGHT_SAMPLES, NULL);
    struct fold *fold;
    char got[256] = "";
    size_t used = 0;

    assert_int_equal(fold_create(view, FOLD_NODES, &fold), STATUS_OK);
    assert_int_equal(fold->total[TRIE_ROOT], total);
    assert_int_equal(fold_leave_out_starts(view, &fold), STATUS_OK);
    assert_int_equal(fold->total[TRIE_ROOT], total);
    for (uint32_t i = 0; i < fold->trie.len; i++) /* the first that are met are the first */
        if (fold->trie.nodes[i].parent == TRIE_ROOT)
            used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s:%u/%u", used ? " " : "",
                                     view->nodes[fold->trie.nodes[i].key].name,
                                     (unsigned)fold->self[i], (unsigned)fold->total[i]);
    assert_string_equal(got, want);
    fold_destroy(fold);
}

TEST_OF(starts_give_their_place_to_what_they_call, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "_start libc_start main", 3);
    fixture_add(f, "t", 1, "_start libc_start main worker", 4);
    fixture_add(f, "u", 2, "clone3 thread worker", 5);
    fixture_add(f, "u", 2, "thread worker", 6); /* whose chain is cut */
    assert_roots(f, GRAPH_BY_FUNCTION, 18, "main:3/7 worker:11/11");
}

TEST_OF(starts_keep_weight_of_their_own_as_roots, fixture, f, FUNCTIONS)
{
    fixture_add(f, "u", 2, "clone3 thread", 2);
    fixture_add(f, "u", 2, "clone3", 1);
    fixture_add(f, "u", 2, "clone3 thread worker", 5);
    assert_roots(f, GRAPH_BY_FUNCTION, 8, "__clone3:1/1 start_thread:2/2 worker:5/5");
}

TEST_OF(starts_within_a_chain_stay, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main clone3 thread", 2);
    fixture_add(f, "t", 1, "thread start main", 3); /* the program's own function */
    assert_roots(f, GRAPH_BY_FUNCTION, 5, "main:0/2 start:0/3");
}

TEST_OF(starts_of_lines_go_and_modules_stay, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "_start libc_start main", 3);
    assert_roots(f, GRAPH_BY_LINE, 3, "main (m.c:26):3/3");
    assert_roots(f, GRAPH_BY_MODULE, 3, "prog:0/3");
}
