/* SPDX-License-Identifier: MIT */
/*
 * Chains of goroutines: Go has a new one return to its goexit, behind a nop, which nothing called.
 */
#include "scene_fixture.h"

static const char a64[] = "\x04\x00\x00\x94"  /* 00 bl 10 */
                          "\x00\x00\x00\x14"  /* 04 b 04 */
                          "\x1f\x20\x03\xd5"  /* 08 nop */
                          "\x1f\x20\x03\xd5"  /* 0c nop */
                          "\x00\x04\x00\x11"  /* 10 add w0, w0, #1 */
                          "\xc0\x03\x5f\xd6"  /* 14 ret */
                          "\x1f\x20\x03\xd5"  /* 18 nop */
                          "\x1f\x20\x03\xd5"  /* 1c nop */
                          "\xe0\x03\x00\xaa"  /* 20 mov x0, x0 */
                          "\x03\x00\x00\x94"  /* 24 bl 30 */
                          "\xe0\x03\x00\xaa"  /* 28 mov x0, x0 */
                          "\x1f\x20\x03\xd5"  /* 2c nop */
                          "\x00\x00\x00\x14"; /* 30 b 30 */

static const char a32[] = "\x02\x00\x00\xeb"  /* 00 bl 10 */
                          "\xfe\xff\xff\xea"  /* 04 b 04 */
                          "\x00\xf0\x20\xe3"  /* 08 nop */
                          "\x00\xf0\x20\xe3"  /* 0c nop */
                          "\x01\x00\x80\xe2"  /* 10 add r0, r0, #1 */
                          "\x1e\xff\x2f\xe1"  /* 14 bx lr */
                          "\x00\xf0\x20\xe3"  /* 18 nop */
                          "\x00\xf0\x20\xe3"  /* 1c nop */
                          "\x00\x00\xa0\xe1"  /* 20 mov r0, r0 */
                          "\x01\x00\x00\xeb"  /* 24 bl 30 */
                          "\x00\x00\xa0\xe1"  /* 28 mov r0, r0 */
                          "\x00\xf0\x20\xe3"  /* 2c nop */
                          "\xfe\xff\xff\xea"; /* 30 b 30 */

static const char x86_64[] = "\xe8\x0b\x00\x00\x00\xeb\xfe\x66\x90" /* 00 call 10; jmp 05; nop */
                             "\x0f\x1f\x80\x00\x00\x00\x00"         /* 09 nop */
                             "\x89\xf8\xc3"                         /* 10 mov eax, edi; ret */
                             "\x0f\x1f\x84\x00\x00\x00\x00\x00"     /* 13 nop */
                             "\x0f\x1f\x84\x00\x00\x00\x00\x00"     /* 1b nop */
                             "\x90\xe8\x07\x00\x00\x00\x90"         /* 23 nop; call 30; nop */
                             "\x0f\x1f\x40\x00\x66\x90"             /* 2a nop; nop */
                             "\xeb\xfe";                            /* 30 jmp 30 */

/* In the function at 10, which returns to 24. `section`: that a Go program has. */
static void check_returned(uint16_t machine, enum arch_id id, const char *code, size_t size,
                           const char *section, const char *expected)
{
    struct elf_fixture *elf = scene_begin(machine, code, size);
    struct scene scene;

    fixture_section(elf, section, SHT_PROGBITS, SHF_ALLOC, "", 1);
    scene_open(&scene, elf, id);
    scene_at(&scene, 0x10);
    if (scene.arch->lr != REG_NONE)
        scene_set(&scene, scene.arch->lr, FIXTURE_FIRST + 0x24);
    scene_push(&scene, 0, FIXTURE_FIRST + 0x24);
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(&scene, expected);
    scene_deinit(&scene);
}

static void check_section(const char *section, const char *expected)
{
    check_returned(EM_AARCH64, ARCH_AARCH64, a64, sizeof(a64) - 1, section, expected);
    check_returned(EM_ARM, ARCH_ARM, a32, sizeof(a32) - 1, section, expected);
    check_returned(EM_X86_64, ARCH_X86_64, x86_64, sizeof(x86_64) - 1, section, expected);
}

TEST(unwinder_goroutine_ends_at_goexit)
{
    check_section(".gopclntab", "10 24 thread-start");
    check_section(".data.rel.ro.gopclntab", "10 24 thread-start");
}

/* In other programs no return address is like this. */
TEST(unwinder_return_address_before_a_call_is_none_but_gos)
{
    check_section(".rodata", "10 implausible");
}
