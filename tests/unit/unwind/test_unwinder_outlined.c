/* SPDX-License-Identifier: MIT */
/* Chains from outlined prologues (-msave-restore), which are called by t0 and leave ra alone. */
#include "scene_fixture.h"

enum { RA = 1, T0 = 5, RA_COLUMN = 14 };

static const char code[] = "\xef\x00\x00\x02"  /* 00 jal ra, 20 */
                           "\x6f\x00\x00\x00"  /* 04 j 04 */
                           "\x13\x00\x00\x00"  /* 08 nop */
                           "\x13\x00\x00\x00"  /* 0c nop */
                           "\x13\x00\x00\x00"  /* 10 nop */
                           "\x13\x00\x00\x00"  /* 14 nop */
                           "\x13\x00\x00\x00"  /* 18 nop */
                           "\x13\x00\x00\x00"  /* 1c nop */
                           "\xef\x02\x00\x02"  /* 20 jal t0, 40 */
                           "\xef\x00\x40\x02"  /* 24 jal ra, 48 */
                           "\x13\x01\x01\x01"  /* 28 addi sp, sp, 16 */
                           "\x67\x80\x00\x00"  /* 2c ret */
                           "\x13\x00\x00\x00"  /* 30 nop */
                           "\x13\x00\x00\x00"  /* 34 nop */
                           "\x13\x00\x00\x00"  /* 38 nop */
                           "\x13\x00\x00\x00"  /* 3c nop */
                           "\x13\x01\x01\xff"  /* 40 addi sp, sp, -16 */
                           "\x23\x34\x11\x00"  /* 44 sd ra, 8(sp) */
                           "\x67\x80\x02\x00"; /* 48 jr t0 */

/* A CIE as GNU as makes it: of the CFA the register alone. */
static size_t add_cie(struct asm_section *s, uint8_t ra_column)
{
    size_t cie = asm_cie(s, "zR", "\x1b", 1, 1, PROGRAM(0x0d, 2));

    s->bytes[cie + RA_COLUMN] = ra_column;
    return cie;
}

static void open_outlined(struct scene *scene)
{
    struct elf_fixture *elf = scene_begin(EM_RISCV, code, sizeof(code) - 1);
    const uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;
    struct asm_section s = asm_begin(true);
    size_t ordinary, outlined;

    s.arch = ARCH_RISCV64;
    ordinary = add_cie(&s, RA);
    outlined = add_cie(&s, T0);
    (void)asm_fde(&s, ordinary, start, 8, PROGRAM(0x07, RA)); /* no caller */
    (void)asm_fde(&s, ordinary, start + 0x20, 16, PROGRAM(0x44, 0x0e, 16, 0x81, 1));
    (void)asm_fde(&s, outlined, start + 0x40, 12, PROGRAM(0x44, 0x0e, 16, 0x44, 0x81, 1));
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(scene, elf, ARCH_RISCV64);
    scene_set(scene, RA, FIXTURE_FIRST + 0x04);
    scene_set(scene, T0, FIXTURE_FIRST + 0x24);
}

TEST_OF(unwinder_outlined_prologue_is_called_by_its_own_register, scene, scene)
{
    open_outlined(scene);
    scene_at(scene, 0x40);
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(scene, "40 24 4 thread-start");
    scene_at(scene, 0x44);
    scene_expect(scene, "44 24 4 thread-start");
    scene_at(scene, 0x48); /* ra is in the frame by now, too */
    scene_push(scene, 1, FIXTURE_FIRST + 0x04);
    scene_expect(scene, "48 24 4 thread-start");
}

static const char shared_code[] = "\xef\x00\x00\x02"  /* 00 jal ra, 20 */
                                  "\x6f\x00\x00\x00"  /* 04 j 04 */
                                  "\x13\x00\x00\x00"  /* 08 nop */
                                  "\x13\x00\x00\x00"  /* 0c nop */
                                  "\x13\x00\x00\x00"  /* 10 nop */
                                  "\x13\x00\x00\x00"  /* 14 nop */
                                  "\x13\x00\x00\x00"  /* 18 nop */
                                  "\x13\x00\x00\x00"  /* 1c nop */
                                  "\xef\x02\xc0\x02"  /* 20 jal t0, 4c */
                                  "\x13\x01\x01\x01"  /* 24 addi sp, sp, 16 */
                                  "\x67\x80\x00\x00"  /* 28 ret */
                                  "\x13\x00\x00\x00"  /* 2c nop */
                                  "\x13\x00\x00\x00"  /* 30 nop */
                                  "\x13\x00\x00\x00"  /* 34 nop */
                                  "\x13\x00\x00\x00"  /* 38 nop */
                                  "\x13\x00\x00\x00"  /* 3c nop */
                                  "\x13\x01\x01\xfe"  /* 40 addi sp, sp, -32: of many registers */
                                  "\x13\x03\x00\x00"  /* 44 li t1, 0 */
                                  "\x6f\x00\xc0\x00"  /* 48 j 54 */
                                  "\x13\x01\x01\xfe"  /* 4c addi sp, sp, -32: of few */
                                  "\x13\x03\x10\x00"  /* 50 li t1, 1 */
                                  "\x23\x3c\x11\x00"  /* 54 sd ra, 24(sp) */
                                  "\x13\x13\x43\x00"  /* 58 slli t1, t1, 4 */
                                  "\x33\x01\x61\x00"  /* 5c add sp, sp, t1 */
                                  "\x67\x80\x02\x00"; /* 60 jr t0 */

/*
 * As libgcc's: the table of what prologues share has one CFA for all of them. At its return that of
 * the caller knows better.
 */
TEST_OF(unwinder_return_of_a_shared_prologue_is_as_behind_the_call, scene, scene)
{
    struct asm_section s = asm_begin(true);
    size_t ordinary, outlined;
    struct elf_fixture *elf = scene_begin(EM_RISCV, shared_code, sizeof(shared_code) - 1);
    uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;

    s.arch = ARCH_RISCV64;
    ordinary = add_cie(&s, RA);
    outlined = add_cie(&s, T0);
    (void)asm_fde(&s, ordinary, start, 8, PROGRAM(0x07, RA)); /* no caller */
    (void)asm_fde(&s, ordinary, start + 0x20, 12,
                  PROGRAM(0x44, 0x0e, 16, 0x81, 1, 0x44, 0x0e, 0, 0xc1));
    (void)asm_fde(&s, outlined, start + 0x40, 36, PROGRAM(0x44, 0x0e, 32, 0x54, 0x81, 1));
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(scene, elf, ARCH_RISCV64);
    scene_at(scene, 0x60);
    scene_set(scene, T0, FIXTURE_FIRST + 0x24);
    scene_push(scene, 1, FIXTURE_FIRST + 0x04);
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(scene, "60 24 4 thread-start");
}

/* Behind an ordinary call, by which ra is another: nothing may be made of it. */
TEST_OF(unwinder_return_address_that_a_call_replaced_is_not_used, scene, scene)
{
    open_outlined(scene);
    scene_at(scene, 0x40);
    scene_set(scene, T0, FIXTURE_FIRST + 0x28); /* behind the call by ra, in a frame */
    scene_push(scene, 1, FIXTURE_FIRST + 0x04);
    scene_expect(scene, "40 28 4 thread-start");
    scene_set(scene, T0, FIXTURE_FIRST + 0x04);
    scene_set(scene, RA, FIXTURE_FIRST + 0x24);
    scene_expect(scene, "40 4 thread-start");
}
