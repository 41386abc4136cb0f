/* SPDX-License-Identifier: MIT */
/* Chains through signal trampolines of which a table or the code says little. */
#include "scene_fixture.h"

/* RISC-V: the table of its vDSO says nothing but that it is a trampoline. */
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

/* x86-64: what a handler returns to loads its number, so that only the frame tells what it is. */
static const char shaped[] = "\xeb\xfe"                                         /* 00 jmp 00 */
                             "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90" /* 02 nop */
                             "\x90\x90"
                             "\x48\x83\xec\x08"         /* 10 sub rsp, 8: the handler */
                             "\x48\x83\xc4\x08"         /* 14 add rsp, 8 */
                             "\xc3"                     /* 18 ret */
                             "\x90\x90\x90\x90\x90\x90" /* 19 nop */
                             "\x90"
                             "\x8b\x05\x00\x00\x10\x00" /* 20 mov eax, [rip + ...] */
                             "\x0f\x05";                /* 26 syscall */

enum { RSP = 7, RA_X86 = 16, CS_OFF = 184, RSP_OFF = 160, RIP_OFF = 168 };

static void shaped_scene(struct scene *scene, uint64_t *stack, size_t size)
{
    struct elf_fixture *elf = scene_begin(EM_X86_64, shaped, sizeof(shaped) - 1);
    const uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;
    struct asm_section s = asm_begin(true);
    size_t cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0c, RSP, 8, 0x80 | RA_X86, 1));

    s.bytes[cie + RA_COLUMN] = RA_X86;
    (void)asm_fde(&s, cie, start, 2, PROGRAM(0x07, RA_X86)); /* no caller */
    (void)asm_fde(&s, cie, start + 0x10, 9, PROGRAM(0x44, 0x0e, 16, 0x44, 0x0e, 8));
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(scene, elf, ARCH_X86_64);
    stack[1] = FIXTURE_FIRST + 0x20; /* the handler's return address; its frame has 16 bytes */
    stack[(16 + RSP_OFF) / 8] = SCENE_STACK + size - 16;
    stack[(16 + RIP_OFF) / 8] = FIXTURE_FIRST;
    stack[(16 + CS_OFF) / 8] = 0x2b000000000033; /* SS, CS */
    scene->region.bytes = (const uint8_t *)stack;
    scene->region.end_addr = scene->region.map_end_addr = SCENE_STACK + size;
    scene_at(scene, 0x14);
}

TEST_OF(unwinder_trampoline_is_known_by_the_shape_of_its_frame, scene, scene)
{
    uint64_t stack[WORDS] = {0};

    shaped_scene(scene, stack, sizeof(stack));
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(scene, "14 20 0 thread-start");
}

TEST_OF(unwinder_trampoline_needs_its_marks_and_an_interrupted_place, scene, scene)
{
    uint64_t stack[WORDS] = {0};
    uint64_t *cs = &stack[(16 + CS_OFF) / 8], *rip = &stack[(16 + RIP_OFF) / 8],
             *rsp = &stack[(16 + RSP_OFF) / 8];
    uint64_t right_cs, right_rip, right_rsp;

    shaped_scene(scene, stack, sizeof(stack));
    right_cs = *cs;
    right_rip = *rip;
    right_rsp = *rsp;
    *cs = 0x10;
    scene_expect(scene, "14 implausible");
    *cs = right_cs;
    *rip = *rsp = 0x1000;
    scene_expect(scene, "14 implausible");
    /* a jump to nowhere: on top of the stack is no return address */
    *rsp = right_rsp;
    scene_expect(scene, "14 implausible");
    /* on another stack */
    *rip = right_rip;
    *rsp = 0x1000;
    scene_expect(scene, "14 20 0 thread-start");
    *rsp = right_rsp;
    scene_expect(scene, "14 20 0 thread-start");
}
