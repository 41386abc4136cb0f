/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/fold.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", 0, 0x1000, "main", NULL, 0, NULL, false},
    {"a", 0, 0x2000, "a;", NULL, 0, NULL, false},
    {"b", 1, 0x3000, "b", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

static uint32_t child(const struct fold *fold, uint32_t node, uint32_t n)
{
    uint32_t kid = fold->first[node];

    while (n-- && kid != TRIE_NONE)
        kid = fold->next[kid];
    return kid;
}

static void fold_nodes_merges_threads_and_sums_up(void **state)
{
    struct fixture f;
    struct fold *fold;
    uint32_t root;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a", 3);
    fixture_add(&f, "u", 2, "main a/20", 4);
    fixture_add(&f, "u", 2, "main a b", 5);
    assert_int_equal(fold_create(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
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
    fixture_deinit(&f);
}

static void fold_text_begins_with_the_thread(void **state)
{
    struct fixture f;
    struct fold *fold;
    uint32_t thread;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t;", 1, "a", 3);
    fixture_add(&f, "u", 2, "a", 4);
    assert_int_equal(fold_create(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
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
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fold_nodes_merges_threads_and_sums_up),
        cmocka_unit_test(fold_text_begins_with_the_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
