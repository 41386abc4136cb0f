/* SPDX-License-Identifier: MIT */
/*
 * Chains through code that keeps its return address in a register that calls may change, and what
 * tells whether the register is to be believed: a table, what the call before calls, the sample.
 */
#include "scene_fixture.h"

enum { X10 = 10, X15 = 15, KERNEL_FRAMES = 20 };

/* `call` is what the function at 10 calls. */
#define CODE(call)                                                                                 \
    "\x04\x00\x00\x94"      /* 00 bl 10 */                                                         \
    "\x03\x00\x00\x94"      /* 04 bl 10 */                                                         \
    "\x00\x00\x00\x14"      /* 08 b 08 */                                                          \
    "\x1f\x20\x03\xd5"      /* 0c nop */                                                           \
    "\xef\x03\x1e\xaa" call /* 10 mov x15, x30 */                                                  \
    "\xe0\x01\x5f\xd6"      /* 18 ret x15 */                                                       \
    "\x1f\x20\x03\xd5"      /* 1c nop */                                                           \
    "\x21\x04\x00\x91"      /* 20 add x1, x1, #1 */                                                \
    "\xc0\x03\x5f\xd6"      /* 24 ret */                                                           \
    "\x2f\x04\x00\x91"      /* 28 add x15, x1, #1 */                                               \
    "\xfd\xff\xff\x17"      /* 2c b 20 */

static const char calls_leaf[] = CODE("\x03\x00\x00\x94");     /* 14 bl 20 */
static const char calls_change[] = CODE("\x05\x00\x00\x94");   /* 14 bl 28 */
static const char calls_indirect[] = CODE("\x40\x00\x3f\xd6"); /* 14 blr x2 */

/*
 * A sample in the leaf at 20, whose caller's table says that x15 has the return address. The leaf
 * has a table, too, so that the step from it is kept.
 */
static void open_leaf(struct scene *scene, const char *code)
{
    const struct scene_fde fdes[] = {{0x10, 0x0c, PROGRAM(0x09, 30, X15)},
                                     {0x20, 0x08, NO_PROGRAM}};
    struct elf_fixture *elf = scene_begin(EM_AARCH64, code, sizeof(calls_leaf) - 1);

    scene_eh_frames(elf, fdes, sizeof(fdes) / sizeof(fdes[0]));
    scene_open(scene, elf, ARCH_AARCH64);
    scene_at(scene, 0x20);
    scene_set(scene, scene->arch->lr, FIXTURE_FIRST + 0x18);
    scene_set(scene, X15, FIXTURE_FIRST + 0x04);
}

/*
 * Whatever is kept of the last chain: of every so many frames a mark, which `count` frames of the
 * kernel move onto another frame of user space.
 */
static void check_own_caller(uint32_t count)
{
    static const struct {
        size_t x15;
        const char *expected;
    } samples[] = {{0x04, "20 18 4 thread-start"},
                   {0x04, "20 18 4 thread-start"}, /* by kept steps, which makes a mark */
                   {0x08, "20 18 8 thread-start"}};
    uint64_t kernel[KERNEL_FRAMES];
    struct scene scene;

    for (unsigned i = 0; i < KERNEL_FRAMES; i++)
        kernel[i] = UINT64_C(0xffff000000001000) + 16 * i;
    open_leaf(&scene, calls_leaf);
    scene.sample.kernel_chain = kernel;
    scene.sample.kernel_count = count;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        scene.sample.unchanged_addr = i == 0 ? UINT64_MAX : SCENE_STACK;
        scene_set(&scene, X15, FIXTURE_FIRST + samples[i].x15);
        scene_expect(&scene, samples[i].expected);
    }
    scene_deinit(&scene);
}

TEST(unwinder_each_sample_has_the_caller_that_its_own_register_tells)
{
    for (uint32_t count = 0; count <= KERNEL_FRAMES; count++)
        check_own_caller(count);
}

static void check_table(const char *code, const char *expected)
{
    struct scene scene;

    open_leaf(&scene, code);
    for (unsigned i = 0; i < 2; i++)
        scene_expect(&scene, expected);
    scene_deinit(&scene);
}

/* What it calls changes the register, and then jumps to the leaf at hand, which does not. */
TEST(unwinder_table_is_not_believed_where_the_call_tells_better)
{
    check_table(calls_leaf, "20 18 4 thread-start");
    check_table(calls_change, "20 18 implausible");
}

TEST(unwinder_table_is_believed_where_the_call_tells_nothing)
{
    check_table(calls_indirect, "20 18 4 thread-start");
}

/* Where the call never returns, what is behind it is of a path that had another state. */
TEST_OF(unwinder_row_behind_a_call_that_never_returns_is_not_the_calls, scene, scene)
{
    static const char code[] = SCENE_A64_CALLS_20 "\x80\x00\x00\xb5"  /* 20 cbnz x0, 30 */
                                                  "\x08\x00\x00\x94"  /* 24 bl 44 */
                                                  "\x05\x00\x00\x94"  /* 28 bl 3c */
                                                  "\x40\x01\x5f\xd6"  /* 2c ret x10 */
                                                  "\xea\x03\x1e\xaa"  /* 30 mov x10, x30 */
                                                  "\x02\x00\x00\x94"  /* 34 bl 3c */
                                                  "\xfc\xff\xff\x17"  /* 38 b 28 */
                                                  "\x21\x04\x00\x91"  /* 3c add x1, x1, #1 */
                                                  "\xc0\x03\x5f\xd6"  /* 40 ret */
                                                  "\x00\x00\x00\x14"; /* 44 b 44 */

    scene_open(scene, scene_begin(EM_AARCH64, code, sizeof(code) - 1), ARCH_AARCH64);
    scene_at(scene, 0x44);
    scene_set(scene, scene->arch->lr, FIXTURE_FIRST + 0x28);
    scene_set(scene, X10, FIXTURE_FIRST + 0x04); /* left from before; the caller is at 18 */
    scene_push(scene, 1, FIXTURE_FIRST + 0x04);
    for (unsigned i = 0; i < 2; i++)
        scene_expect(scene, "44 28 no-rule");
}
