/* SPDX-License-Identifier: MIT */
/* Chains through a signal trampoline whose table says nothing but that it is one: RISC-V's vDSO. */
#include "scene_fixture.h"

enum { RA = 1, SP = 2, RA_COLUMN = 14, PC_SAVED = 128 + 176, WORDS = 128 };

static const char code[] = "\x6f\x00\x00\x00"  /* 00 j 00: is interrupted */
                           "\x13\x00\x00\x00"  /* 04 nop */
                           "\x13\x01\x01\xff"  /* 08 addi sp, sp, -16: the handler */
                           "\x23\x34\x11\x00"  /* 0c sd ra, 8(sp) */
                           "\x83\x30\x81\x00"  /* 10 ld ra, 8(sp) */
                           "\x13\x01\x01\x01"  /* 14 addi sp, sp, 16 */
                           "\x67\x80\x00\x00"  /* 18 ret */
                           "\x13\x00\x00\x00"  /* 1c nop */
                           "\x93\x08\xb0\x08"  /* 20 li a7, 139: the trampoline */
                           "\x73\x00\x00\x00"; /* 24 ecall */

static size_t add_cie(struct asm_section *s, bool signal_frame)
{
    size_t cie = asm_cie(s, signal_frame ? "zRS" : "zR", "\x1b", 1, 1, PROGRAM(0x0c, SP, 0));

    s->bytes[cie + RA_COLUMN + signal_frame] = RA;
    return cie;
}

TEST_OF(unwinder_trampolines_table_without_a_return_address_is_not_believed, scene, scene)
{
    struct elf_fixture *elf = scene_begin(EM_RISCV, code, sizeof(code) - 1);
    const uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;
    struct asm_section s = asm_begin(true);
    uint64_t stack[WORDS] = {0};
    size_t ordinary, trampoline;

    s.arch = ARCH_RISCV64;
    ordinary = add_cie(&s, false);
    trampoline = add_cie(&s, true);
    (void)asm_fde(&s, ordinary, start, 8, PROGRAM(0x07, RA)); /* no caller */
    (void)asm_fde(&s, ordinary, start + 0x08, 0x14, PROGRAM(0x44, 0x0e, 16, 0x44, 0x81, 1));
    (void)asm_fde(&s, trampoline, start + 0x20, 8, NO_PROGRAM);
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(scene, elf, ARCH_RISCV64);
    stack[1] = FIXTURE_FIRST + 0x20; /* ra of the handler, whose frame has 16 bytes */
    stack[(16 + PC_SAVED) / 8] = FIXTURE_FIRST;
    stack[(16 + PC_SAVED) / 8 + SP] = SCENE_STACK + sizeof(stack) - 16;
    scene->region.bytes = (const uint8_t *)stack;
    scene->region.end_addr = scene->region.map_end_addr = SCENE_STACK + sizeof(stack);
    scene_at(scene, 0x10);
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(scene, "10 20 0 thread-start");
}
