/* SPDX-License-Identifier: MIT */
/* Chains from handlers of RISC-V's traps, of which tables of compilers say what holds of calls. */
#include "scene_fixture.h"

enum { RA = 1, MEPC = 33, RA_COLUMN = 14 };

static const char code[] = "\x13\x00\x00\x00"  /* 00 nop */
                           "\x13\x00\x00\x00"  /* 04 nop */
                           "\x6f\x00\x80\x00"  /* 08 j 10 */
                           "\x6f\x00\x00\x00"  /* 0c j 0c */
                           "\x73\x00\x20\x30"; /* 10 mret */

static void unwinder_vectors_and_handlers_have_interrupted_something(void **state)
{
    struct elf_fixture *elf = scene_begin(EM_RISCV, code, sizeof(code) - 1);
    const uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;
    struct asm_section s = asm_begin(true);
    struct scene scene;
    size_t cie;

    (void)state;
    s.arch = ARCH_RISCV64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0d, 2));
    s.bytes[cie + RA_COLUMN] = RA;
    (void)asm_fde(&s, cie, start, 8, PROGRAM(0x07, RA)); /* no caller */
    (void)asm_fde(&s, cie, start + 0x08, 8, NO_PROGRAM);
    (void)asm_fde(&s, cie, start + 0x10, 4, NO_PROGRAM);
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(&scene, elf, ARCH_RISCV64);
    scene_set(&scene, MEPC, FIXTURE_FIRST + 0x04);
    scene_at(&scene, 0x08);
    scene_expect(&scene, "8 4 thread-start");
    scene_at(&scene, 0x0c);
    scene_expect(&scene, "c 4 thread-start");
    scene_at(&scene, 0x10);
    scene_expect(&scene, "10 4 thread-start");
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwinder_vectors_and_handlers_have_interrupted_something),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
