/* SPDX-License-Identifier: MIT */
/* The unwinder on stacks and registers that are cut or wrong: the chain ends, and says why. */
#include "unwinder_fixture.h"

/*
 * The stack cut at every eighth byte: what is left is right, and the reader is told that it was
 * cut.
 */
TEST_OF(unwinder_cut_stack_gives_the_inner_part_and_says_so, walk, w, &DESIGNED)
{
    struct snap_region *region = &taken.regions[0];
    size_t whole, last = 0;
    uint64_t end;

    outer(3);
    assert_int_equal(unwinder_chain(w->unwinder, &space, &taken.sample, &w->chain), STATUS_OK);
    whole = w->chain.count;
    end = region->end_addr;
    for (uint64_t cut = region->start_addr + 8; cut < end && last < whole; cut += 8) {
        region->end_addr = cut;
        assert_int_equal(unwinder_chain(w->unwinder, &space, &taken.sample, &w->chain), STATUS_OK);
        assert_true(w->chain.count >= last);
        last = w->chain.count;
        if (w->chain.count > 1)
            assert_prefix_of_oracle(&w->chain);
        assert_int_equal(w->chain.stop, last < whole ? STOP_TRUNCATED : STOP_THREAD_START);
    }
    assert_int_equal(last, whole);
}

TEST_OF(unwinder_stack_that_ends_there_is_not_called_cut, walk, w, &DESIGNED)
{
    struct snap_region *region = &taken.regions[0];

    outer(3);
    region->end_addr = region->map_end_addr = region->start_addr + 8;
    unwind(&DESIGNED, &w->chain);
    assert_int_equal(w->chain.count, 1);
    assert_int_equal(w->chain.stop, STOP_STACK_END);
}

TEST_OF(unwinder_unknown_code_has_no_rule, walk, w, &DESIGNED)
{
    outer(3);
    regs_set(&taken.sample.regs, 16, 0x1234);
    unwind(&EH_FRAME, &w->chain);
    assert_int_equal(w->chain.count, 1);
    assert_null(w->chain.frames[0].module);
    assert_int_equal(w->chain.frames[0].lookup_vaddr, 0x1234);
    assert_int_equal(w->chain.stop, STOP_NO_RULE);
}

static uint64_t pc_of_frame(const struct unwinder_options *options, size_t i)
{
    struct chain chain;
    uint64_t pc_addr;

    unwind(options, &chain);
    assert_true(i < chain.count);
    pc_addr = chain.frames[i].pc_addr;
    chain_deinit(&chain);
    return pc_addr;
}

/* The offset in the stack of the word that is `value`; the innermost. */
static uint64_t find_word(const struct snap_region *region, uint64_t value)
{
    for (uint64_t off = 0; off + 8 <= region->end_addr - region->start_addr; off += 8) {
        uint64_t word;

        memcpy(&word, region->bytes + off, sizeof(word));
        if (word == value)
            return off;
    }
    fail_msg("no such word on the stack");
    return 0;
}

/*
 * A call through a null pointer: the return address is on top of the stack, the PC in no code. The
 * frame pointer still leads to a record of the caller, which has the caller's caller.
 */
TEST_OF(unwinder_call_to_nowhere_leads_back_to_the_caller, walk, w, &DESIGNED)
{
    struct snap_region *region = &taken.regions[0];
    uint64_t return_addr, further_addr;

    outer(3);
    return_addr = pc_of_frame(&DESIGNED, 1);
    further_addr = pc_of_frame(&DESIGNED, 2);
    regs_set(&taken.sample.regs, 7, region->start_addr + find_word(region, return_addr));
    regs_set(&taken.sample.regs, 16, 0);
    regs_set(&taken.sample.regs, 6, region->start_addr + find_word(region, further_addr) - 8);
    unwind(&DESIGNED, &w->chain);
    assert_true(w->chain.count >= 2);
    assert_int_equal(w->chain.frames[1].trust, TRUST_LR);
    assert_true(w->chain.frames[1].pc_addr == return_addr);
}

/* As vfork does, whose child must not find the parent's return address overwritten. */
__asm__(".text\n"
        ".type takes_return_address, @function\n"
        "takes_return_address:\n"
        ".cfi_startproc\n"
        "pop %rdi\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_register %rip, %rdi\n"
        "return_address_taken:\n"
        "nop\n"
        "push %rdi\n"
        ".cfi_adjust_cfa_offset 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size takes_return_address, .-takes_return_address\n");
extern const char return_address_taken[];

TEST_OF(unwinder_return_address_may_be_in_a_register_alone, walk, w, &DESIGNED)
{
    struct snap_region *region = &taken.regions[0];
    uint64_t return_addr;

    outer(3);
    return_addr = pc_of_frame(&EH_FRAME, 1);
    regs_set(&taken.sample.regs, 7, region->start_addr + find_word(region, return_addr) + 8);
    regs_set(&taken.sample.regs, 16, (uint64_t)(uintptr_t)return_address_taken);
    regs_set(&taken.sample.regs, 5, return_addr);
    unwind(&EH_FRAME, &w->chain);
    assert_true(w->chain.count >= 2);
    assert_true(w->chain.frames[1].pc_addr == return_addr);
    assert_int_equal(w->chain.frames[1].trust, TRUST_EH_FRAME);
}

/*
 * Call frame information that gives 0 for the return address ends the chain; it is not where a
 * thread begins.
 */
TEST_OF(unwinder_return_address_of_zero_ends_the_chain, walk, w, &DESIGNED)
{
    static const uint64_t zero;
    struct snap_region *region = &taken.regions[0];
    uint64_t return_addr;

    outer(3);
    return_addr = pc_of_frame(&EH_FRAME, 6);
    memcpy(taken.bytes[0] + find_word(region, return_addr), &zero, sizeof(zero));
    unwind(&EH_FRAME, &w->chain);
    assert_int_equal(w->chain.count, 6);
    assert_int_equal(w->chain.stop, STOP_UNDEFINED_RA);
}

TEST_OF(unwinder_implausible_callers_are_not_believed, walk, w, &DESIGNED)
{
    struct snap_region *region = &taken.regions[0];
    uint64_t address;
    unsigned changed = 0;

    outer(3);
    /* The return address into `middle` is no longer one behind a call. */
    address = pc_of_frame(&DESIGNED, 5);
    for (uint64_t off = 0; off + 8 <= region->end_addr - region->start_addr; off += 8) {
        uint64_t word, wrong = address + 1;

        memcpy(&word, region->bytes + off, sizeof(word));
        if (word != address)
            continue;
        memcpy(taken.bytes[0] + off, &wrong, sizeof(wrong));
        changed++;
    }
    assert_true(changed > 0);
    unwind(&EH_FRAME, &w->chain);
    assert_int_equal(w->chain.count, 5);
    assert_int_equal(w->chain.stop, STOP_IMPLAUSIBLE);
}

TEST_WITH(unwinder_corrupt_stacks_are_survived, set_up, tear_down)
{
    static const struct unwinder_options all = {.methods = {TRUST_EH_FRAME, TRUST_PROLOGUE,
                                                            TRUST_FP, TRUST_LR, TRUST_SCAN},
                                                .method_count = 5};
    const struct unwinder_options *options[] = {&DESIGNED, &PROLOGUE, &FP, &all};
    struct snap_region *region = &taken.regions[0];
    uint8_t *bytes = taken.bytes[0];
    uint64_t size;

    outer(20);
    size = region->end_addr - region->start_addr;
    if (size > 2048)
        size = 2048;
    srand(3);
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct unwinder *unwinder = create(options[i]);
        struct chain chain = {0};

        for (int round = 0; round < 100; round++) {
            uint64_t at = (uint64_t)rand() % (size / 8) * 8,
                     from = (uint64_t)rand() % (size / 8) * 8;

            if (round % 2) /* another word of the stack, so that it is an address */
                memmove(bytes + at, bytes + from, 8);
            else
                bytes[at + (uint64_t)rand() % 8] ^= (uint8_t)(1 + rand() % 255);
            assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
            assert_true(chain.count >= 1 && chain.count <= CHAIN_DEPTH_MAX);
        }
        chain_deinit(&chain);
        unwinder_destroy(unwinder);
    }
}

TEST_OF(unwinder_random_registers_are_survived, walk, w, &DESIGNED)
{
    outer(3);
    srand(4);
    for (int round = 0; round < 200; round++) {
        struct snap_sample sample = taken.sample;

        sample.regs.known = (uint64_t)rand() & ((1 << 17) - 1);
        sample.regs.known |= 1 << 16 | 1 << 7; /* the reader promises all of them */
        for (unsigned reg = 0; reg < 16; reg++)
            if (rand() % 2)
                sample.regs.value[reg] += (uint64_t)(rand() % 4096) - 2048;
        assert_int_equal(unwinder_chain(w->unwinder, &space, &sample, &w->chain), STATUS_OK);
        assert_true(w->chain.count >= 1);
    }
}
