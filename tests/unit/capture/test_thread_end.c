/* SPDX-License-Identifier: MIT */
/* Where threads begin and end by the code of the C library: clone and clone3 of RISC-V's glibc. */
#include <string.h>

#include "unit_test.h"
#include "arch/analysis/insn.h"

/* glibc 2.41, clone3; clone has li a7, 220: 0dc00893, and ld a1, 0(sp) in place of mv. */
static const uint8_t clone3[] = "\x93\x08\x30\x1b" /* 00 li a7, 435 */
                                "\x73\x00\x00\x00" /* 04 ecall */
                                "\x63\x45\x05\x00" /* 08 bltz a0, 12 */
                                "\x11\xc5"         /* 0c beqz a0, 18 */
                                "\x82\x80"         /* 0e ret */
                                "\x29\x55"         /* 10 li a0, -22 */
                                "\x6f\xd0\x26\xee" /* 12 j … */
                                "\x01\x00"         /* 16 nop */
                                "\x36\x85"         /* 18 mv a0, a3 */
                                "\x02\x96"         /* 1a jalr a2 */
                                "\x93\x08\xd0\x05" /* 1c li a7, 93 */
                                "\x73\x00\x00\x00" /* 20 ecall */;

enum { CALL_END = 0x08, RETURNS_TO = 0x1c, SIZE = sizeof(clone3) - 1 };

TEST(thread_ends_behind_the_call_of_clone3_s_child)
{
    const struct arch *arch = arch_get(ARCH_RISCV64);

    assert_true(insn_makes_thread(arch, clone3, CALL_END));
    assert_true(insn_ends_thread(arch, clone3, RETURNS_TO, SIZE));
    assert_false(insn_ends_thread(arch, clone3, RETURNS_TO, SIZE - 1));
    assert_true(insn_clones_before(arch, clone3, RETURNS_TO));
    assert_false(insn_clones_before(arch, clone3, CALL_END - 4));
    assert_false(insn_clones_before(arch, clone3 + CALL_END, RETURNS_TO - CALL_END));
    assert_false(insn_ends_thread(arch, clone3 + CALL_END, RETURNS_TO - CALL_END, SIZE - CALL_END));
}

TEST(thread_is_made_by_the_number_before_the_call_where_no_pattern_is_known)
{
    /* mov eax, 56; mov rdi, rdx; syscall; call rax */
    uint8_t code[] = "\xb8\x38\x00\x00\x00\x48\x89\xd7\x0f\x05\xff\xd0";
    const struct arch *arch = arch_get(ARCH_X86_64);

    assert_true(insn_clones_before(arch, code, 12));
    assert_false(insn_clones_before(arch, code, 9));
    assert_false(insn_clones_before(arch, code + 2, 10));
    code[1] = 60; /* exit */
    assert_false(insn_clones_before(arch, code, 12));
}

TEST(thread_ends_behind_the_call_of_clone_s_child)
{
    const struct arch *arch = arch_get(ARCH_RISCV64);
    uint8_t clone[SIZE];

    memcpy(clone, clone3, SIZE);
    memcpy(clone, "\x93\x08\xc0\x0d", 4); /* li a7, 220 */
    assert_true(insn_makes_thread(arch, clone, CALL_END));
    assert_true(insn_ends_thread(arch, clone, RETURNS_TO, SIZE));
    memcpy(clone, "\x93\x08\xd0\x0d", 4); /* li a7, 221: execve */
    assert_false(insn_makes_thread(arch, clone, CALL_END));
    assert_false(insn_clones_before(arch, clone, RETURNS_TO));
    assert_false(insn_ends_thread(arch, clone, RETURNS_TO, SIZE));
}
