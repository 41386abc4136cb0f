/* SPDX-License-Identifier: MIT */
/*
 * Chains out of hand-written code that keeps its return address in a register that calls may
 * change, while it calls a helper of its own: what the register holds is in the sample, if the
 * helper leaves it alone.
 */
#include "elf32_fixture.h"
#include "module_fixture.h"

#include "unwind/unwinder.h"

#define STACK 0x7f000000u

enum { IP = 12 };

/*
 * The code of a file, and where in it are the PC, in the helper, and the places behind the call of
 * that and behind the call of its caller.
 */
struct scene {
    uint16_t machine;
    enum arch_id arch;
    const char *code;
    size_t size, helper, back, outer;
    uint8_t reg; /* that holds the return address */
};

/* The chain of a sample in the helper. */
static void unwind(const struct scene *scene, struct chain *chain)
{
    const struct arch *arch = arch_get(scene->arch);
    const struct module_options options = {.arch = arch};
    uint8_t stack[64] = {0};
    struct snap_region region = {.start_addr = STACK,
                                 .end_addr = STACK + sizeof(stack),
                                 .map_end_addr = STACK + sizeof(stack),
                                 .bytes = stack};
    struct snap_sample sample = {.regions = &region, .region_count = 1};
    struct elf_fixture *elf = fixture_create(scene->machine);
    struct address_space space;
    struct module_set *modules;
    struct module *module;
    struct unwinder *unwinder;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, scene->code,
                    scene->size);
    fixture_finish_any(elf);
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        regs_set(&sample.regs, reg, 0);
    regs_set(&sample.regs, arch->pc, FIXTURE_FIRST + scene->helper);
    regs_set(&sample.regs, arch->lr, FIXTURE_FIRST + scene->back);
    regs_set(&sample.regs, scene->reg, FIXTURE_FIRST + scene->outer);
    regs_set(&sample.regs, arch->sp, STACK);
    assert_int_equal(module_set_create(&options, &modules), STATUS_OK);
    module = fixture_module(modules, elf);
    address_space_init(&space);
    assert_int_equal(address_space_add(&space, FIXTURE_BASE, FIXTURE_BASE + 0x10000, 0, module),
                     STATUS_OK);
    assert_int_equal(unwinder_create(arch, modules, &(struct unwinder_options){0}, &unwinder),
                     STATUS_OK);
    assert_int_equal(unwinder_chain(unwinder, &space, &sample, chain), STATUS_OK);
    unwinder_destroy(unwinder);
    address_space_deinit(&space);
    module_set_destroy(modules);
}

#define A32_BEGIN                                                                                  \
    "\x10\x40\x2d\xe9" /* 00 push {r4, lr} */                                                      \
    "\x00\x00\x00\xeb" /* 04 bl 0c */                                                              \
    "\x10\x80\xbd\xe8" /* 08 pop {r4, pc} */                                                       \
    "\x0e\xc0\xa0\xe1" /* 0c mov ip, lr */                                                         \
    "\x01\x00\x00\xeb" /* 10 bl 1c */                                                              \
    "\x01\x00\x80\xe0" /* 14 add r0, r0, r1 */                                                     \
    "\x1c\xff\x2f\xe1" /* 18 bx ip */

static const char a32_leaves[] = A32_BEGIN "\x01\x10\x81\xe2"   /* 1c add r1, r1, #1 */
                                           "\x1e\xff\x2f\xe1";  /* 20 bx lr */
static const char a32_changes[] = A32_BEGIN "\x01\xc0\x81\xe2"  /* 1c add ip, r1, #1 */
                                            "\x1e\xff\x2f\xe1"; /* 20 bx lr */

static const struct scene A32 = {.machine = EM_ARM,
                                 .arch = ARCH_ARM,
                                 .size = sizeof(a32_leaves) - 1,
                                 .helper = 0x1c,
                                 .back = 0x14,
                                 .outer = 0x08,
                                 .reg = IP};

TEST(unwinder_caller_of_a_leafs_caller_is_in_the_register_that_it_leaves)
{
    struct scene scene = A32;
    struct chain chain = {0};

    scene.code = a32_leaves;
    unwind(&scene, &chain);
    assert_true(chain.count >= 3);
    assert_int_equal(chain.frames[1].pc_addr, FIXTURE_FIRST + 0x14);
    assert_int_equal(chain.frames[2].pc_addr, FIXTURE_FIRST + 0x08);
    assert_int_equal(chain.frames[2].trust, TRUST_PROLOGUE);
    chain_deinit(&chain);
}

TEST(unwinder_register_that_the_leaf_changes_tells_no_caller)
{
    struct scene scene = A32;
    struct chain chain = {0};

    scene.code = a32_changes;
    unwind(&scene, &chain);
    assert_int_equal(chain.count, 2);
    assert_int_equal(chain.frames[1].pc_addr, FIXTURE_FIRST + 0x14);
    chain_deinit(&chain);
}

/* Where the call before left it alone, and this one, which does not return, need not. */
TEST(unwinder_register_that_a_later_leaf_changes_tells_no_caller)
{
    static const char code[] = "\x10\x40\x2d\xe9"  /* 00 push {r4, lr} */
                               "\x00\x00\x00\xeb"  /* 04 bl 0c */
                               "\x10\x80\xbd\xe8"  /* 08 pop {r4, pc} */
                               "\x0e\xc0\xa0\xe1"  /* 0c mov ip, lr */
                               "\x01\x00\x00\xeb"  /* 10 bl 1c */
                               "\x02\x00\x00\xeb"  /* 14 bl 24 */
                               "\x1c\xff\x2f\xe1"  /* 18 bx ip */
                               "\x01\x10\x81\xe2"  /* 1c add r1, r1, #1 */
                               "\x1e\xff\x2f\xe1"  /* 20 bx lr */
                               "\x01\xc0\x81\xe2"  /* 24 add ip, r1, #1 */
                               "\xfe\xff\xff\xea"; /* 28 b 28 */
    struct scene scene = A32;
    struct chain chain = {0};

    scene.code = code;
    scene.size = sizeof(code) - 1;
    scene.helper = 0x28;
    scene.back = 0x18;
    unwind(&scene, &chain);
    assert_int_equal(chain.count, 2);
    assert_int_equal(chain.frames[1].pc_addr, FIXTURE_FIRST + 0x18);
    chain_deinit(&chain);
}

/* Nor does one that nobody captured. */
TEST(unwinder_register_that_leads_nowhere_tells_no_caller)
{
    struct scene scene = A32;
    struct chain chain = {0};

    scene.code = a32_leaves;
    scene.reg = 3; /* ip is 0 */
    unwind(&scene, &chain);
    assert_int_equal(chain.count, 2);
    chain_deinit(&chain);
}

#define A64_BEGIN                                                                                  \
    "\xfd\x7b\xbf\xa9" /* 00 stp x29, x30, [sp, #-16]! */                                          \
    "\x03\x00\x00\x94" /* 04 bl 10 */                                                              \
    "\xfd\x7b\xc1\xa8" /* 08 ldp x29, x30, [sp], #16 */                                            \
    "\xc0\x03\x5f\xd6" /* 0c ret */                                                                \
    "\xef\x03\x1e\xaa" /* 10 mov x15, x30 */                                                       \
    "\x03\x00\x00\x94" /* 14 bl 20 */                                                              \
    "\x00\x00\x01\x8b" /* 18 add x0, x0, x1 */                                                     \
    "\xe0\x01\x5f\xd6" /* 1c ret x15 */

static const char a64_leaves[] = A64_BEGIN "\x21\x04\x00\x91"   /* 20 add x1, x1, #1 */
                                           "\xc0\x03\x5f\xd6";  /* 24 ret */
static const char a64_changes[] = A64_BEGIN "\x2f\x04\x00\x91"  /* 20 add x15, x1, #1 */
                                            "\xc0\x03\x5f\xd6"; /* 24 ret */

TEST(unwinder_a64_register_is_recalled_as_arms_is)
{
    struct scene scene = {.machine = EM_AARCH64,
                          .arch = ARCH_AARCH64,
                          .code = a64_leaves,
                          .size = sizeof(a64_leaves) - 1,
                          .helper = 0x20,
                          .back = 0x18,
                          .outer = 0x08,
                          .reg = 15};
    struct chain chain = {0};

    unwind(&scene, &chain);
    assert_true(chain.count >= 3);
    assert_int_equal(chain.frames[1].pc_addr, FIXTURE_FIRST + 0x18);
    assert_int_equal(chain.frames[2].pc_addr, FIXTURE_FIRST + 0x08);
    chain_deinit(&chain);
    chain = (struct chain){0};
    scene.code = a64_changes;
    unwind(&scene, &chain);
    assert_int_equal(chain.count, 2);
    chain_deinit(&chain);
}
