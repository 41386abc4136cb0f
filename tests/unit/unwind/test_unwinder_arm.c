/* SPDX-License-Identifier: MIT */
/*
 * What ARM's return addresses hold besides the address, on programs of the corpus
 * (corpus/programs/hand_arm.S, hand_a64.S): samples are made by hand, of a leaf at its first
 * instruction.
 */
#include <stdio.h>
#include <string.h>

#include "unit_test.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"
#include "unwind/unwinder.h"

#define BASE     0x400000u
#define STACK    0x7f000000u
#define PAC_MASK UINT64_C(0x007f000000000000)
#define CASES    "../corpus/cases/"

struct code_function {
    uint64_t start_addr, end_addr;
};

static uint8_t stack[64];
static uint64_t frame_pointer;

static struct code_function function_of(const char *directory, const char *name)
{
    char path[256], line[256], module[64], found[128];
    unsigned long long start, size;
    struct code_function function = {0};
    FILE *file;

    snprintf(path, sizeof(path), CASES "%s/symbols", directory);
    file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        if (sscanf(line, "%63s %llx %llx %127s", module, &start, &size, found) == 4 &&
            strcmp(found, name) == 0)
            function =
                (struct code_function){.start_addr = BASE + start, .end_addr = BASE + start + size};
    fclose(file);
    assert_int_not_equal(function.start_addr, 0);
    return function;
}

static void push(unsigned slot, unsigned size, uint64_t value)
{
    memcpy(stack + slot * size, &value, size);
}

/* The chain of a sample of the program with these registers. */
static void unwind_file(const char *directory, const char *name, enum arch_id id, uint64_t pac_mask,
                        uint64_t pc, uint64_t lr, struct chain *chain)
{
    char path[256];
    const char *files[] = {path};
    const struct arch *arch = arch_get(id);
    struct module_options options = {.elf_files = files, .elf_file_count = 1, .arch = arch};
    struct snap_region region = {.start_addr = STACK,
                                 .end_addr = STACK + sizeof(stack),
                                 .map_end_addr = STACK + sizeof(stack),
                                 .bytes = stack};
    struct snap_sample sample = {.regions = &region, .region_count = 1};
    struct address_space space;
    struct module_set *modules;
    struct module *module;
    struct unwinder *unwinder;

    snprintf(path, sizeof(path), CASES "%s/%s", directory, name);
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        regs_set(&sample.regs, reg, 0);
    regs_set(&sample.regs, arch->pc, pc);
    regs_set(&sample.regs, arch->lr, lr);
    regs_set(&sample.regs, arch->sp, STACK);
    regs_set(&sample.regs, arch->fp, frame_pointer);
    assert_int_equal(module_set_create(&options, &modules), STATUS_OK);
    address_space_init(&space);
    space.pac_mask = pac_mask;
    assert_int_equal(module_set_get(modules, MODULE_FILE, path, NULL, 0, false, &module),
                     STATUS_OK);
    assert_int_equal(address_space_add(&space, BASE, BASE + 0x10000, 0, module), STATUS_OK);
    assert_int_equal(unwinder_create(arch, modules, &(struct unwinder_options){0}, &unwinder),
                     STATUS_OK);
    assert_int_equal(unwinder_chain(unwinder, &space, &sample, chain), STATUS_OK);
    unwinder_destroy(unwinder);
    address_space_deinit(&space);
    module_set_destroy(modules);
}

static void chain_init(struct chain *chain)
{
    *chain = (struct chain){0};
}

static void unwind(const char *directory, enum arch_id id, uint64_t pac_mask, uint64_t pc,
                   uint64_t lr, struct chain *chain)
{
    unwind_file(directory, "program", id, pac_mask, pc, lr, chain);
}

/*
 * push {r4, lr}; mov r4, #7; bl hand_leaf_1; pop {r4, pc}: returns to where it called the leaf,
 * twice over.
 */
TEST_OF(unwinder_thumb_bit_is_no_part_of_an_address, chain, chain)
{
    const char *directory = "hand-t32-gcc-O2";
    struct code_function leaf = function_of(directory, "hand_leaf_1");
    struct code_function plain = function_of(directory, "hand_plain");
    uint64_t back = plain.end_addr - 2;

    push(1, 4, back | 1);
    unwind(directory, ARCH_ARM, 0, leaf.start_addr, back | 1, chain);
    assert_true(chain->count >= 3);
    assert_int_equal(chain->frames[1].pc_addr, back);
    assert_int_equal(chain->frames[1].trust, TRUST_PROLOGUE);
    assert_int_equal(chain->frames[2].pc_addr, back);
}

/* In A32 the same function has no such bit: an address with it is not behind a call there. */
TEST_OF(unwinder_thumb_bit_says_which_calls_are_before_an_address, chain, chain)
{
    const char *directory = "hand-a32-gcc-O2";
    struct code_function leaf = function_of(directory, "hand_leaf_1");
    struct code_function plain = function_of(directory, "hand_plain");

    unwind(directory, ARCH_ARM, 0, leaf.start_addr, plain.end_addr - 4, chain);
    assert_true(chain->count >= 2);
    assert_int_equal(chain->frames[1].pc_addr, plain.end_addr - 4);
    unwind(directory, ARCH_ARM, 0, leaf.start_addr, (plain.end_addr - 4) | 1, chain);
    assert_int_equal(chain->count, 1);
}

/* pacibsp; stp x29, x30, [sp, #-32]!; mov x29, sp; bl hand_leaf_8; ldp; retab */
TEST_OF(unwinder_authentication_code_is_no_part_of_an_address, chain, chain)
{
    const char *directory = "hand-a64-gcc-O2-pac";
    struct code_function leaf = function_of(directory, "hand_leaf_8");
    struct code_function special = function_of(directory, "hand_special");
    uint64_t back = special.end_addr - 8;

    push(1, 8, back | (PAC_MASK & UINT64_C(0x002a000000000000)));
    unwind(directory, ARCH_AARCH64, PAC_MASK, leaf.start_addr, back, chain);
    assert_true(chain->count >= 3);
    assert_int_equal(chain->frames[1].pc_addr, back);
    assert_int_equal(chain->frames[2].pc_addr, back);
    unwind(directory, ARCH_AARCH64, 0, leaf.start_addr, back, chain);
    assert_int_equal(chain->count, 2);
}

/*
 * sub sp, sp, #16; …; add sp, sp, #16; ret: of a table that never says that the frame is gone again
 * (LLVM 14's), called by str x30, [sp, #-32]!; …; bl; …
 */
TEST_OF(unwinder_table_without_epilogues_leaves_the_innermost_frame_to_code, chain, chain)
{
    const char *directory = "foreign-a64-gcc-O2-pac";
    struct code_function leaf = function_of(directory, "plugin_leave");
    struct code_function guarded = function_of(directory, "plugin_guarded");
    uint64_t back = guarded.start_addr + 16; /* behind its call */

    push(0, 8, back);
    push(2, 8, 0);
    unwind_file(directory, "plugin.so", ARCH_AARCH64, 0, leaf.end_addr - 4, back, chain);
    assert_true(chain->count >= 3);
    assert_int_equal(chain->frames[1].pc_addr, back);
    assert_int_equal(chain->frames[1].trust, TRUST_PROLOGUE);
    assert_int_equal(chain->frames[2].pc_addr, back);
}

/* LR of a function that has called, left from that: the caller is not known. */
TEST_OF(unwinder_link_register_left_from_a_call_is_no_caller, chain, chain)
{
    const char *directory = "hand-a32-gcc-O2";
    struct code_function leaf = function_of(directory, "hand_leaf_1");
    struct code_function plain = function_of(directory, "hand_plain");

    /* Behind `bl hand_leaf_1` LR leads there; what was saved in the frame is nowhere. */
    unwind(directory, ARCH_ARM, 0, plain.end_addr - 4, plain.end_addr - 4, chain);
    assert_int_equal(chain->count, 1);
    unwind(directory, ARCH_ARM, 0, leaf.start_addr, 0x10000, chain);
    assert_int_equal(chain->count, 1);
}

/* Behind `bl hand_leaf_4` in a large frame, of which the stack was not captured. */
TEST_OF(unwinder_link_register_is_no_way_out_where_a_row_says_otherwise, chain, chain)
{
    const char *directory = "hand-a32-gcc-O2";
    struct code_function big = function_of(directory, "hand_big");
    struct code_function special = function_of(directory, "hand_special");

    /* LR: behind `blx r3`, of which nobody knows what it called. */
    unwind(directory, ARCH_ARM, 0, big.start_addr + 32, special.end_addr - 4, chain);
    assert_int_equal(chain->count, 1);
    assert_int_not_equal(chain->stop, STOP_THREAD_START);
}

/*
 * LR of a leaf leads to a module that was gone before its mapping was read. The frame pointer is
 * that caller's: its record leads past it.
 */
TEST_OF(unwinder_frame_pointer_that_the_function_left_alone_is_a_callers, chain, chain)
{
    const char *directory = "hand-a64-gcc-O2-pac";
    struct code_function leaf = function_of(directory, "hand_leaf_8");
    struct code_function special = function_of(directory, "hand_special");

    push(0, 8, 0);
    push(1, 8, special.end_addr - 8);
    frame_pointer = STACK;
    unwind(directory, ARCH_AARCH64, 0, leaf.start_addr, 0x10000, chain);
    frame_pointer = 0;
    assert_int_equal(chain->count, 1);
    assert_int_equal(chain->stop, STOP_IMPLAUSIBLE);
}
