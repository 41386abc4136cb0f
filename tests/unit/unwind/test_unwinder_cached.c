/* SPDX-License-Identifier: MIT */
/* What the unwinder keeps from one sample for the next: steps by address, a chain's outer part. */
#include "unwinder_fixture.h"

#define DEPTH 100

static void assert_same_frame(const struct frame *a, const struct frame *b)
{
    assert_true(a->pc_addr == b->pc_addr && a->lookup_vaddr == b->lookup_vaddr);
    assert_ptr_equal(a->module, b->module);
    assert_int_equal(a->vaddr_known, b->vaddr_known);
    assert_int_equal(a->is_call, b->is_call);
    assert_int_equal(a->signal_frame, b->signal_frame);
    assert_int_equal(a->trust, b->trust);
}

/* A chain of its own for the sample at hand, by an unwinder that has seen nothing. */
static void assert_as_anew_by(const struct unwinder_options *options, const struct chain *chain)
{
    struct chain anew;

    unwind(options, &anew);
    assert_int_equal(chain->count, anew.count);
    assert_int_equal(chain->stop, anew.stop);
    assert_int_equal(chain->outermost_sp, anew.outermost_sp);
    for (size_t i = 0; i < anew.count; i++)
        assert_same_frame(&chain->frames[i], &anew.frames[i]);
    chain_deinit(&anew);
}

static void assert_as_anew(const struct chain *chain)
{
    assert_as_anew_by(&DESIGNED, chain);
    assert_true(chain->outermost_sp > (uintptr_t)__builtin_frame_address(0));
    assert_true(chain->outermost_sp < taken.regions[0].end_addr);
}

static void again(struct unwinder *unwinder, struct chain *chain, uint64_t unchanged_addr)
{
    taken.sample.unchanged_addr = unchanged_addr;
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, chain), STATUS_OK);
}

TEST_OF(unwinder_chain_by_kept_steps_is_the_same, walk, w, &DESIGNED)
{
    outer(DEPTH);
    for (int i = 0; i < 3; i++) {
        again(w->unwinder, &w->chain, 0);
        assert_int_equal(w->chain.cached, 0);
        assert_as_anew(&w->chain);
    }
    outer(3);
    again(w->unwinder, &w->chain, 0);
    assert_as_anew(&w->chain);
}

TEST_OF(unwinder_outer_part_of_an_unchanged_stack_is_kept, walk, w, &DESIGNED)
{
    uint64_t *word, value;

    outer(DEPTH);
    again(w->unwinder, &w->chain, UINT64_MAX);
    assert_int_equal(w->chain.cached, 0);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    assert_true(w->chain.cached > w->chain.count - 40);
    assert_as_anew(&w->chain);
    /* What is said not to have changed is not looked at: were it, the chain would end here. */
    word = (uint64_t *)(taken.bytes[0] + (taken.regions[0].end_addr - taken.regions[0].start_addr));
    for (uint64_t *at = (uint64_t *)taken.bytes[0]; at < word; at++)
        if (*at == w->chain.frames[w->chain.count - 2].pc_addr)
            word = at;
    assert_true((uint8_t *)word <
                taken.bytes[0] + (taken.regions[0].end_addr - taken.regions[0].start_addr));
    value = *word;
    *word = 1;
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    *word = value;
    assert_as_anew(&w->chain);
}

/* From where to its end the stack of the sample at hand is as `before`, which ends there too. */
static uint64_t unchanged_from(const uint8_t *before, size_t before_size)
{
    const struct snap_region *region = &taken.regions[0];
    size_t size = (size_t)(region->end_addr - region->start_addr), same = 0;

    while (same < size && same < before_size &&
           before[before_size - 1 - same] == region->bytes[size - 1 - same])
        same++;
    return region->end_addr - same;
}

struct pair {
    struct unwinder *unwinder;
    struct chain chain;
    int first, second; /* depths */
};

/* Two samples of other callees. */
static NOINLINE void take_pair(struct pair *pair)
{
    uint8_t *before;
    size_t size;

    inner(pair->first);
    again(pair->unwinder, &pair->chain, UINT64_MAX);
    size = (size_t)(taken.regions[0].end_addr - taken.regions[0].start_addr);
    before = malloc(size);
    assert_non_null(before);
    memcpy(before, taken.regions[0].bytes, size);
    inner(pair->second);
    again(pair->unwinder, &pair->chain, unchanged_from(before, size));
    free(before);
    assert_as_anew(&pair->chain);
    KEEP_FRAME();
}

static NOINLINE void descend(int depth, struct pair *pair)
{
    if (depth > 0)
        descend(depth - 1, pair);
    else
        take_pair(pair);
    KEEP_FRAME();
}

TEST_WITH(unwinder_chain_is_kept_from_where_it_meets_the_last_one, set_up, tear_down)
{
    /* not on the stack, which is to stay as it is */
    static struct pair pairs[] = {{.first = 5, .second = 40},
                                  {.first = 60, .second = 2},
                                  {.first = 9}};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        pairs[i].unwinder = create(&DESIGNED);
        descend(DEPTH, &pairs[i]);
        assert_true(pairs[i].chain.cached > DEPTH / 2);
        chain_deinit(&pairs[i].chain);
        unwinder_destroy(pairs[i].unwinder);
    }
}

/*
 * A step that one sample's registers led to is not for the next one's. The samples are of the first
 * instruction of a function, where tables go by SP in whatever way the function is compiled.
 */
TEST_WITH(unwinder_order_of_methods_holds_for_each_sample, set_up, tear_down)
{
    static const struct unwinder_options fp_first = {.methods = {TRUST_FP, TRUST_EH_FRAME},
                                                     .method_count = 2};
    struct unwinder *unwinder = create(&fp_first);
    struct chain chain = {0};
    struct regs *regs = &taken.sample.regs;
    uint64_t *words, caller, at = 0;

    outer(DEPTH);
    unwind(&DESIGNED, &chain);
    caller = chain.frames[1].pc_addr;
    chain_deinit(&chain);
    words = (uint64_t *)taken.bytes[0];
    while (words[at] != caller)
        at++;
    regs_set(regs, 16, (uint64_t)(uintptr_t)inner);
    regs_set(regs, 7, taken.regions[0].start_addr + 8 * at);
    regs_set(regs, 6, 1); /* no frame record can be there */
    again(unwinder, &chain, 0);
    assert_int_equal(chain.frames[1].trust, TRUST_EH_FRAME);
    assert_as_anew_by(&fp_first, &chain);
    words[at + 4] = 0;
    words[at + 5] = caller;
    regs_set(regs, 6, taken.regions[0].start_addr + 8 * (at + 4)); /* a frame record */
    again(unwinder, &chain, 0);
    assert_int_equal(chain.frames[1].trust, TRUST_FP);
    assert_as_anew_by(&fp_first, &chain);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

/* What was in no mapping is in one from now on. */
TEST_OF(unwinder_new_mapping_ends_what_was_kept, walk, w, &DESIGNED)
{
    struct mapping mapping;
    size_t whole;

    outer(DEPTH);
    again(w->unwinder, &w->chain, UINT64_MAX);
    whole = w->chain.count;
    mapping = *address_space_find(&space, w->chain.frames[0].pc_addr);
    assert_int_equal(address_space_remove(&space, mapping.start_addr, mapping.end_addr), STATUS_OK);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    assert_null(w->chain.frames[0].module);
    assert_int_equal(address_space_add(&space, mapping.start_addr, mapping.end_addr,
                                       mapping.file_off, mapping.module),
                     STATUS_OK);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    assert_int_equal(w->chain.count, whole);
    assert_as_anew(&w->chain);
}

TEST_OF(unwinder_mapping_taken_away_ends_what_was_kept, walk, w, &DESIGNED)
{
    struct mapping mapping;
    size_t whole;

    outer(DEPTH);
    again(w->unwinder, &w->chain, UINT64_MAX);
    whole = w->chain.count;
    mapping = *address_space_find(&space, w->chain.frames[whole - 2].pc_addr);
    assert_int_equal(address_space_remove(&space, mapping.start_addr, mapping.end_addr), STATUS_OK);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    assert_true(w->chain.count < whole);
    assert_as_anew(&w->chain);
    assert_int_equal(address_space_add(&space, mapping.start_addr, mapping.end_addr,
                                       mapping.file_off, mapping.module),
                     STATUS_OK);
    again(w->unwinder, &w->chain, taken.regions[0].start_addr);
    assert_int_equal(w->chain.count, whole);
    assert_as_anew(&w->chain);
}
