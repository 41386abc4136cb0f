/* SPDX-License-Identifier: MIT */
/* Where a walk may meet the last one, and what the chain is then. */
#include <stdlib.h>

#include "unit_test.h"
#include "base/vec.h"
#include "unwind/suffix_cache.h"

#define STACK 0x10000

static struct chain chain, walked;
static struct suffix_match match;

static const struct arch *arch(void)
{
    return arch_get(ARCH_X86_64);
}

/* The registers of a frame whose stack pointer is that many words above STACK. */
static struct regs at_word(uint64_t word)
{
    struct regs regs = {.known = 0};

    regs_set(&regs, arch()->sp, STACK + 8 * word);
    regs_set(&regs, arch()->pc, 0x1000 + word);
    regs_set(&regs, arch()->fp, 5);
    return regs;
}

static void begin(uint64_t unchanged_addr)
{
    assert_int_equal(suffix_match_begin(&match, &chain, arch(), 1, unchanged_addr), STATUS_OK);
}

/* One more frame; true when it was met. */
static bool frame_at(uint64_t word)
{
    struct regs regs = at_word(word);

    assert_int_equal(vec_reserve(&walked.frames, &walked.cap, walked.count + 1,
                                 sizeof(*walked.frames)),
                     STATUS_OK);
    walked.frames[walked.count++] = (struct frame){.pc_addr = 0x1000 + word, .is_call = true};
    return suffix_match_due(&match, walked.count, STACK + 8 * word) &&
           suffix_match_at(&match, walked.count, &regs, true);
}

static void end(void)
{
    walked.stop = STOP_THREAD_START;
    assert_int_equal(suffix_match_end(&match, &walked, &chain, 1), STATUS_OK);
}

/* A first walk through the frames [from, to). */
static void first_walk(uint64_t from, uint64_t to)
{
    begin(UINT64_MAX);
    for (uint64_t word = from; word < to; word++)
        assert_false(frame_at(word));
    end();
    assert_int_equal(chain.count, to - from);
}

static int forget(void **state)
{
    (void)state;
    chain_deinit(&chain);
    chain_deinit(&walked);
    return 0;
}

TEST_WITH(suffix_cache_met_walk_keeps_what_is_further_out, NULL, forget)
{
    uint64_t word = 90;

    first_walk(100, 300);
    for (unsigned round = 0; round < 5; round++) {
        begin(STACK);
        while (!frame_at(word))
            word++;
        end();
        assert_true(chain.cached > 180);
        for (size_t i = 0; i < chain.count; i++)
            assert_int_equal(chain.frames[i].pc_addr, 0x1000 + 300 - chain.count + i);
        word = 80 + 7 * round; /* deeper, and less deep */
        assert_int_equal(chain.stop, STOP_THREAD_START);
    }
}

TEST_WITH(suffix_cache_nothing_is_met_below_what_is_unchanged, NULL, forget)
{
    first_walk(0, 200);
    begin(STACK + 8 * 100);
    for (uint64_t word = 0; word < 100; word++)
        assert_false(frame_at(word));
    assert_int_equal(walked.count, 100);
    end();
    begin(STACK); /* of another address space */
    assert_int_equal(suffix_match_begin(&match, &chain, arch(), 2, STACK), STATUS_OK);
    for (uint64_t word = 0; word < 100; word++)
        assert_false(frame_at(word));
    end();
}

TEST_WITH(suffix_cache_other_register_is_not_met, NULL, forget)
{
    struct regs regs = at_word(31);

    first_walk(0, 200); /* with a mark at its 32nd frame */
    begin(STACK);
    regs_set(&regs, arch()->fp, 6);
    assert_false(suffix_match_at(&match, 1, &regs, true));
    begin(STACK);
    regs_set(&regs, arch()->fp, 5);
    assert_false(suffix_match_at(&match, 1, &regs, false));
    begin(STACK);
    regs_set(&regs, 3, 0); /* known now */
    assert_false(suffix_match_at(&match, 1, &regs, true));
    begin(STACK);
    regs_forget(&regs, 3);
    assert_true(suffix_match_at(&match, 1, &regs, true));
}

TEST_WITH(suffix_cache_chain_is_never_deeper_than_the_cap, NULL, forget)
{
    struct regs regs = at_word(31);

    first_walk(0, CHAIN_DEPTH_MAX); /* with a mark at its 32nd frame */
    begin(STACK);
    assert_false(suffix_match_at(&match, 33, &regs, true));
    begin(STACK);
    assert_true(suffix_match_at(&match, 32, &regs, true));
}
