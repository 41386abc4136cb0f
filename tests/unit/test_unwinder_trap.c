/* SPDX-License-Identifier: MIT */
/* Chains from handlers of RISC-V's traps, of which tables of compilers say what holds of calls. */
#include "scene_fixture.h"

enum { RA = 1, MEPC = 33, RA_COLUMN = 14 };

#define TABLE                                                                                      \
    "\x6f\x00\xc0\x00" /* 08 j 14 */                                                               \
    "\x6f\x00\x00\x00" /* 0c j 0c */                                                               \
    "\x6f\x00\x80\x00" /* 10 j 18 */                                                               \
    "\x73\x00\x20\x30" /* 14 mret */                                                               \
    "\x73\x00\x50\x10" /* 18 wfi */                                                                \
    "\x6f\xf0\xdf\xff" /* 1c j 18 */

static const char code[] = "\x13\x00\x00\x00" /* 00 nop */
                           "\x13\x00\x00\x00" /* 04 nop */ TABLE;

static const char calling_code[] = "\xef\x00\x80\x01" /* 00 jal ra, 18 */
                                   "\x13\x00\x00\x00" /* 04 nop */ TABLE;

static void open_traps(struct scene *scene, const char *bytes)
{
    struct elf_fixture *elf = scene_begin(EM_RISCV, bytes, sizeof(code) - 1);
    const uint64_t start = FIXTURE_FIRST - (FIXTURE_BASE + elf->size) + SECTION_VADDR;
    struct asm_section s = asm_begin(true);
    size_t cie;

    s.arch = ARCH_RISCV64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0d, 2));
    s.bytes[cie + RA_COLUMN] = RA;
    (void)asm_fde(&s, cie, start, 8, PROGRAM(0x07, RA)); /* no caller */
    (void)asm_fde(&s, cie, start + 0x08, 12, NO_PROGRAM);
    (void)asm_fde(&s, cie, start + 0x14, 4, NO_PROGRAM);
    (void)asm_fde(&s, cie, start + 0x18, 8, NO_PROGRAM);
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    scene_open(scene, elf, ARCH_RISCV64);
    scene_set(scene, MEPC, FIXTURE_FIRST);
    scene_set(scene, RA, FIXTURE_FIRST + 0x04);
}

static void expect_at(struct scene *scene, size_t off, const char *expected)
{
    scene_at(scene, off);
    scene_expect(scene, expected);
}

static void unwinder_vectors_and_handlers_have_interrupted_something(void **state)
{
    struct scene scene;

    (void)state;
    open_traps(&scene, code);
    expect_at(&scene, 0x08, "8 0 thread-start");
    expect_at(&scene, 0x0c, "c 0 thread-start");
    expect_at(&scene, 0x10, "10 0 thread-start");
    expect_at(&scene, 0x14, "14 0 thread-start");
    scene_close(&scene);
}

/* What a vector leads to need not return. What is called as well has a caller. */
static void unwinder_loop_of_unexpected_exceptions_has_interrupted_something(void **state)
{
    struct scene scene;

    (void)state;
    open_traps(&scene, code);
    expect_at(&scene, 0x18, "18 0 thread-start");
    expect_at(&scene, 0x1c, "1c 0 thread-start");
    scene_close(&scene);
    open_traps(&scene, calling_code);
    expect_at(&scene, 0x18, "18 4 thread-start");
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwinder_vectors_and_handlers_have_interrupted_something),
        cmocka_unit_test(unwinder_loop_of_unexpected_exceptions_has_interrupted_something),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
