/* SPDX-License-Identifier: MIT */
/*
 * Chains right behind the system call that makes a thread, which both threads come out of: the new
 * one has a stack of its own, and no caller.
 */
#include "scene_fixture.h"

#define MAKER "2c 18 4 thread-start"
#define NEW   "2c thread-start"

static const char a64[] = SCENE_A64_CALLS_20 "\xea\x03\x00\xaa"  /* 20 mov x10, x0 */
                                             "\x88\x1b\x80\xd2"  /* 24 mov x8, #220: clone */
                                             "\x01\x00\x00\xd4"  /* 28 svc #0 */
                                             "\x1f\x00\x00\xf1"  /* 2c cmp x0, #0 */
                                             "\x40\x00\x00\x54"  /* 30 b.eq 38 */
                                             "\xc0\x03\x5f\xd6"  /* 34 ret */
                                             "\x1d\x00\x80\xd2"  /* 38 mov x29, #0 */
                                             "\x40\x01\x3f\xd6"  /* 3c blr x10 */
                                             "\xa8\x0b\x80\xd2"  /* 40 mov x8, #93: exit */
                                             "\x01\x00\x00\xd4"; /* 44 svc #0 */

/* Not the C library's: the new thread, or process, returns as its maker does. */
static const char a64_returns[] = SCENE_A64_CALLS_20 "\xea\x03\x00\xaa" /* 20 mov x10, x0 */
                                                     "\x88\x1b\x80\xd2" /* 24 mov x8, #220: clone */
                                                     "\x01\x00\x00\xd4" /* 28 svc #0 */
                                                     "\xc0\x03\x5f\xd6"; /* 2c ret */

static const char a32[] = "\x02\x00\x00\xeb"  /* 00 bl 10 */
                          "\xfe\xff\xff\xea"  /* 04 b 04 */
                          "\x00\xf0\x20\xe3"  /* 08 nop */
                          "\x00\xf0\x20\xe3"  /* 0c nop */
                          "\x10\x40\x2d\xe9"  /* 10 push {r4, lr} */
                          "\x01\x00\x00\xeb"  /* 14 bl 20 */
                          "\x10\x80\xbd\xe8"  /* 18 pop {r4, pc} */
                          "\x00\xf0\x20\xe3"  /* 1c nop */
                          "\x00\xa0\xa0\xe1"  /* 20 mov r10, r0 */
                          "\x78\x70\xa0\xe3"  /* 24 mov r7, #120: clone */
                          "\x00\x00\x00\xef"  /* 28 svc 0 */
                          "\x00\x00\x50\xe3"  /* 2c cmp r0, #0 */
                          "\x00\x00\x00\x0a"  /* 30 beq 38 */
                          "\x1e\xff\x2f\xe1"  /* 34 bx lr */
                          "\x06\x00\xa0\xe1"  /* 38 mov r0, r6 */
                          "\x3a\xff\x2f\xe1"  /* 3c blx r10 */
                          "\x01\x70\xa0\xe3"  /* 40 mov r7, #1: exit */
                          "\x00\x00\x00\xef"; /* 44 svc 0 */

/* Samples behind the system call, of the maker and of what it made, in turn. */
static void check_scene(struct scene *scene, bool made_first, const char *maker,
                        const char *expected)
{
    scene_at(scene, 0x2c);
    scene_set(scene, scene->arch->lr, FIXTURE_FIRST + 0x18);
    scene_push(scene, 1, FIXTURE_FIRST + 0x04);
    for (unsigned i = 0; i < 4; i++) {
        bool made = (i + made_first) % 2 != 0;

        scene_set(scene, 0, made ? 0 : 1234);
        scene_expect(scene, made ? expected : maker);
    }
    scene_deinit(scene);
}

static void check_turns(struct elf_fixture *elf, enum arch_id id, bool made_first,
                        const char *expected)
{
    struct scene scene;

    scene_open(&scene, elf, id);
    check_scene(&scene, made_first, MAKER, expected);
}

static struct elf_fixture *with_table(void)
{
    struct elf_fixture *elf = scene_begin(EM_AARCH64, a64, sizeof(a64) - 1);

    scene_eh_frame(elf, 0x20, 0x28, NO_PROGRAM);
    return elf;
}

TEST(unwinder_new_thread_behind_clone_has_no_callers)
{
    for (unsigned made_first = 0; made_first < 2; made_first++) {
        check_turns(scene_begin(EM_AARCH64, a64, sizeof(a64) - 1), ARCH_AARCH64, made_first, NEW);
        check_turns(with_table(), ARCH_AARCH64, made_first, NEW);
        check_turns(scene_begin(EM_ARM, a32, sizeof(a32) - 1), ARCH_ARM, made_first, NEW);
    }
}

TEST(unwinder_what_comes_out_of_another_call_has_its_makers_callers)
{
    for (unsigned made_first = 0; made_first < 2; made_first++)
        check_turns(scene_begin(EM_AARCH64, a64_returns, sizeof(a64_returns) - 1), ARCH_AARCH64,
                    made_first, MAKER);
}

/* The new thread has a copy of the register, which leads to the maker's frame record. */
TEST(unwinder_makers_step_by_frame_pointer_is_not_the_new_threads)
{
    static const struct unwinder_options by_fp = {.methods = {TRUST_FP}, .method_count = 1};
    struct scene scene;

    for (unsigned made_first = 0; made_first < 2; made_first++) {
        scene_open_by(&scene, scene_begin(EM_AARCH64, a64, sizeof(a64) - 1), ARCH_AARCH64, &by_fp);
        scene_set(&scene, scene.arch->fp, SCENE_STACK);
        check_scene(&scene, made_first, "2c 4 thread-start", NEW);
    }
}
