/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "main.c", .line = 10},
    {"f", .start = 0x2000, .file = "f.c", .line = 20},
    {"g", .start = 0x3000},
    {0},
};

TEST_OF(profile_same_chain_is_one_cell, fixture, f, FUNCTIONS)
{
    for (int i = 0; i < 1000; i++)
        fixture_add(f, "t", 1, "main f g", 1);
    assert_int_equal(f->profile->frame_count, 3);
    assert_int_equal(f->profile->trie.len, 4);
    assert_int_equal(f->profile->chain_count, 1);
    assert_int_equal(f->profile->cell_count, 1);
    assert_int_equal(f->profile->cells[0].weights.value[WEIGHT_SAMPLES], 1000);
    assert_int_equal(f->profile->cells[0].weights.value[WEIGHT_WALL], 1000000);
    assert_int_equal(f->profile->cells[0].weights.value[WEIGHT_CPU], 10000);
}

TEST_OF(profile_common_outer_frames_are_shared, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main f g", 1);
    fixture_add(f, "t", 1, "main f f/20", 1);
    fixture_add(f, "t", 1, "main f", 1);
    /* main, f, g, the inner f; and f as innermost frame, which is no caller: another frame. */
    assert_int_equal(f->profile->trie.len, 6);
    assert_int_equal(f->profile->chain_count, 3);
}

TEST_OF(profile_other_trust_stop_or_thread_is_kept_apart, fixture, f, FUNCTIONS)
{
    struct weights one = {.value = {1, 1, 1}};
    struct chain chain;
    uint32_t thread[3];
    uint32_t ids[3];

    chain = fixture_chain(f, "main g");
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &ids[0]), STATUS_OK);
    chain.stop = STOP_TRUNCATED;
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &ids[1]), STATUS_OK);
    chain.frames[1].trust = TRUST_FP;
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &ids[2]), STATUS_OK);
    assert_int_equal(f->profile->trie.len, 5);
    assert_int_equal(f->profile->chain_count, 3);
    assert_int_equal(profile_thread(f->profile, 1, 2, "a", &thread[0]), STATUS_OK);
    assert_int_equal(profile_thread(f->profile, 1, 2, "b", &thread[1]), STATUS_OK);
    assert_int_equal(profile_thread(f->profile, 1, 2, "a", &thread[2]), STATUS_OK);
    assert_int_equal(thread[0], 0);
    assert_int_equal(thread[1], 1);
    assert_int_equal(thread[2], 0);
    assert_int_equal(profile_weigh(f->profile, 0, ids[0], 'R', &one), STATUS_OK);
    assert_int_equal(profile_weigh(f->profile, 1, ids[0], 'R', &one), STATUS_OK);
    assert_int_equal(f->profile->cell_count, 2);
    chain_deinit(&chain);
}

TEST_OF(profile_states_of_a_thread_are_weighed_apart, fixture, f, FUNCTIONS)
{
    struct weights one = {.value = {1, 10, 0}};

    fixture_add(f, "t", 1, "main", 1);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'S', &one), STATUS_OK);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'S', &one), STATUS_OK);
    assert_int_equal(f->profile->cell_count, 2);
    assert_int_equal(f->profile->cells[0].state, 'R');
    assert_int_equal(f->profile->cells[0].weights.value[WEIGHT_SAMPLES], 1);
    assert_int_equal(f->profile->cells[1].state, 'S');
    assert_int_equal(f->profile->cells[1].weights.value[WEIGHT_SAMPLES], 2);
    assert_int_equal(profile_cell(f->profile, 0, 0, 'R'), 0);
    assert_int_equal(profile_cell(f->profile, 0, 0, 'S'), 1);
    assert_int_equal(profile_cell(f->profile, 0, 0, 'D'), UINT32_MAX);
    profile_weigh_base(f->profile, true);
    assert_int_equal(profile_cell(f->profile, 0, 0, 'S'), UINT32_MAX);
}

TEST_OF(profile_weights_saturate, fixture, f, FUNCTIONS)
{
    struct weights most = {.value = {UINT64_MAX, UINT64_MAX, 5}};

    fixture_add(f, "t", 1, "main", 3);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'R', &most), STATUS_OK);
    assert_true(f->profile->cells[0].weights.value[WEIGHT_SAMPLES] == UINT64_MAX);
    assert_int_equal(f->profile->cells[0].weights.value[WEIGHT_CPU], 35);
}

TEST_OF(profile_resolve_asks_once_for_each_address, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main f g", 1);
    fixture_add(f, "t", 1, "main f!fp g", 1); /* same address, another trust */
    fixture_add(f, "t", 1, "main g", 1);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    assert_int_equal(f->lookups, 3);
}

TEST_OF(profile_deep_chain_is_interned, fixture, f, FUNCTIONS)
{
    struct chain chain = {.stop = STOP_DEPTH, .count = CHAIN_DEPTH_MAX};
    uint32_t id[2];

    chain.frames = calloc(chain.count, sizeof(*chain.frames));
    for (size_t i = 0; i < chain.count; i++)
        chain.frames[i] = (struct frame){.pc_addr = 0x1000, .is_call = true};
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &id[0]), STATUS_OK);
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &id[1]), STATUS_OK);
    assert_int_equal(id[0], id[1]);
    assert_int_equal(f->profile->frame_count, 1);
    assert_int_equal(f->profile->trie.len, CHAIN_DEPTH_MAX + 1);
    free(chain.frames);
}

TEST_OF(profile_threads_of_the_baselines_program_are_called_as_the_other_one, fixture, f, FUNCTIONS)
{
    fixture_add(f, "new-with-a-long", 1, "main", 1);
    fixture_add_base(f, "old", 1, "main", 1);
    fixture_add_base(f, "older", 2, "main", 1);
    fixture_add_base(f, "", 3, "main", 1);
    profile_weigh_base(f->profile, true);
    assert_int_equal(profile_program(f->profile, "/bin/old"), STATUS_OK);
    assert_string_equal(profile_thread_label(f->profile, 1), "old"); /* the other is not known */
    assert_string_equal(profile_program_file(f->profile, "/bin/old"), "old");
    profile_weigh_base(f->profile, false);
    assert_int_equal(profile_program(f->profile, ""), STATUS_OK);
    assert_null(f->profile->program);
    assert_int_equal(profile_program(f->profile, "/bin/new-with-a-long-name"), STATUS_OK);
    assert_int_equal(profile_program(f->profile, "/bin/second"), STATUS_OK);
    assert_string_equal(f->profile->program, "/bin/new-with-a-long-name");
    assert_string_equal(profile_thread_label(f->profile, 0), "new-with-a-long");
    assert_string_equal(profile_thread_label(f->profile, 1), "new-with-a-long");
    assert_string_equal(profile_thread_label(f->profile, 2), "older");
    assert_string_equal(profile_thread_label(f->profile, 3), "thread");
    assert_string_equal(profile_program_file(f->profile, "/bin/old"), "new-with-a-long-name");
    assert_string_equal(profile_program_file(f->profile, "/usr/bin/old"), "old");
}
