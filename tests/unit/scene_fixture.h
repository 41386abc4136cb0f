/* SPDX-License-Identifier: MIT */
/*
 * Chains in a file of nothing but code, of samples made by hand.
 *
 *     struct scene scene;
 *     struct elf_fixture *elf = scene_begin(EM_AARCH64, code, sizeof(code) - 1);
 *     scene_open(&scene, elf, ARCH_AARCH64);         other sections may come before
 *     scene_open_by(&scene, elf, ARCH_ARM, &options);  or so
 *     scene_set(&scene, reg, value);                 scene_at(&scene, off): the PC
 *     scene_expect(&scene, "10 4 thread-start");     as often as there are samples
 *     scene_close(&scene);
 */
#ifndef TESTS_SCENE_FIXTURE_H
#define TESTS_SCENE_FIXTURE_H

#include "cfi_fixture.h"
#include "elf32_fixture.h"
#include "module_fixture.h"

#include "unwind/unwinder.h"

#define SCENE_STACK 0x7f000000u

struct scene {
    const struct arch *arch;
    struct module_set *modules;
    struct address_space space;
    struct unwinder *unwinder;
    uint8_t stack[64]; /* at SCENE_STACK, where SP is */
    struct snap_region region;
    struct snap_sample sample;
    struct chain chain; /* of the last sample, with what it keeps for the next one */
};

struct scene_fde {
    size_t off, size;
    struct program_bytes program;
};

static inline struct elf_fixture *scene_begin(uint16_t machine, const char *code, size_t size)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    return elf;
}

/* AArch64's .eh_frame; CFA = sp at the start of each FDE. */
static inline void scene_eh_frames(struct elf_fixture *elf, const struct scene_fde *fdes,
                                   size_t count)
{
    enum { RA_COLUMN = 14 };
    struct asm_section s = asm_begin(true);
    const uint64_t section_vaddr = FIXTURE_BASE + elf->size;
    size_t cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0c, 31, 0));

    s.bytes[cie + RA_COLUMN] = 30;
    for (size_t i = 0; i < count; i++)
        (void)asm_fde(&s, cie, FIXTURE_FIRST + fdes[i].off - section_vaddr + SECTION_VADDR,
                      fdes[i].size, fdes[i].program);
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
}

/* The same with one FDE. */
static inline void scene_eh_frame(struct elf_fixture *elf, size_t off, size_t size,
                                  struct program_bytes program)
{
    scene_eh_frames(elf, &(struct scene_fde){off, size, program}, 1);
}

/* Finishes the file and frees the fixture. All registers are 0, but for SP. */
static inline void scene_open_by(struct scene *scene, struct elf_fixture *elf, enum arch_id id,
                                 const struct unwinder_options *by)
{
    const struct arch *arch = arch_get(id);
    const struct module_options options = {.arch = arch};
    struct module *module;

    *scene = (struct scene){.arch = arch};
    scene->region = (struct snap_region){.start_addr = SCENE_STACK,
                                         .end_addr = SCENE_STACK + sizeof(scene->stack),
                                         .map_end_addr = SCENE_STACK + sizeof(scene->stack),
                                         .bytes = scene->stack};
    scene->sample = (struct snap_sample){.regions = &scene->region, .region_count = 1};
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        regs_set(&scene->sample.regs, reg, 0);
    regs_set(&scene->sample.regs, arch->sp, SCENE_STACK);
    if (arch->word_size == 8)
        fixture_finish(elf);
    else
        fixture_finish32(elf);
    assert_int_equal(module_set_create(&options, &scene->modules), STATUS_OK);
    module = fixture_module(scene->modules, elf);
    address_space_init(&scene->space);
    assert_int_equal(address_space_add(&scene->space, FIXTURE_BASE, FIXTURE_BASE + 0x10000, 0,
                                       module),
                     STATUS_OK);
    assert_int_equal(unwinder_create(arch, scene->modules, by, &scene->unwinder), STATUS_OK);
}

static inline void scene_open(struct scene *scene, struct elf_fixture *elf, enum arch_id id)
{
    scene_open_by(scene, elf, id, &(struct unwinder_options){0});
}

static inline void scene_close(struct scene *scene)
{
    chain_deinit(&scene->chain);
    unwinder_destroy(scene->unwinder);
    address_space_deinit(&scene->space);
    module_set_destroy(scene->modules);
}

static inline void scene_set(struct scene *scene, unsigned reg, uint64_t value)
{
    regs_set(&scene->sample.regs, reg, value);
}

static inline void scene_at(struct scene *scene, size_t off)
{
    scene_set(scene, scene->arch->pc, FIXTURE_FIRST + off);
}

/* A word of the stack. */
static inline void scene_push(struct scene *scene, unsigned slot, uint64_t value)
{
    memcpy(scene->stack + slot * scene->arch->word_size, &value, scene->arch->word_size);
}

/* Compares with "offset, … stop", without the kernel's frames. */
static inline void scene_expect(struct scene *scene, const char *expected)
{
    struct chain *chain = &scene->chain;
    char text[256] = "";
    size_t len = 0;

    assert_int_equal(unwinder_chain(scene->unwinder, &scene->space, &scene->sample, chain),
                     STATUS_OK);
    for (size_t i = scene->sample.kernel_count; i < chain->count && len < sizeof(text) - 32; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%llx ",
                                (unsigned long long)(chain->frames[i].pc_addr - FIXTURE_FIRST));
    snprintf(text + len, sizeof(text) - len, "%s", stop_reason_name(chain->stop));
    assert_string_equal(text, expected);
}

#endif
