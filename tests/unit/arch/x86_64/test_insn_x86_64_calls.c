/* SPDX-License-Identifier: MIT */
/* Calls and jumps: told from behind, by their bytes, and those that nothing returns to. */
#include "insn_x86_64_fixture.h"

/*
 * Every form of call r/m64 and lcall [mem]: with each REX prefix, ModR/M and SIB byte. Capstone
 * tells its length.
 */
TEST(insn_every_call_is_recognized_from_behind)
{
    struct decoder *d = decoder();
    unsigned calls = 0;

    for (unsigned rex = 0x3f; rex < 0x50; rex++)
        for (unsigned modrm = 0; modrm < 256; modrm++)
            for (unsigned sib = 0; sib < 256; sib++) {
                /* 16 bytes of something else before it; 0x3f stands for no prefix. */
                uint8_t bytes[32] = {0};
                uint8_t *at = bytes + 16;
                struct insn insn;

                if ((modrm >> 3 & 7) != 2 && (modrm >> 3 & 7) != 3)
                    continue;
                if (rex != 0x3f)
                    *at++ = (uint8_t)rex;
                *at++ = 0xff;
                *at++ = (uint8_t)modrm;
                *at++ = (uint8_t)sib;
                memset(at, 0x11, 4);
                if (decoder_decode(d, bytes + 16, 16, VADDR, 0, &insn) != STATUS_OK ||
                    insn.flow != FLOW_CALL)
                    continue;
                calls++;
                assert_true(set()->ends_with_call(bytes + insn.size, 16));
                assert_true(set()->ends_with_call(bytes + 16, insn.size));
            }
    assert_true(calls > 17 * 24 * 200);
    decoder_destroy(d);
}

TEST(insn_call_with_prefixes_is_recognized_from_behind)
{
    static const struct bytes_case calls[] = {
        {"\xe8\x01\x02\x03\x04", 5},             /* call rel32 */
        {"\xe8\xff\xff\xff\xff", 5},             /* call rel32 */
        {"\x67\xe8\x01\x02\x03\x04", 6},         /* addr32 call rel32, where a linker relaxed */
        {"\x66\x66\x48\xe8\x01\x02\x03\x04", 8}, /* data16 data16 rex.W call, of TLS */
        {"\xf2\xe8\x01\x02\x03\x04", 6},         /* bnd call rel32 */
        {"\x3e\xff\xd0", 3},                     /* notrack call rax */
        {"\xf2\xff\x10", 3},                     /* bnd call [rax] */
        {"\x64\xff\x14\x25\x10\x00\x00\x00", 8}, /* call fs:0x10 */
        {"\x64\xff\x15\x10\x00\x00\x00", 7},     /* call fs:[rip+0x10] */
        {"\x67\xff\x10", 3},                     /* call [eax] */
        {"\x41\xff\x54\x24\x08", 5},             /* call [r12+8] */
    };

    check_all_told(set()->ends_with_call, calls, COUNT(calls), true);
}

TEST(insn_others_do_not_end_with_a_call)
{
    static const struct bytes_case others[] = {
        {"", 0},
        {"\xd0", 1},
        {"\x90\x90\x90\x90\x90\x90\x90\x90", 8},
        {"\xff\xe0", 2},             /* jmp rax */
        {"\xff\x30", 2},             /* push [rax] */
        {"\xe9\x01\x02\x03\x04", 5}, /* jmp rel32 */
        {"\xff\x10\x90", 3},         /* call [rax]; nop */
        {"\xff\xd0\x48\x89\xc3", 5}, /* call rax; mov rbx, rax */
        {"\xe8\x01\x02\x03", 4},     /* cut */
    };

    check_all_told(set()->ends_with_call, others, COUNT(others), false);
}

TEST(insn_far_jumps_tell_their_target)
{
    assert_int_equal(jump_target("\xe9\xfb\x00\x00\x00", 5), 0x1100);
    assert_int_equal(jump_target("\x0f\x84\xfa\xff\xff\xff", 6), 0x1000);
    assert_int_equal(jump_target("\x0f\x8f\xfa\x00\x00\x00", 6), 0x1100);
    assert_int_equal(jump_target("\xe9\xfb\x00\x00", 4), 0);
    assert_int_equal(jump_target("\x0f\x84\xfa\x00\x00", 5), 0);
    assert_int_equal(jump_target("\xe8\xfb\x00\x00\x00", 5), 0);
    assert_int_equal(jump_target("\xeb\x10\x00\x00\x00", 5), 0);
}

static bool is_trampoline(const char *bytes, uint64_t size)
{
    struct decoder *d = decoder();
    const struct insn insn = decode_one(d, bytes, size, VADDR, 0);

    assert_int_equal(insn.flow, insn.trampoline ? FLOW_JUMP : FLOW_CALL);
    assert_int_equal(insn.op_count, insn.trampoline ? 2 : 1);
    decoder_destroy(d);
    return insn.trampoline;
}

TEST(x86_64_call_whose_return_address_is_replaced_is_a_jump)
{
    /* call 1f; 2: pause; lfence; jmp 2b; 1: mov [rsp], rax; ret */
    static const char gcc[] = "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9\x48\x89\x04\x24\xc3";
    /* the same with nops before 1:, and r11 */
    static const char clang[] = "\xe8\x0b\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9\x0f\x1f\x40\x00"
                                "\x4c\x89\x1c\x24\xc3";
    /* call 1f; 2: pause; lfence; jmp 2b; 1: lea rsp, [rsp+8]; ret */
    static const char ret[] = "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9\x48\x8d\x64\x24\x08\xc3";
    /* call 1f; int3; 1: add rsp, 8; ret */
    static const char trap[] = "\xe8\x01\0\0\0\xcc\x48\x83\xc4\x08\xc3";

    assert_true(is_trampoline(gcc, sizeof(gcc) - 1));
    assert_true(is_trampoline(clang, sizeof(clang) - 1));
    assert_true(is_trampoline(ret, sizeof(ret) - 1));
    assert_true(is_trampoline(trap, sizeof(trap) - 1));
    for (uint64_t size = 5; size < sizeof(gcc) - 1; size++)
        assert_false(is_trampoline(gcc, size));
}

TEST(x86_64_call_that_may_be_returned_to_is_none)
{
    /* call 1f; pause; lfence; jmp out of the loop; 1: mov [rsp], rax; ret */
    static const char out[] = "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\x09\x48\x89\x04\x24\xc3";
    /* the same, back beyond the call */
    static const char back[] = "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf0\x48\x89\x04\x24\xc3";
    /* call 1f; 2: pause; lfence; jmp 2b; 1: push rbx; pop rbx; nop; ret */
    static const char callee[] = "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9\x53\x5b\x90\x90\xc3";
    /* call 1f; xor eax, eax; 1: add rsp, 8; ret */
    static const char plain[] = "\xe8\x02\0\0\0\x31\xc0\x48\x83\xc4\x08\xc3";

    assert_false(is_trampoline(out, sizeof(out) - 1));
    assert_false(is_trampoline(back, sizeof(back) - 1));
    assert_false(is_trampoline(callee, sizeof(callee) - 1));
    assert_false(is_trampoline(plain, sizeof(plain) - 1));
}

/* What glibc's clone does behind its system call, up to the maker's return. */
TEST(behind_call_only_the_result_was_looked_at)
{
    static const struct {
        enum arch_id arch;
        uint8_t size, bytes[12], expected;
    } cases[] = {
        {ARCH_X86_64, 2, {0x0f, 0x05}, 2}, /* syscall */
        {ARCH_X86_64, 4, {0x00, 0x00, 0x0f, 0x05}, 2},
        {ARCH_X86_64, 5, {0x0f, 0x05, 0x48, 0x85, 0xc0}, 5},                         /* test */
        {ARCH_X86_64, 7, {0x0f, 0x05, 0x48, 0x85, 0xc0, 0x7c, 0x18}, 7},             /* jl */
        {ARCH_X86_64, 9, {0x0f, 0x05, 0x48, 0x85, 0xc0, 0x7c, 0x18, 0x74, 0x01}, 9}, /* je */
        {ARCH_X86_64, 3, {0x0f, 0x05, 0x58}, 0},                                     /* pop */
        {ARCH_X86_64, 4, {0x0f, 0x05, 0x7c, 0x18}, 0},
        {ARCH_X86_64, 3, {0x48, 0x85, 0xc0}, 0},
        {ARCH_I386, 2, {0xcd, 0x80}, 2},
        {ARCH_I386, 5, {0xcd, 0x80, 0x48, 0x85, 0xc0}, 0},
        {ARCH_AARCH64, 4, {0x01, 0x00, 0x00, 0xd4}, 4},
        {ARCH_ARM, 4, {0x00, 0x00, 0x00, 0xef}, 4},
        {ARCH_ARM, 4, {0x00, 0xbf, 0x00, 0xdf}, 2},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(insn_behind_call(arch_get(cases[i].arch), cases[i].bytes, cases[i].size),
                         cases[i].expected);
}
