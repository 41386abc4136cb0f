/* SPDX-License-Identifier: MIT */
#include "insn_a64_fixture.h"
#include "unwind/row/row.h"

TEST(insn_jumps_tell_their_target)
{
    assert_int_equal(jump_target("\x40\x00\x00\x14", 4), VADDR + 0x100); /* b .+0x100 */
    assert_int_equal(jump_target("\xff\xff\xff\x17", 4), VADDR - 4);     /* b .-4 */
    assert_int_equal(jump_target("\x40\x00\x00\x94", 4), 0);             /* bl .+0x100 */
    assert_int_equal(jump_target("\x00\x02\x1f\xd6", 4), 0);             /* br x16 */
}

static bool is_strong_start(const uint32_t words[3])
{
    uint8_t bytes[12];

    for (size_t i = 0; i < 3; i++)
        put_word(bytes + 4 * i, words[i]);
    return set()->strong_start(bytes, sizeof(bytes));
}

TEST(insn_prologues_are_strong_starts)
{
    static const uint32_t starts[][3] = {
        {0xd503233f},                         /* paciasp */
        {0xd503237f},                         /* pacibsp */
        {0xd503245f},                         /* bti c */
        {0xa9be7bfd},                         /* stp x29, x30, [sp, #-32]! */
        {0xa9be4ffe},                         /* stp x30, x19, [sp, #-32]! */
        {0x6dbe23e9},                         /* stp d9, d8, [sp, #-32]! */
        {0xf81f0ffe},                         /* str x30, [sp, #-16]! */
        {0xd10103ff, 0xa9037bfd},             /* sub sp, sp, #64; stp x29, x30, [sp, #48] */
        {0xd10103ff, 0xf9000ff3, 0xf9000bfe}, /* sub sp, sp, #64; str x19, …; str x30, [sp, #16] */
    };
    static const uint32_t others[][3] = {
        {0xd503201f},                         /* nop */
        {0xd503249f},                         /* bti j */
        {0xa9bf07e0},                         /* stp x0, x1, [sp, #-16]! */
        {0xa9027bfd},                         /* stp x29, x30, [sp, #32] */
        {0xa8c27bfd},                         /* ldp x29, x30, [sp], #32 */
        {0xd10103ff, 0xf90007e0, 0xd65f03c0}, /* sub sp, sp, #64; str x0, [sp, #8]; ret */
        {0x910103ff, 0xa9037bfd},             /* add sp, sp, #64; stp x29, x30, [sp, #48] */
    };

    for (size_t i = 0; i < COUNT(starts); i++)
        if (!is_strong_start(starts[i]))
            fail_msg("%08x does not start a function", starts[i][0]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (is_strong_start(others[i]))
            fail_msg("%08x starts a function", others[i][0]);
}

TEST(insn_sigreturn_restores_every_register)
{
    static const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
    /* struct rt_sigframe up to pstate: siginfo and ucontext are 38 words, then fault_address */
    uint64_t words[73];
    struct snap_region region = {.start_addr = 0x7000,
                                 .end_addr = 0x7000 + sizeof(words),
                                 .map_end_addr = 0x7000 + sizeof(words),
                                 .bytes = (const uint8_t *)words};
    struct memory memory = {.regions = &region, .count = 1};
    struct regs frame = {.known = 0}, caller;
    struct row row;
    uint64_t cfa;

    for (unsigned i = 0; i < COUNT(words); i++)
        words[i] = 0x9000 + i;
    regs_set(&frame, SP, 0x7000);
    assert_int_equal(set()->sigreturn_row(code, sizeof(code), VADDR, &row), STATUS_OK);
    assert_true(row.signal_frame);
    assert_int_equal(row.start_vaddr, VADDR);
    assert_int_equal(row.end_vaddr, VADDR + sizeof(code));
    assert_int_equal(row_execute(&row, arch_get(ARCH_AARCH64), 0, &frame, &memory, &caller, &cfa),
                     STATUS_OK);
    for (unsigned reg = X0; reg <= PC; reg++) {
        assert_true(regs_has(&caller, reg));
        assert_int_equal(caller.value[reg], 0x9000 + 39 + reg);
    }
    assert_int_equal(cfa, caller.value[SP]);
    for (uint64_t size = 0; size < sizeof(code); size++)
        assert_int_equal(set()->sigreturn_row(code, size, VADDR, &row), STATUS_NOT_FOUND);
    assert_int_equal(set()->sigreturn_row(code + 4, 4, VADDR, &row), STATUS_NOT_FOUND);
}
