/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/trie.h"

TEST(trie_common_beginnings_are_shared)
{
    struct trie trie;
    uint32_t a;
    uint32_t ab;
    uint32_t ac;
    uint32_t ad;
    uint32_t again;

    assert_int_equal(trie_init(&trie), STATUS_OK);
    assert_int_equal(trie_step(&trie, TRIE_ROOT, 10, &a), STATUS_OK);
    assert_int_equal(trie_step(&trie, a, 20, &ab), STATUS_OK);
    assert_int_equal(trie_step(&trie, a, 30, &ac), STATUS_OK);
    assert_int_equal(trie_step(&trie, a, 20, &again), STATUS_OK);
    assert_int_equal(again, ab);
    assert_int_not_equal(ab, ac);
    assert_int_equal(trie_step(&trie, a, 40, &ad), STATUS_OK);
    assert_int_equal(trie_find(&trie, a, 20), ab);
    assert_int_equal(trie_find(&trie, a, 30), ac);
    assert_int_equal(trie_find(&trie, a, 40), ad);
    assert_int_equal(trie_find(&trie, a, 50), TRIE_NONE);
    assert_int_equal(trie_find(&trie, ab, 30), TRIE_NONE);
    assert_int_equal(trie.len, 5);
    assert_int_equal(trie.nodes[ac].parent, a);
    assert_int_equal(trie.nodes[ac].key, 30);
    trie_deinit(&trie);
}

TEST(trie_children_lists_are_complete)
{
    struct trie trie;
    uint32_t *first;
    uint32_t *next;
    uint32_t node;
    uint32_t sum = 0;

    assert_int_equal(trie_init(&trie), STATUS_OK);
    for (uint32_t i = 1; i <= 100; i++)
        assert_int_equal(trie_step(&trie, TRIE_ROOT, i, &node), STATUS_OK);
    assert_int_equal(trie_step(&trie, node, 1, &node), STATUS_OK);
    assert_int_equal(trie_children(&trie, &first, &next), STATUS_OK);
    for (uint32_t kid = first[TRIE_ROOT]; kid != TRIE_NONE; kid = next[kid])
        sum += trie.nodes[kid].key;
    assert_int_equal(sum, 5050);
    assert_int_equal(first[node], TRIE_NONE);
    free(first);
    free(next);
    trie_deinit(&trie);
}
