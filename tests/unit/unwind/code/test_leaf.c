/* SPDX-License-Identifier: MIT */
/* What functions that call nothing change. */
#include <stdlib.h>
#include <string.h>

#include "code_fixture.h"
#include "unwind/code/leaf.h"

#define ALL UINT64_MAX

#define REG(n) (UINT64_C(1) << (n))

enum { R0, R1, R2, R3, R4, R5 };
enum { RAX = 0, RCX = 2, R11 = 11 };

static uint64_t changes(enum arch_id arch, enum code_mode mode, const char *bytes, size_t size)
{
    const struct code_file file = {bytes, size};
    struct code *code = code_file_open(arch, &file);
    uint64_t regs;

    regs = leaf_changes(code, CODE_START, mode);
    /* Asked again, with all decoded. */
    assert_int_equal(leaf_changes(code, CODE_START, mode), regs);
    code_destroy(code);
    return regs;
}

#define A32(bytes) changes(ARCH_ARM, CODE_DEFAULT, bytes, sizeof(bytes) - 1)
#define T32(bytes) changes(ARCH_ARM, CODE_T32, bytes, sizeof(bytes) - 1)
#define A64(bytes) changes(ARCH_AARCH64, CODE_DEFAULT, bytes, sizeof(bytes) - 1)
#define X86(bytes) changes(ARCH_X86_64, CODE_DEFAULT, bytes, sizeof(bytes) - 1)

TEST(leaf_straight_code_changes_what_its_instructions_write)
{
    assert_int_equal(A32("\x00\x10\xa0\xe1"   /* mov r1, r0 */
                         "\x04\x20\x81\xe2"   /* add r2, r1, #4 */
                         "\x1e\xff\x2f\xe1"   /* bx lr */
                         "\x01\x40\xa0\xe3"), /* mov r4, #1: behind its end */
                     REG(R1) | REG(R2));
    assert_int_equal(A32("\x00\x00\x81\xe5"   /* str r0, [r1] */
                         "\x04\x20\x93\xe4"   /* ldr r2, [r3], #4 */
                         "\x1e\xff\x2f\xe1"), /* bx lr */
                     REG(R2) | REG(R3));
    assert_int_equal(A64("\x20\x00\x02\x8b"   /* add x0, x1, x2 */
                         "\xe9\x03\x00\xaa"   /* mov x9, x0 */
                         "\xc0\x03\x5f\xd6"), /* ret */
                     REG(0) | REG(9));
    assert_int_equal(X86("\x89\xf8"     /* mov eax, edi */
                         "\x49\x89\xcb" /* mov r11, rcx */
                         "\xc3"),       /* ret */
                     REG(RAX) | REG(R11));
}

TEST(leaf_comparisons_change_nothing)
{
    assert_int_equal(A32("\x02\x00\x51\xe1\x1e\xff\x2f\xe1"), 0); /* cmp r1, r2; bx lr */
    assert_int_equal(A32("\x01\x00\x50\xe3\x1e\xff\x2f\xe1"), 0); /* cmp r0, #1; bx lr */
    assert_int_equal(A64("\x1f\x04\x00\xf1\xc0\x03\x5f\xd6"), 0); /* cmp x0, #1; ret */
    assert_int_equal(X86("\x83\xff\x01\xc3"), 0);                 /* cmp edi, 1; ret */
}

TEST(leaf_loop_is_followed_once)
{
    assert_int_equal(A32("\x04\x30\x90\xe4"   /* ldr r3, [r0], #4 */
                         "\x01\x10\x51\xe2"   /* subs r1, r1, #1 */
                         "\xfc\xff\xff\x1a"   /* bne -8 */
                         "\x1e\xff\x2f\xe1"), /* bx lr */
                     REG(R0) | REG(R1) | REG(R3));
    /* What never returns is nobody's callee any more. */
    assert_int_equal(A32("\x01\x10\x81\xe2"   /* add r1, r1, #1 */
                         "\xfd\xff\xff\xea"), /* b -4 */
                     ALL);
}

TEST(leaf_both_paths_of_a_branch_count)
{
    assert_int_equal(X86("\x85\xff" /* test edi, edi */
                         "\x74\x03" /* je +7 */
                         "\x31\xc0" /* xor eax, eax */
                         "\xc3"     /* ret */
                         "\x31\xc9" /* +7 xor ecx, ecx */
                         "\xc3"),   /* ret */
                     REG(RAX) | REG(RCX));
    assert_int_equal(A32("\x01\x00\x11\xe3"   /* tst r1, #1 */
                         "\x01\x00\x00\x0a"   /* beq +16 */
                         "\x01\x40\xa0\xe3"   /* mov r4, #1 */
                         "\x1e\xff\x2f\xe1"   /* bx lr */
                         "\x02\x50\xa0\xe3"   /* +16 mov r5, #2 */
                         "\x1e\xff\x2f\xe1"), /* bx lr */
                     REG(R4) | REG(R5));
}

/* What is executed on a condition is, or is not; a return, too. */
TEST(leaf_conditional_instructions_count_and_end_nothing)
{
    assert_int_equal(A32("\x01\x00\x11\xe3"   /* tst r1, #1 */
                         "\x01\x40\xa0\x03"   /* moveq r4, #1 */
                         "\x1e\xff\x2f\x11"   /* bxne lr */
                         "\x02\x50\xa0\xe3"   /* mov r5, #2 */
                         "\x1e\xff\x2f\xe1"), /* bx lr */
                     REG(R4) | REG(R5));
    assert_int_equal(T32("\x11\xf0\x01\x0f" /* tst.w r1, #1 */
                         "\x18\xbf"         /* it ne */
                         "\x70\x47"         /* bxne lr */
                         "\x02\x25"         /* movs r5, #2 */
                         "\x70\x47"),       /* bx lr */
                     REG(R5));
}

/* A tail call of code that calls nothing either. */
TEST(leaf_goes_on_where_it_jumps_to)
{
    assert_int_equal(A32("\x00\x10\xa0\xe3"   /* mov r1, #0 */
                         "\x00\x00\x00\xea"   /* b +12 */
                         "\x00\x40\xa0\xe3"   /* mov r4, #0 */
                         "\x00\x50\xa0\xe3"   /* +12 mov r5, #0 */
                         "\x1e\xff\x2f\xe1"), /* bx lr */
                     REG(R1) | REG(R5));
}

TEST(leaf_that_goes_who_knows_where_changes_all)
{
    assert_int_equal(A32("\xfd\xff\xff\xeb\x1e\xff\x2f\xe1"), ALL); /* bl -4; bx lr */
    assert_int_equal(A32("\x33\xff\x2f\xe1\x1e\xff\x2f\xe1"), ALL); /* blx r3; bx lr */
    assert_int_equal(A32("\x33\xff\x2f\x11\x1e\xff\x2f\xe1"), ALL); /* blxne r3; bx lr */
    assert_int_equal(A32("\x00\xf0\x90\xe5\x1e\xff\x2f\xe1"), ALL); /* ldr pc, [r0]; bx lr */
    assert_int_equal(A32("\x03\x00\x00\xea\x1e\xff\x2f\xe1"), ALL); /* b out of the file */
    assert_int_equal(A32("\x00\x10\xa0\xe1\x1e\xff\x2f"), ALL);     /* cut */
    assert_int_equal(X86("\x31\xc0\x06"), ALL);                     /* what is no instruction */
    assert_int_equal(X86("\xff\xe0\xc3"), ALL);                     /* jmp rax; ret */
    assert_int_equal(X86("\x85\xff\x74\x01\xc3\xff\xd0\xc3"), ALL); /* je: call rax */
    assert_int_equal(A64("\x00\x00\x1f\xd6\xc0\x03\x5f\xd6"), ALL); /* br x0; ret */
    assert_int_equal(A64("\x00\x00\x3f\xd6\xc0\x03\x5f\xd6"), ALL); /* blr x0; ret */
}

/* So many nops, and a return. */
static uint64_t changes_of_nops(size_t count)
{
    char *bytes = malloc(count + 1);
    uint64_t regs;

    assert_non_null(bytes);
    memset(bytes, 0x90, count);
    bytes[count] = (char)0xc3;
    regs = changes(ARCH_X86_64, CODE_DEFAULT, bytes, count + 1);
    free(bytes);
    return regs;
}

/* So many branches that all wait for the code behind them, and a return. */
static uint64_t changes_of_branches(size_t count)
{
    char *bytes = malloc(2 * count + 1);
    uint64_t regs;

    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + 2 * i, "\x74\x00", 2); /* je +2 */
    bytes[2 * count] = (char)0xc3;
    regs = changes(ARCH_X86_64, CODE_DEFAULT, bytes, 2 * count + 1);
    free(bytes);
    return regs;
}

TEST(leaf_that_is_too_large_changes_all)
{
    assert_int_equal(changes_of_nops(511), 0);
    assert_int_equal(changes_of_nops(512), ALL);
    assert_int_equal(changes_of_branches(64), 0);
    assert_int_equal(changes_of_branches(65), ALL);
}
