/* SPDX-License-Identifier: MIT */
/*
 * DWARF made by hand for the tests of symbol/: growing byte strings, and one compilation unit of
 * version 4 or 5.
 *
 *     [0x00, 0x80)  main, at a.c:10; calls at a.c:7 what is inlined in
 *     [0x10, 0x40)      g, at inc/b.h:20; calls at inc/b.h:25 what is inlined in
 *     [0x20, 0x30)          h, at inc/b.h:30
 *     [0x80, 0xa0), [0xc0, 0xe0)  split (linkage name _split), at a.c:50
 */
#ifndef TESTS_DWARF_FIXTURE_H
#define TESTS_DWARF_FIXTURE_H

#include "elf_fixture.h"

#include <dwarf.h>

struct bytes {
    uint8_t data[2048];
    size_t size;
};

static inline void put(struct bytes *to, const void *data, size_t size)
{
    assert_true(size <= sizeof(to->data) - to->size);
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void put8(struct bytes *to, unsigned value)
{
    uint8_t byte = (uint8_t)value;

    put(to, &byte, 1);
}

static inline void put16(struct bytes *to, unsigned value)
{
    uint16_t word = (uint16_t)value;

    put(to, &word, 2);
}

static inline void put32(struct bytes *to, uint64_t value)
{
    uint32_t word = (uint32_t)value;

    put(to, &word, 4);
}

static inline void put64(struct bytes *to, uint64_t value)
{
    put(to, &value, 8);
}

static inline void put_string(struct bytes *to, const char *text)
{
    put(to, text, strlen(text) + 1);
}

/* Every byte below 0x80: abbreviation codes, tags, attributes, forms of one byte; zero ends. */
static inline void put_list(struct bytes *to, const uint8_t *list, size_t size)
{
    put(to, list, size);
}

/* Fills in the length before what follows `at`. */
static inline void close_length(struct bytes *to, size_t at)
{
    uint32_t length = (uint32_t)(to->size - at - 4);

    memcpy(to->data + at, &length, 4);
}

/* DW_LNS_set_file, advance to the address and line, copy. */
static inline void put_row(struct bytes *to, unsigned file, unsigned advance, int line_delta)
{
    put8(to, DW_LNS_set_file);
    put8(to, file);
    put8(to, DW_LNS_advance_pc);
    put8(to, advance);
    put8(to, DW_LNS_advance_line);
    put8(to, (unsigned)line_delta & 0x7f); /* -64 … 63 */
    put8(to, DW_LNS_copy);
}

/* The tables of files: 1 is a.c, 2 is inc/b.h. In version 5 file 0 is a.c too. */
static inline void put_line_tables(struct bytes *to, unsigned version)
{
    static const uint8_t dir_format[] = {1, DW_LNCT_path, DW_FORM_string};
    static const uint8_t file_format[] = {2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
                                          DW_FORM_udata};

    if (version < 5) {
        put_string(to, "inc");
        put8(to, 0);
        put_string(to, "a.c");
        put(to, "\0\0\0", 3);
        put_string(to, "b.h");
        put(to, "\1\0\0", 3);
        put8(to, 0);
        return;
    }
    put_list(to, dir_format, sizeof(dir_format));
    put8(to, 2);
    put_string(to, "/src");
    put_string(to, "inc");
    put_list(to, file_format, sizeof(file_format));
    put8(to, 3);
    put(to, "a.c\0\0a.c\0\0b.h\0\1", 15);
}

static inline void make_line_section(struct bytes *to, unsigned version)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    size_t header_length_at;

    to->size = 0;
    put32(to, 0);
    put16(to, version);
    if (version >= 5)
        put16(to, 8);
    header_length_at = to->size;
    put32(to, 0);
    put8(to, 1); /* bytes in the shortest instruction */
    if (version >= 4)
        put8(to, 1);
    put8(to, 1);
    put8(to, 0xfb); /* line base -5 */
    put8(to, 14);
    put8(to, 13);
    put(to, operands, sizeof(operands));
    put_line_tables(to, version);
    close_length(to, header_length_at);
    put8(to, 0);
    put8(to, 9);
    put8(to, DW_LNE_set_address);
    put64(to, FIXTURE_FIRST);
    put_row(to, 1, 0, 9);
    put_row(to, 2, 0x10, 10);
    put_row(to, 2, 0x10, 10);
    put_row(to, 2, 0x10, -10);
    put_row(to, 1, 0x10, -10);
    put_row(to, 1, 0x40, 40);
    put8(to, DW_LNS_advance_pc);
    put(to, "\x80\x01", 2); /* 0x80 */
    put(to, "\0\1\1", 3);   /* end of sequence */
    close_length(to, 0);
}

static inline void make_abbrev_section(struct bytes *to)
{
    static const uint8_t list[] = {1,
                                   DW_TAG_compile_unit,
                                   1,
                                   DW_AT_name,
                                   DW_FORM_string,
                                   DW_AT_comp_dir,
                                   DW_FORM_string,
                                   DW_AT_stmt_list,
                                   DW_FORM_sec_offset,
                                   DW_AT_low_pc,
                                   DW_FORM_addr,
                                   DW_AT_high_pc,
                                   DW_FORM_data4,
                                   0,
                                   0,
                                   2,
                                   DW_TAG_subprogram,
                                   0,
                                   DW_AT_name,
                                   DW_FORM_string,
                                   0,
                                   0,
                                   3,
                                   DW_TAG_subprogram,
                                   1,
                                   DW_AT_name,
                                   DW_FORM_string,
                                   DW_AT_low_pc,
                                   DW_FORM_addr,
                                   DW_AT_high_pc,
                                   DW_FORM_data4,
                                   0,
                                   0,
                                   4,
                                   DW_TAG_inlined_subroutine,
                                   1,
                                   DW_AT_abstract_origin,
                                   DW_FORM_ref4,
                                   DW_AT_low_pc,
                                   DW_FORM_addr,
                                   DW_AT_high_pc,
                                   DW_FORM_data4,
                                   DW_AT_call_file,
                                   DW_FORM_data1,
                                   DW_AT_call_line,
                                   DW_FORM_data1,
                                   0,
                                   0,
                                   5,
                                   DW_TAG_subprogram,
                                   0,
                                   DW_AT_name,
                                   DW_FORM_string,
                                   DW_AT_linkage_name,
                                   DW_FORM_string,
                                   DW_AT_ranges,
                                   DW_FORM_sec_offset,
                                   0,
                                   0,
                                   0};

    to->size = 0;
    put_list(to, list, sizeof(list));
}

static inline void put_range(struct bytes *to, uint64_t start, uint32_t size)
{
    put64(to, FIXTURE_FIRST + start);
    put32(to, size);
}

static inline void make_info_section(struct bytes *to, unsigned version)
{
    size_t g, h;

    to->size = 0;
    put32(to, 0);
    put16(to, version);
    if (version >= 5)
        put16(to, DW_UT_compile | 8 << 8);
    put32(to, 0);
    if (version < 5)
        put8(to, 8);
    put8(to, 1);
    put_string(to, "a.c");
    put_string(to, "/src");
    put32(to, 0);
    put_range(to, 0, 0x100);
    g = to->size;
    put8(to, 2);
    put_string(to, "g");
    h = to->size;
    put8(to, 2);
    put_string(to, "h");
    put8(to, 3);
    put_string(to, "main");
    put_range(to, 0, 0x80);
    put8(to, 4);
    put32(to, g);
    put_range(to, 0x10, 0x30);
    put8(to, 1);
    put8(to, 7);
    put8(to, 4);
    put32(to, h);
    put_range(to, 0x20, 0x10);
    put8(to, 2);
    put8(to, 25);
    put(to, "\0\0\0", 3); /* ends h, g, main */
    put8(to, 5);
    put_string(to, "split");
    put_string(to, "_split");
    put32(to, version < 5 ? 0 : 12);
    put8(to, 0);
    close_length(to, 0);
}

/*
 * The two ranges of `split`, relative to the unit's low pc; in version 5 after a header of 12
 * bytes.
 */
static inline void make_ranges_section(struct bytes *to, unsigned version)
{
    static const uint64_t pairs[] = {0x80, 0xa0, 0xc0, 0xe0, 0, 0};

    to->size = 0;
    if (version < 5) {
        put(to, pairs, sizeof(pairs));
        return;
    }
    put32(to, 0);
    put16(to, 5);
    put16(to, 8);
    put32(to, 0);
    put8(to, DW_RLE_offset_pair);
    put(to, "\x80\x01\xa0\x01", 4);
    put8(to, DW_RLE_start_length);
    put64(to, FIXTURE_FIRST + 0xc0);
    put8(to, 0x20);
    put8(to, DW_RLE_end_of_list);
    close_length(to, 0);
}

struct dwarf_sections {
    struct bytes info, abbrev, line, ranges;
    unsigned version;
};

static inline void make_dwarf(struct dwarf_sections *dwarf, unsigned version)
{
    dwarf->version = version;
    make_info_section(&dwarf->info, version);
    make_abbrev_section(&dwarf->abbrev);
    make_line_section(&dwarf->line, version);
    make_ranges_section(&dwarf->ranges, version);
}

static inline void fixture_debug(struct elf_fixture *elf, const char *name,
                                 const struct bytes *bytes)
{
    fixture_section(elf, name, SHT_PROGBITS, 0, bytes->data, bytes->size);
}

/* A file with 0x100 bytes of code and that DWARF. */
static inline struct elf_image *dwarf_image(const struct dwarf_sections *dwarf)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_text(elf, 0x100);
    fixture_debug(elf, ".debug_info", &dwarf->info);
    fixture_debug(elf, ".debug_abbrev", &dwarf->abbrev);
    fixture_debug(elf, ".debug_line", &dwarf->line);
    fixture_debug(elf, dwarf->version < 5 ? ".debug_ranges" : ".debug_rnglists", &dwarf->ranges);
    fixture_finish(elf);
    return fixture_open(elf);
}

#endif
