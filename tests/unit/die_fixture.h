/* SPDX-License-Identifier: MIT */
/* DWARF for the tests of symbol/dwarf/, DIE by DIE. */
#ifndef TESTS_DIE_FIXTURE_H
#define TESTS_DIE_FIXTURE_H

#include "dwarf_fixture.h"

#include "symbol/dwarf/die.h"

/* A file of hand-made sections, and where its DIEs are. */
struct file {
    struct bytes info, abbrev, str, line_str, str_offsets, addr;
    struct elf_image *image;
    struct dwarf_file *dwarf;
};

/* 0x100 bytes of code, and what is known of them. */
static inline void put_sections(struct elf_fixture *elf, const struct file *file)
{
    fixture_text(elf, 0x100);
    fixture_debug(elf, ".debug_info", &file->info);
    fixture_debug(elf, ".debug_abbrev", &file->abbrev);
    fixture_debug(elf, ".debug_str", &file->str);
    fixture_debug(elf, ".debug_line_str", &file->line_str);
    fixture_debug(elf, ".debug_str_offsets", &file->str_offsets);
    fixture_debug(elf, ".debug_addr", &file->addr);
}

static inline void open_file(struct file *file, struct dwarf_file *shared)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    put_sections(elf, file);
    fixture_finish(elf);
    file->image = fixture_open(elf);
    assert_int_equal(dwarf_file_open(file->image, shared, &file->dwarf), STATUS_OK);
}

static inline void close_file(struct file *file)
{
    dwarf_file_close(file->dwarf);
    elf_image_close(file->image);
}

/* The header of a unit in 32-bit DWARF; close_length ends it. Returns where it begins. */
static inline size_t begin_unit(struct bytes *info, unsigned version)
{
    size_t at = info->size;

    put32(info, 0);
    put16(info, version);
    if (version >= 5)
        put16(info, DW_UT_compile | 8 << 8);
    put32(info, 0);
    if (version < 5)
        put8(info, 8);
    return at;
}

/* Abbreviation 1 is a unit without attributes, with children. */
static inline void begin_abbrevs(struct bytes *abbrev)
{
    static const uint8_t unit[] = {1, DW_TAG_compile_unit, 1, 0, 0};

    put(abbrev, unit, sizeof(unit));
}

/* One with a single attribute. */
static inline void put_abbrev(struct bytes *abbrev, unsigned code, unsigned tag, unsigned name,
                              unsigned form)
{
    put8(abbrev, code);
    put8(abbrev, tag);
    put8(abbrev, 0);
    put8(abbrev, name);
    for (; form >= 0x80; form >>= 7)
        put8(abbrev, (form & 0x7f) | 0x80);
    put8(abbrev, form);
    put16(abbrev, 0);
}

#endif
