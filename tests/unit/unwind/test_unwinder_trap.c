/* SPDX-License-Identifier: MIT */
/* Chains from handlers of RISC-V's traps, of which tables of compilers say what holds of calls. */
#include "scene_fixture.h"

#include "boards/unwind/exceptions.h"

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

TEST_OF(unwinder_vectors_and_handlers_have_interrupted_something, scene, scene)
{
    open_traps(scene, code);
    expect_at(scene, 0x08, "8 0 thread-start");
    expect_at(scene, 0x0c, "c 0 thread-start");
    expect_at(scene, 0x10, "10 0 thread-start");
    expect_at(scene, 0x14, "14 0 thread-start");
}

/* What a vector leads to need not return. What is called as well has a caller. */
TEST(unwinder_loop_of_unexpected_exceptions_has_interrupted_something)
{
    struct scene scene;

    open_traps(&scene, code);
    expect_at(&scene, 0x18, "18 0 thread-start");
    expect_at(&scene, 0x1c, "1c 0 thread-start");
    scene_deinit(&scene);
    open_traps(&scene, calling_code);
    expect_at(&scene, 0x18, "18 4 thread-start");
    scene_deinit(&scene);
}

static void open_board(struct scene *scene, struct snap_system *system)
{
    open_traps(scene, code);
    scene->space.board.is_board = true;
    scene->space.board.profile = SNAP_PROFILE_RISCV;
    system[0] = (struct snap_system){.number = 0x341, .value = FIXTURE_FIRST};
    system[1] = (struct snap_system){.number = 0x342, .value = 5};
    scene->sample.system = system;
    scene->sample.system_count = 2;
}

TEST_OF(unwinder_tells_by_which_trap_code_was_interrupted, scene, scene)
{
    char text[EXCEPTION_TEXT_MAX];
    struct snap_system system[2];

    open_board(scene, system);
    expect_at(scene, 0x14, "14 0 reset");
    assert_int_equal(scene->chain.frames[1].trust, TRUST_EXCEPTION);
    assert_int_equal(exceptions_number(&scene->chain.frames[1]), 5);
    assert_true(exceptions_name(scene->arch, &scene->chain.frames[1], text, sizeof(text)));
    assert_string_equal(text, "load access fault");
    system[1].value = UINT64_C(1) << 63 | 7; /* the same registers and stack, another trap */
    expect_at(scene, 0x14, "14 0 reset");
    assert_true(exceptions_name(scene->arch, &scene->chain.frames[1], text, sizeof(text)));
    assert_string_equal(text, "machine timer interrupt");
    system[0].value = FIXTURE_FIRST + 4;
    expect_at(scene, 0x14, "14 0 reset");
    assert_false(exceptions_name(scene->arch, &scene->chain.frames[1], text, sizeof(text)));
}

/* What no code is at faults at once, and so does its handler where that is nowhere, too. */
TEST_OF(unwinder_fault_at_a_pc_without_code_is_at_hand, scene, scene)
{
    struct snap_system system[2];
    char text[EXCEPTION_TEXT_MAX];

    open_board(scene, system);
    system[0].value = 0;
    system[1].value = 1;
    scene->chain.count = 1;
    scene->chain.frames = &(struct frame){.pc_addr = 0, .trust = TRUST_CONTEXT};
    assert_true(exceptions_fault(scene->arch, &scene->space, &scene->sample, &scene->chain, text,
                                 sizeof(text)));
    assert_string_equal(text, "instruction access fault");
    scene->chain.frames[0].pc_addr = system[0].value = FIXTURE_FIRST;
    assert_true(exceptions_fault(scene->arch, &scene->space, &scene->sample, &scene->chain, text,
                                 sizeof(text)));
    assert_string_equal(text, "earlier: instruction access fault");
    scene->chain = (struct chain){.count = 0};
}
