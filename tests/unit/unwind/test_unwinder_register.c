/* SPDX-License-Identifier: MIT */
/* Chains through code that has no frame, and its return address in a register, while it calls. */
#include "scene_fixture.h"

enum { X19 = 19, X20 = 20 };

/* As OCaml's caml_c_call, at 20. */
static const char code[] = SCENE_A64_CALLS_20 "\xf3\x03\x1e\xaa"  /* 20 mov x19, x30 */
                                              "\xe0\x01\x3f\xd6"  /* 24 blr x15 */
                                              "\x60\x02\x5f\xd6"  /* 28 ret x19 */
                                              "\x1f\x20\x03\xd5"  /* 2c nop */
                                              "\x00\x04\x00\x91"  /* 30 add x0, x0, #1 */
                                              "\xc0\x03\x5f\xd6"; /* 34 ret */

/* The chain of a sample in the function that it calls, with what x19 holds. */
static void check_called(bool table, size_t x19, const char *expected)
{
    struct elf_fixture *elf = scene_begin(EM_AARCH64, code, sizeof(code) - 1);
    struct scene scene;

    if (table) /* behind 4 bytes the return address is in x19 */
        scene_eh_frame(elf, 0x20, 0x0c, PROGRAM(0x44, 0x09, 30, X19));
    scene_open(&scene, elf, ARCH_AARCH64);
    scene_at(&scene, 0x30);
    scene_set(&scene, scene.arch->lr, FIXTURE_FIRST + 0x28);
    scene_set(&scene, X19, FIXTURE_FIRST + x19);
    scene_push(&scene, 1, FIXTURE_FIRST + 0x04);
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(&scene, expected);
    scene_deinit(&scene);
}

TEST(unwinder_caller_of_a_frame_without_a_stack_is_in_the_register)
{
    check_called(true, 0x18, "30 28 18 4 thread-start");
    check_called(false, 0x18, "30 28 18 4 thread-start");
}

/* Otherwise the chain would never end. */
TEST(unwinder_frame_without_a_stack_is_not_its_own_caller)
{
    check_called(true, 0x28, "30 28 implausible");
    check_called(false, 0x28, "30 28 implausible");
}

/* Two that return to each other. */
static const char pair_code[] = "\x04\x00\x00\x94"  /* 00 bl 10 */
                                "\x06\x00\x00\x94"  /* 04 bl 1c */
                                "\x00\x00\x00\x14"  /* 08 b 08 */
                                "\x1f\x20\x03\xd5"  /* 0c nop */
                                "\xf3\x03\x1e\xaa"  /* 10 mov x19, x30 */
                                "\x05\x00\x00\x94"  /* 14 bl 28 */
                                "\x60\x02\x5f\xd6"  /* 18 ret x19 */
                                "\xf4\x03\x1e\xaa"  /* 1c mov x20, x30 */
                                "\x02\x00\x00\x94"  /* 20 bl 28 */
                                "\x80\x02\x5f\xd6"  /* 24 ret x20 */
                                "\x21\x04\x00\x91"  /* 28 add x1, x1, #1 */
                                "\xc0\x03\x5f\xd6"; /* 2c ret */

static void check_pair(bool table)
{
    const struct scene_fde fdes[] = {{0x10, 0x0c, PROGRAM(0x09, 30, X19)},
                                     {0x1c, 0x0c, PROGRAM(0x09, 30, X20)}};
    struct elf_fixture *elf = scene_begin(EM_AARCH64, pair_code, sizeof(pair_code) - 1);
    struct scene scene;

    if (table)
        scene_eh_frames(elf, fdes, sizeof(fdes) / sizeof(fdes[0]));
    scene_open(&scene, elf, ARCH_AARCH64);
    scene_at(&scene, 0x28);
    scene_set(&scene, scene.arch->lr, FIXTURE_FIRST + 0x18);
    scene_set(&scene, X19, FIXTURE_FIRST + 0x24);
    scene_set(&scene, X20, FIXTURE_FIRST + 0x18);
    for (unsigned i = 0; i < 2; i++)
        scene_expect(&scene, "28 18 24 implausible");
    scene_deinit(&scene);
}

TEST(unwinder_frames_without_a_stack_are_not_each_others_callers)
{
    check_pair(true);
    check_pair(false);
}
