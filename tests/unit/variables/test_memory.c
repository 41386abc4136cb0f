/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <unistd.h>

#include "symbol/module_set.h"
#include "variables/memory.h"

#define SIZE 64 /* of the variable, at FIXTURE_FIRST; a label without size is behind it */

/* Why a byte at `addr` of a board's RAM, which has its variables and the stack, is not told. */
static const char *why_not(struct module_set *set, struct address_space *space, uint64_t sp,
                           uint64_t addr)
{
    static const uint8_t ram[1024];
    const struct snap_region region = {.start_addr = FIXTURE_FIRST,
                                       .end_addr = FIXTURE_FIRST + sizeof(ram),
                                       .map_end_addr = FIXTURE_FIRST + sizeof(ram),
                                       .bytes = ram};
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct snap_sample sample = {.regions = &region, .region_count = 1};
    struct known_how known;
    uint8_t byte;

    regs_set(&sample.regs, arch->sp, sp);
    known = captured_read(set, space, &sample, arch, addr, &byte, 1);
    return is_known(known) ? "" : known.why;
}

/* Board's RAM: [ variable | label … ]. */
TEST(memory_below_the_stack_pointer_is_told_of_variables_that_hold_no_stack)
{
    struct elf_fixture *elf = fixture_create(EM_AARCH64);
    struct mapping mapping = {.start_addr = FIXTURE_BASE,
                              .end_addr = FIXTURE_BASE + FIXTURE_SIZE_MAX,
                              .anchor = MAPPING_BIAS};
    struct module_options options = {.arch = arch_get(ARCH_AARCH64)};
    char path[] = "/tmp/memory_XXXXXX";
    static const uint8_t data[1024];
    struct symbol_fixture symbols;
    struct address_space space;
    struct module_set *set;

    close(mkstemp(path));
    fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data, sizeof(data));
    symbols_init(&symbols);
    symbols_add(&symbols, "variable", STB_GLOBAL, STT_OBJECT, FIXTURE_FIRST, SIZE);
    symbols_add(&symbols, "label", STB_GLOBAL, STT_OBJECT, FIXTURE_FIRST + SIZE, 0);
    fixture_symbols(elf, &symbols, false);
    fixture_finish(elf);
    fixture_write(elf, path);
    free(elf);
    address_space_init(&space);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_FILE, path, NULL, 0, false, &mapping.module),
                     STATUS_OK);
    assert_int_equal(address_space_put(&space, &mapping), STATUS_OK);

    assert_string_equal(why_not(set, &space, FIXTURE_FIRST + SIZE + 1, FIXTURE_FIRST), "");
    assert_string_equal(why_not(set, &space, FIXTURE_FIRST + SIZE, FIXTURE_FIRST),
                        "below the stack pointer"); /* of an empty stack */
    assert_string_equal(why_not(set, &space, FIXTURE_FIRST + 16, FIXTURE_FIRST),
                        "below the stack pointer");
    assert_string_equal(why_not(set, &space, FIXTURE_FIRST + 16, FIXTURE_FIRST + 16), "");
    assert_string_equal(why_not(set, &space, FIXTURE_FIRST + 512, FIXTURE_FIRST + SIZE),
                        "below the stack pointer");
    module_set_destroy(set);
    address_space_deinit(&space);
    unlink(path);
}
