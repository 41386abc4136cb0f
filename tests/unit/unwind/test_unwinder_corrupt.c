/* SPDX-License-Identifier: MIT */
/* The unwinder on stacks and registers that are cut or wrong: the chain ends, and says why. */
#include "unwinder_fixture.h"

/*
 * The stack cut at every eighth byte: what is left is right, and the reader is told that it was
 * cut.
 */
static void unwinder_cut_stack_gives_the_inner_part_and_says_so(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct snap_region *region = &taken.regions[0];
    struct chain chain = {0};
    size_t whole, last = 0;
    uint64_t end;

    (void)state;
    outer(3);
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
    whole = chain.count;
    end = region->end_addr;
    for (uint64_t cut = region->start_addr + 8; cut < end && last < whole; cut += 8) {
        region->end_addr = cut;
        assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
        assert_true(chain.count >= last);
        last = chain.count;
        if (chain.count > 1)
            assert_prefix_of_oracle(&chain);
        assert_int_equal(chain.stop, last < whole ? STOP_TRUNCATED : STOP_THREAD_START);
    }
    assert_int_equal(last, whole);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

static void unwinder_stack_that_ends_there_is_not_called_cut(void **state)
{
    struct snap_region *region = &taken.regions[0];
    struct chain chain;

    (void)state;
    outer(3);
    region->end_addr = region->map_end_addr = region->start_addr + 8;
    unwind(&DESIGNED, &chain);
    assert_int_equal(chain.count, 1);
    assert_int_equal(chain.stop, STOP_STACK_END);
    chain_deinit(&chain);
}

static void unwinder_unknown_code_has_no_rule(void **state)
{
    struct chain chain;

    (void)state;
    outer(3);
    regs_set(&taken.sample.regs, 16, 0x1234);
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 1);
    assert_null(chain.frames[0].module);
    assert_int_equal(chain.frames[0].lookup_vaddr, 0x1234);
    assert_int_equal(chain.stop, STOP_NO_RULE);
    chain_deinit(&chain);
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

/* A call through a null pointer: the return address is on top of the stack, the PC in no code. */
static void unwinder_call_to_nowhere_leads_back_to_the_caller(void **state)
{
    struct snap_region *region = &taken.regions[0];
    struct chain chain;
    uint64_t return_addr;

    (void)state;
    outer(3);
    return_addr = pc_of_frame(&DESIGNED, 1);
    regs_set(&taken.sample.regs, 7, region->start_addr + find_word(region, return_addr));
    regs_set(&taken.sample.regs, 16, 0);
    regs_set(&taken.sample.regs, 6, 1); /* no frame pointer */
    unwind(&DESIGNED, &chain);
    assert_true(chain.count >= 2);
    assert_int_equal(chain.frames[1].trust, TRUST_LR);
    assert_true(chain.frames[1].pc_addr == return_addr);
    chain_deinit(&chain);
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

static void unwinder_return_address_may_be_in_a_register_alone(void **state)
{
    struct snap_region *region = &taken.regions[0];
    struct chain chain;
    uint64_t return_addr;

    (void)state;
    outer(3);
    return_addr = pc_of_frame(&EH_FRAME, 1);
    regs_set(&taken.sample.regs, 7, region->start_addr + find_word(region, return_addr) + 8);
    regs_set(&taken.sample.regs, 16, (uint64_t)(uintptr_t)return_address_taken);
    regs_set(&taken.sample.regs, 5, return_addr);
    unwind(&EH_FRAME, &chain);
    assert_true(chain.count >= 2);
    assert_true(chain.frames[1].pc_addr == return_addr);
    assert_int_equal(chain.frames[1].trust, TRUST_EH_FRAME);
    chain_deinit(&chain);
}

/*
 * Call frame information that gives 0 for the return address ends the chain; it is not where a
 * thread begins.
 */
static void unwinder_return_address_of_zero_ends_the_chain(void **state)
{
    static const uint64_t zero;
    struct snap_region *region = &taken.regions[0];
    struct chain chain;
    uint64_t return_addr;

    (void)state;
    outer(3);
    return_addr = pc_of_frame(&EH_FRAME, 6);
    memcpy(taken.bytes[0] + find_word(region, return_addr), &zero, sizeof(zero));
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 6);
    assert_int_equal(chain.stop, STOP_UNDEFINED_RA);
    chain_deinit(&chain);
}

static void unwinder_implausible_callers_are_not_believed(void **state)
{
    struct snap_region *region = &taken.regions[0];
    struct chain chain;
    uint64_t address;
    unsigned changed = 0;

    (void)state;
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
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 5);
    assert_int_equal(chain.stop, STOP_IMPLAUSIBLE);
    chain_deinit(&chain);
}

static void unwinder_corrupt_stacks_are_survived(void **state)
{
    static const struct unwinder_options all = {.methods = {TRUST_EH_FRAME, TRUST_PROLOGUE,
                                                            TRUST_FP, TRUST_LR, TRUST_SCAN},
                                                .method_count = 5};
    const struct unwinder_options *options[] = {&DESIGNED, &PROLOGUE, &FP, &all};
    struct snap_region *region = &taken.regions[0];
    uint8_t *bytes = taken.bytes[0];
    uint64_t size;

    (void)state;
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

static void unwinder_random_registers_are_survived(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct chain chain = {0};

    (void)state;
    outer(3);
    srand(4);
    for (int round = 0; round < 200; round++) {
        struct snap_sample sample = taken.sample;

        sample.regs.known = (uint64_t)rand() & ((1 << 17) - 1);
        sample.regs.known |= 1 << 16 | 1 << 7; /* the reader promises all of them */
        for (unsigned reg = 0; reg < 16; reg++)
            if (rand() % 2)
                sample.regs.value[reg] += (uint64_t)(rand() % 4096) - 2048;
        assert_int_equal(unwinder_chain(unwinder, &space, &sample, &chain), STATUS_OK);
        assert_true(chain.count >= 1);
    }
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwinder_cut_stack_gives_the_inner_part_and_says_so),
        cmocka_unit_test(unwinder_stack_that_ends_there_is_not_called_cut),
        cmocka_unit_test(unwinder_unknown_code_has_no_rule),
        cmocka_unit_test(unwinder_call_to_nowhere_leads_back_to_the_caller),
        cmocka_unit_test(unwinder_return_address_may_be_in_a_register_alone),
        cmocka_unit_test(unwinder_return_address_of_zero_ends_the_chain),
        cmocka_unit_test(unwinder_implausible_callers_are_not_believed),
        cmocka_unit_test(unwinder_corrupt_stacks_are_survived),
        cmocka_unit_test(unwinder_random_registers_are_survived),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
