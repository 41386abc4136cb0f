/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/fold.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000},
    {"a", .start = 0x2000, .name = "a;"},
    {"b", .module = 1, .start = 0x3000},
    {0},
};

static uint32_t child(const struct fold *fold, uint32_t node, uint32_t n)
{
    uint32_t kid = fold->first[node];

    while (n-- && kid != TRIE_NONE)
        kid = fold->next[kid];
    return kid;
}

TEST_OF(fold_nodes_merges_threads_and_sums_up, fixture, f, FUNCTIONS)
{
    struct fold *fold;
    uint32_t root;

    fixture_add(f, "t", 1, "main a", 3);
    fixture_add(f, "u", 2, "main a/20", 4);
    fixture_add(f, "u", 2, "main a b", 5);
    assert_int_equal(fold_create(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 FOLD_NODES, &fold),
                     STATUS_OK);
    assert_int_equal(fold->trie.len, 4);
    root = child(fold, TRIE_ROOT, 0);
    assert_int_equal(fold->total[TRIE_ROOT], 12);
    assert_int_equal(fold->total[root], 12);
    assert_int_equal(fold->self[root], 0);
    assert_int_equal(fold->self[child(fold, root, 0)], 7);
    assert_int_equal(fold->total[child(fold, root, 0)], 12);
    assert_int_equal(child(fold, root, 1), TRIE_NONE);
    fold_destroy(fold);
}

TEST_OF(fold_text_begins_with_the_thread, fixture, f, FUNCTIONS)
{
    struct fold *fold;
    uint32_t thread;

    fixture_add(f, "t;", 1, "a", 3);
    fixture_add(f, "u", 2, "a", 4);
    assert_int_equal(fold_create(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 FOLD_TEXT, &fold),
                     STATUS_OK);
    assert_int_equal(fold->trie.len, 5);
    for (uint32_t i = 0; i < 2; i++) {
        bool first;

        thread = child(fold, TRIE_ROOT, i);
        first = strcmp(fold->texts.texts[fold->trie.nodes[thread].key], "t:") == 0;
        assert_int_equal(fold->total[thread], first ? 3 : 4);
        assert_string_equal(fold->texts.texts[fold->trie.nodes[child(fold, thread, 0)].key], "a:");
    }
    fold_destroy(fold);
}

TEST_OF(fold_inverted_begins_with_callees, fixture, f, FUNCTIONS)
{
    struct fold *fold;
    uint32_t b, a;

    f->inverted = true;
    fixture_add(f, "t", 1, "main b", 1);
    fixture_add(f, "u", 2, "main a b", 2);
    fixture_add(f, "u", 2, "main a/20 b", 4);
    fixture_add(f, "u", 2, "main a", 8);
    fixture_add_base(f, "u", 2, "main a b", 16);
    assert_int_equal(fold_create(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 FOLD_NODES, &fold),
                     STATUS_OK);
    assert_int_equal(fold->trie.len, 7);
    assert_int_equal(fold->cut_depth, 0);
    b = child(fold, TRIE_ROOT, 0);
    a = child(fold, TRIE_ROOT, 1);
    if (fold->total[b] != 7) {
        uint32_t swapped = a;

        a = b;
        b = swapped;
    }
    assert_int_equal(fold->total[b], 7); /* what b weighs itself */
    assert_int_equal(fold->base_total[b], 16);
    assert_int_equal(fold->self[b], 0);
    assert_int_equal(fold->total[a], 8);
    assert_int_equal(fold->self[child(fold, a, 0)], 8); /* main: nobody calls it */
    assert_int_equal(child(fold, child(fold, a, 0), 0), TRIE_NONE);
    fold_destroy(fold);
}

/* As many chains as there are leaves, which have their 65,535 outer frames in common. */
static void add_deep_leaves(struct fixture *f, uint32_t leaves)
{
    const struct weights weights = {.value = {1, 1000, 10}};
    struct chain chain = {.frames = calloc(CHAIN_DEPTH_MAX, sizeof(*chain.frames)),
                          .count = CHAIN_DEPTH_MAX,
                          .cap = CHAIN_DEPTH_MAX,
                          .stop = STOP_DEPTH};
    uint32_t thread_id, chain_id;

    assert_non_null(chain.frames);
    for (size_t i = 1; i < chain.count; i++) {
        char alias[] = "a";

        chain.frames[i] = fixture_frame(f, alias, false);
    }
    assert_int_equal(profile_thread(f->profile, 7, 1, "deep", &thread_id), STATUS_OK);
    for (uint32_t i = 0; i < leaves; i++) {
        char leaf[32];

        snprintf(leaf, sizeof(leaf), "@%x", 0x1000 + 16 * (unsigned)i);
        chain.frames[0] = fixture_frame(f, leaf, true);
        assert_int_equal(profile_chain(f->profile, &chain, NULL, &chain_id), STATUS_OK);
        assert_int_equal(profile_weigh(f->profile, thread_id, chain_id, 'R', &weights), STATUS_OK);
    }
    chain_deinit(&chain);
}

TEST_OF(fold_inverted_of_deep_chains_is_cut, fixture, f, FUNCTIONS)
{
    const uint32_t leaves = FOLD_INVERTED_MAX / CHAIN_DEPTH_MAX + 2;
    const uint32_t depth = CHAIN_DEPTH_MAX / 2;
    struct fold *fold;

    f->inverted = true;
    add_deep_leaves(f, leaves);
    assert_int_equal(fold_create(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 FOLD_NODES, &fold),
                     STATUS_OK);
    assert_int_equal(fold->cut_depth, depth);
    assert_int_equal(fold->trie.len, 1 + (size_t)leaves * depth);
    assert_int_equal(fold->total[TRIE_ROOT], leaves);
    fold_destroy(fold);
    assert_int_equal(fold_create(f->view, FOLD_TEXT, &fold), STATUS_OK);
    assert_int_equal(fold->trie.len, 2 + (size_t)leaves * (depth + 1)); /* a mark on each */
    fold_destroy(fold);
}
