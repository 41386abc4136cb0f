/* SPDX-License-Identifier: MIT */
#include "cfi_fixture.h"

#include <stdlib.h>

#include "elf_fixture.h"
#include "unwind/sources/cfi.h"

static struct cfi *create(struct asm_section *s)
{
    const struct cfi_section section = asm_end(s);
    struct cfi *cfi;

    assert_int_equal(cfi_create(&section, section.eh_frame ? TRUST_EH_FRAME : TRUST_DEBUG_FRAME,
                                NULL, &cfi),
                     STATUS_OK);
    return cfi;
}

/* The CFA's offset at `vaddr`: each FDE of a test has its own. -1: no row. */
static int offset_at(struct cfi *cfi, uint64_t vaddr)
{
    struct row row;

    if (cfi_find(cfi, vaddr, &row) != STATUS_OK)
        return -1;
    assert_true(vaddr >= row.start_vaddr && vaddr < row.end_vaddr);
    return row.cfa.off;
}

TEST(cfi_rows_are_found_by_address)
{
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    struct row row;
    uint64_t start_vaddr, end_vaddr;
    size_t cie = asm_gcc_cie(&s);

    /* Not in the order of their addresses. */
    asm_fde(&s, cie, 0x400100, 0x40, PROGRAM(0x0e, 32, 0x50, 0x0e, 40));
    asm_fde(&s, cie, 0x400000, 0x40, PROGRAM(0x0e, 16));
    cfi = create(&s);
    assert_int_equal(offset_at(cfi, 0x3fffff), -1);
    assert_int_equal(offset_at(cfi, 0x400000), 16);
    assert_int_equal(offset_at(cfi, 0x40003f), 16);
    assert_int_equal(offset_at(cfi, 0x400040), -1);
    assert_int_equal(offset_at(cfi, 0x4000ff), -1);
    assert_int_equal(offset_at(cfi, 0x40010f), 32);
    assert_int_equal(offset_at(cfi, 0x400110), 40);
    assert_int_equal(offset_at(cfi, 0x400140), -1);
    assert_int_equal(cfi_find(cfi, 0x400112, &row), STATUS_OK);
    assert_int_equal(row.source, TRUST_EH_FRAME);
    assert_int_equal(row.start_vaddr, 0x400110);
    assert_int_equal(row.end_vaddr, 0x400140);

    assert_int_equal(cfi_function(cfi, 0x400112, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, 0x400100);
    assert_int_equal(end_vaddr, 0x400140);
    assert_int_equal(cfi_function(cfi, 0x400140, &start_vaddr, &end_vaddr), STATUS_NOT_FOUND);
    assert_int_equal(cfi_function_at(cfi, 0, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, 0x400000);
    assert_int_equal(cfi_function_at(cfi, 1, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, 0x400100);
    assert_int_equal(cfi_function_at(cfi, 2, &start_vaddr, &end_vaddr), STATUS_NOT_FOUND);
    cfi_destroy(cfi);
}

static bool count_row(void *context, const struct row *row)
{
    assert_true(row->end_vaddr > row->start_vaddr);
    ++*(int *)context;
    return true;
}

TEST(cfi_rows_of_an_fde_come_in_order)
{
    struct asm_section s = asm_begin(false);
    struct cfi *cfi;
    int count = 0;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x400000, 0x40, PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6));
    cfi = create(&s);
    assert_int_equal(cfi_rows(cfi, 0, count_row, &count), STATUS_OK);
    assert_int_equal(count, 3);
    assert_int_equal(cfi_rows(cfi, 1, count_row, &count), STATUS_NOT_FOUND);
    cfi_destroy(cfi);
}

TEST(cfi_section_without_fdes_is_not_found)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section = asm_end(&s);
    struct cfi *cfi;

    assert_int_equal(cfi_create(&section, TRUST_EH_FRAME, NULL, &cfi), STATUS_NOT_FOUND);
    asm_gcc_cie(&s);
    asm_uint(&s, 0, 4);
    section = asm_end(&s);
    assert_int_equal(cfi_create(&section, TRUST_EH_FRAME, NULL, &cfi), STATUS_NOT_FOUND);
}

TEST(cfi_damaged_entry_does_not_hide_the_others)
{
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    size_t cie = asm_gcc_cie(&s);
    size_t other, bad;

    asm_fde(&s, cie, 0x400000, 0x10, PROGRAM(0x0e, 16));
    /* An FDE whose CIE is nowhere, one whose CIE is an FDE, one without range, one too short. */
    asm_fde(&s, (size_t)-5000, 0x400010, 0x10, PROGRAM(0x0e, 24));
    asm_fde(&s, cie + 4, 0x400010, 0x10, PROGRAM(0x0e, 24));
    asm_fde(&s, cie, 0x400010, 0, PROGRAM(0x0e, 24));
    bad = asm_entry_begin(&s);
    asm_id(&s, cie);
    asm_uint(&s, 1, 2);
    asm_entry_end(&s, bad);
    asm_uint(&s, 3, 4);
    asm_bytes(&s, "abc", 3);
    asm_fde(&s, cie, 0x400020, 0x10, PROGRAM(0x0e, 32));
    /* A CIE of an unknown version takes its FDEs with it, no others. */
    other = asm_cie(&s, "zR", "\x1b", 1, 9, ENTRY);
    asm_fde(&s, other, 0x400030, 0x10, PROGRAM(0x0e, 40));
    asm_uint(&s, 0, 4); /* a terminator, where two sections were put together */
    asm_fde(&s, cie, 0x400040, 0x10, PROGRAM(0x0e, 48));
    /* The program is damaged: the FDE stays, its rows up to there are used. */
    asm_fde(&s, cie, 0x400050, 0x10, PROGRAM(0x0e, 56, 0x44, 0x3c));
    cfi = create(&s);
    assert_int_equal(offset_at(cfi, 0x400008), 16);
    assert_int_equal(offset_at(cfi, 0x400018), -1);
    assert_int_equal(offset_at(cfi, 0x400028), 32);
    assert_int_equal(offset_at(cfi, 0x400038), -1);
    assert_int_equal(offset_at(cfi, 0x400048), 48);
    assert_int_equal(offset_at(cfi, 0x400052), 56);
    assert_int_equal(offset_at(cfi, 0x400058), -1);
    cfi_destroy(cfi);
}

TEST(cfi_length_beyond_the_end_ends_the_section)
{
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x400000, 0x10, PROGRAM(0x0e, 16));
    asm_uint(&s, 0x7fffffff, 4);
    asm_fde(&s, cie, 0x400010, 0x10, PROGRAM(0x0e, 24));
    cfi = create(&s);
    assert_int_equal(offset_at(cfi, 0x400008), 16);
    assert_int_equal(offset_at(cfi, 0x400018), -1);
    cfi_destroy(cfi);
}

/*
 * Of FDEs that hold an address, the one with the nearest start speaks; behind its end, the one
 * around it.
 */
TEST(cfi_overlapping_fdes_are_looked_up_inside_out)
{
    static const struct {
        uint64_t vaddr;
        int off;
    } expected[] = {
        {0x4000, 16}, {0x40ff, 16}, {0x4100, 24}, {0x411f, 24}, {0x4120, 32},
        {0x412f, 32}, {0x4130, 24}, {0x41ff, 24}, {0x4200, 16}, {0x42ff, 16},
        {0x4300, 40}, {0x4fff, 40}, {0x5000, 40}, {0x53ff, 40}, {0x5400, -1},
    };
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x4000, 0x1000, PROGRAM(0x0e, 16));
    asm_fde(&s, cie, 0x4100, 0x100, PROGRAM(0x0e, 24));
    asm_fde(&s, cie, 0x4120, 0x10, PROGRAM(0x0e, 32));
    asm_fde(&s, cie, 0x4300, 0x1100, PROGRAM(0x0e, 40)); /* reaches beyond the outermost */
    cfi = create(&s);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_int_equal(offset_at(cfi, expected[i].vaddr), expected[i].off);
    cfi_destroy(cfi);
}

TEST(cfi_of_equal_starts_the_longest_stays)
{
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    uint64_t start_vaddr, end_vaddr;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x4000, 0x10, PROGRAM(0x0e, 16));
    asm_fde(&s, cie, 0x4000, 0x20, PROGRAM(0x0e, 24));
    asm_fde(&s, cie, 0x4000, 0x20, PROGRAM(0x0e, 32)); /* the same again: the first speaks */
    asm_fde(&s, cie, 0x4000, 0x18, PROGRAM(0x0e, 40));
    cfi = create(&s);
    assert_int_equal(offset_at(cfi, 0x4000), 24);
    assert_int_equal(offset_at(cfi, 0x401f), 24);
    assert_int_equal(cfi_function_at(cfi, 1, &start_vaddr, &end_vaddr), STATUS_NOT_FOUND);
    cfi_destroy(cfi);
}

/* Ranges by chance, against a look at every FDE. */
TEST(cfi_random_ranges_agree_with_a_linear_search)
{
    enum { FDES = 150, SPACE = 600 };
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    uint64_t starts[FDES], ends[FDES];
    size_t cie = asm_gcc_cie(&s);

    srand(7);
    for (int i = 0; i < FDES; i++) {
        starts[i] = 0x4000 + (uint64_t)(rand() % SPACE);
        ends[i] = starts[i] + 1 + (uint64_t)(rand() % 60);
        asm_fde(&s, cie, starts[i], ends[i] - starts[i], NO_PROGRAM);
    }
    cfi = create(&s);
    for (uint64_t vaddr = 0x4000; vaddr < 0x4000 + SPACE + 60; vaddr++) {
        uint64_t start_vaddr, end_vaddr;
        int best = -1;
        uint64_t nearest = 0, next = UINT64_MAX;
        bool found = cfi_function(cfi, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK;
        struct row row;

        for (int i = 0; i < FDES; i++) {
            if (starts[i] <= vaddr && starts[i] > nearest)
                nearest = starts[i];
            if (starts[i] > vaddr && starts[i] < next)
                next = starts[i];
            if (vaddr >= starts[i] && vaddr < ends[i] &&
                (best < 0 || starts[i] > starts[best] ||
                 (starts[i] == starts[best] && ends[i] > ends[best])))
                best = i;
        }
        assert_int_equal(cfi_find(cfi, vaddr, &row) == STATUS_OK, best >= 0);
        if (best >= 0)
            assert_int_equal(row.start_vaddr, starts[best]);
        /* A function ends where the next begins, and what lies behind that belongs to none. */
        assert_int_equal(found, best >= 0 && starts[best] == nearest);
        if (found) {
            assert_int_equal(start_vaddr, starts[best]);
            assert_int_equal(end_vaddr, ends[best] < next ? ends[best] : next);
        }
    }
    cfi_destroy(cfi);
}

TEST(cfi_every_cut_of_a_section_is_survived)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x4000, 0x10, PROGRAM(0x41, 0x0e, 16, 0x0f, 2, 0x77, 8));
    asm_fde(&s, cie, 0x4010, 0x10, PROGRAM(0x41, 0x0e, 24));
    for (size_t size = 0; size <= s.size; size++) {
        /* A copy of its own, so that a read behind the end is one behind an allocation. */
        uint8_t *bytes = malloc(size ? size : 1);
        struct cfi *cfi;

        assert_non_null(bytes);
        memcpy(bytes, s.bytes, size);
        section = asm_end(&s);
        section.bytes = bytes;
        section.size = size;
        if (cfi_create(&section, TRUST_EH_FRAME, NULL, &cfi) == STATUS_OK) {
            int first = offset_at(cfi, 0x4000);

            assert_int_equal(first, 8);
            cfi_destroy(cfi);
        }
        free(bytes);
    }
}

/*
 * This program's own file: every FDE gives rows that cover it, and a function's address finds its
 * FDE.
 */
TEST(cfi_of_a_real_file_covers_its_functions)
{
    struct elf_image *image;
    struct diag diag;
    struct cfi *cfi;
    uint64_t start_vaddr, end_vaddr;
    size_t count = 0;

    assert_int_equal(elf_image_open("/proc/self/exe", &image, &diag), STATUS_OK);
    assert_int_equal(cfi_create_from_image(image, TRUST_DEBUG_FRAME, &cfi), STATUS_NOT_FOUND);
    if (elf_image_arch(image)->id == ARCH_ARM) { /* which has .ARM.exidx instead */
        elf_image_close(image);
        skip();
    }
    assert_int_equal(cfi_create_from_image(image, TRUST_EH_FRAME, &cfi), STATUS_OK);
    for (; cfi_function_at(cfi, count, &start_vaddr, &end_vaddr) == STATUS_OK; count++) {
        int rows = 0;

        assert_int_equal(cfi_rows(cfi, count, count_row, &rows), STATUS_OK);
        assert_true(rows > 0);
        assert_true(offset_at(cfi, start_vaddr) != -1);
        assert_true(offset_at(cfi, end_vaddr - 1) != -1);
    }
    assert_true(count > 20);
    cfi_destroy(cfi);
    elf_image_close(image);
}

TEST(cfi_surroundings_are_one_fde_or_the_room_between)
{
    static const struct {
        uint64_t vaddr, start_vaddr, end_vaddr; /* 0, 0: FDEs overlap there */
        bool is_fde;
    } expected[] = {
        {0x3fff, 0, 0x4000, false},      {0x4000, 0x4000, 0x4100, true},
        {0x40ff, 0x4000, 0x4100, true},  {0x4100, 0x4100, 0x4180, false}, /* right behind an FDE */
        {0x4180, 0x4180, 0x4200, true},  {0x4200, 0x4200, 0x5000, false},
        {0x5000, 0, 0, false}, /* another one is inside */
        {0x500c, 0, 0, false},           {0x5010, 0, 0, false},
        {0x6000, 0x6000, 0x7000, false}, {0x7000, 0, 0, false}, /* partly covered by the next one */
        {0x7080, 0, 0, false},           {0x7180, 0x7180, UINT64_MAX, false},
    };
    struct asm_section s = asm_begin(true);
    struct cfi *cfi;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x4000, 0x100, ENTRY);
    asm_fde(&s, cie, 0x4180, 0x80, ENTRY);
    asm_fde(&s, cie, 0x5000, 0x1000, ENTRY);
    asm_fde(&s, cie, 0x5000 + 8, 8, ENTRY);
    asm_fde(&s, cie, 0x7000, 0x100, ENTRY);
    asm_fde(&s, cie, 0x7080, 0x100, ENTRY);
    cfi = create(&s);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        struct cfi_surroundings around;
        bool apart = cfi_surroundings(cfi, expected[i].vaddr, &around);

        assert_int_equal(apart, expected[i].end_vaddr != 0);
        if (!apart)
            continue;
        assert_int_equal(around.range.start_vaddr, expected[i].start_vaddr);
        assert_int_equal(around.range.end_vaddr, expected[i].end_vaddr);
        assert_int_equal(around.is_fde, expected[i].is_fde);
    }
    cfi_destroy(cfi);
}

#define HDR_VADDR UINT64_C(0x800)

struct table_entry {
    uint64_t start_vaddr;
    size_t fde_off;
};

/* A file whose code is 0x100 bytes at FIXTURE_FIRST, with a table that claims `count` entries. */
static struct elf_image *file_with_table(const struct asm_section *s, uint32_t count,
                                         const struct table_entry *entries, size_t entry_count)
{
    static const uint8_t code[0x100];
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t hdr[128] = {1, 0x1b, 0x03, 0x3b};
    unsigned index;

    memcpy(hdr + 8, &count, 4);
    for (size_t i = 0; i < entry_count; i++) {
        uint32_t start = (uint32_t)(entries[i].start_vaddr - HDR_VADDR);
        uint32_t fde = (uint32_t)(SECTION_VADDR + entries[i].fde_off - HDR_VADDR);

        memcpy(hdr + 12 + 8 * i, &start, 4);
        memcpy(hdr + 16 + 8 * i, &fde, 4);
    }
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    index = fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s->bytes, s->size);
    elf->sections[index].sh_addr = SECTION_VADDR;
    index =
        fixture_section(elf, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, hdr, 12 + 8 * entry_count);
    elf->sections[index].sh_addr = HDR_VADDR;
    fixture_finish(elf);
    return fixture_open(elf);
}

/* Of three FDEs the last one can be found by the table alone: the section is damaged before it. */
TEST(cfi_table_of_the_linker_is_asked_first)
{
    struct asm_section s = asm_begin(true);
    size_t cie = asm_gcc_cie(&s);
    struct table_entry table[3] = {{FIXTURE_FIRST, 0}, {FIXTURE_FIRST + 16, 0}, {0, 0}};
    uint64_t start_vaddr, end_vaddr;
    struct elf_image *image;
    struct cfi *cfi;

    table[0].fde_off = asm_fde(&s, cie, FIXTURE_FIRST, 16, PROGRAM(0x0e, 16));
    table[1].fde_off = asm_fde(&s, cie, FIXTURE_FIRST + 16, 16, PROGRAM(0x0e, 24));
    asm_uint(&s, 0x7fffffff, 4);
    table[2].start_vaddr = FIXTURE_FIRST + 32;
    table[2].fde_off = asm_fde(&s, cie, FIXTURE_FIRST + 32, 16, PROGRAM(0x0e, 32));
    image = file_with_table(&s, 3, table, 3);
    assert_int_equal(cfi_create_from_image(image, TRUST_EH_FRAME, &cfi), STATUS_OK);
    for (int i = 0; i < 2; i++) { /* the second time with the index */
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST - 1), -1);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST), 16);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 31), 24);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 32), 32);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 48), -1);
        assert_int_equal(cfi_function(cfi, FIXTURE_FIRST + 20, &start_vaddr, &end_vaddr),
                         STATUS_OK);
        assert_int_equal(start_vaddr, FIXTURE_FIRST + 16);
        assert_int_equal(end_vaddr, FIXTURE_FIRST + 32);
        assert_int_equal(cfi_function_at(cfi, 1, &start_vaddr, &end_vaddr), STATUS_OK);
        assert_int_equal(cfi_function_at(cfi, 2, &start_vaddr, &end_vaddr), STATUS_NOT_FOUND);
    }
    cfi_destroy(cfi);
    elf_image_close(image);
}

TEST(cfi_table_that_lies_is_not_believed)
{
    struct asm_section s = asm_begin(true);
    size_t cie = asm_gcc_cie(&s);
    size_t first = asm_fde(&s, cie, FIXTURE_FIRST, 16, PROGRAM(0x0e, 16));
    size_t second = asm_fde(&s, cie, FIXTURE_FIRST + 16, 16, PROGRAM(0x0e, 24));
    const struct {
        uint32_t count;
        struct table_entry entries[3];
    } tables[] = {
        {2, {{FIXTURE_FIRST, second}, {FIXTURE_FIRST + 16, first}}},
        {2, {{FIXTURE_FIRST + 8, first}, {FIXTURE_FIRST + 24, second}}},
        {2, {{FIXTURE_FIRST + 16, second}, {FIXTURE_FIRST, first}}},
        {2, {{FIXTURE_FIRST, cie}, {FIXTURE_FIRST + 16, s.size}}},
        {2, {{FIXTURE_FIRST, 0x7000}, {FIXTURE_FIRST + 16, (size_t)-8}}},
        {2, {{FIXTURE_FIRST, first}, {FIXTURE_FIRST + 64, second}}},
        {1, {{FIXTURE_FIRST, first}}},
        {0, {{FIXTURE_FIRST, second}}},
        {1000000, {{FIXTURE_FIRST, second}}},
    };

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        struct elf_image *image = file_with_table(&s, tables[i].count, tables[i].entries, 2);
        struct cfi *cfi;

        assert_int_equal(cfi_create_from_image(image, TRUST_EH_FRAME, &cfi), STATUS_OK);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 15), 16);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 16), 24);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 31), 24);
        assert_int_equal(offset_at(cfi, FIXTURE_FIRST + 32), -1);
        cfi_destroy(cfi);
        elf_image_close(image);
    }
}

/*
 * What is damaged in a .debug_frame of these bytes, in a file whose code is 0x100 bytes at
 * FIXTURE_FIRST.
 */
static struct cfi_damage damage_of(const struct asm_section *s)
{
    static const uint8_t code[0x100];
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct cfi_damage damage;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, s->bytes, s->size);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(cfi_damage_find(image, TRUST_DEBUG_FRAME, &damage), STATUS_OK);
    assert_int_equal(cfi_damage_find(image, TRUST_EH_FRAME, &(struct cfi_damage){0}),
                     STATUS_NOT_FOUND);
    elf_image_close(image);
    return damage;
}

TEST(cfi_damage_of_a_sound_section_is_none)
{
    struct asm_section s = asm_begin(false);
    size_t cie = asm_gcc_cie(&s);
    struct cfi_damage damage;

    asm_fde(&s, cie, FIXTURE_FIRST, 0x40, PROGRAM(0x0e, 16));
    asm_fde(&s, cie, 0, 0x40, NO_PROGRAM); /* what linkers make of functions they discard: GNU */
    asm_fde(&s, cie, UINT64_MAX, 0x40, NO_PROGRAM); /* and LLVM */
    damage = damage_of(&s);
    assert_int_equal(damage.fdes, 1);
    assert_int_equal(damage.damaged, 0);
}

TEST(cfi_damage_tells_the_first_of_the_fdes_left_out)
{
    struct asm_section s = asm_begin(false);
    size_t cie = asm_gcc_cie(&s), bad;
    struct cfi_damage damage;

    asm_fde(&s, cie, FIXTURE_FIRST, 0x40, PROGRAM(0x0e, 16));
    bad = asm_fde(&s, cie, FIXTURE_FIRST + 0x40, 0x40,
                  PROGRAM(0x0e, 16, 0x3f));                       /* no such instruction */
    asm_fde(&s, cie + 1, FIXTURE_FIRST + 0x80, 0x40, NO_PROGRAM); /* no CIE there */
    asm_fde(&s, cie, 0x10000, 0x40, NO_PROGRAM);                  /* not of code */
    asm_fde(&s, cie, FIXTURE_FIRST + 0xc0, 0x40, PROGRAM(0x0e, 16));
    damage = damage_of(&s);
    assert_int_equal(damage.fdes, 5);
    assert_int_equal(damage.damaged, 3);
    assert_int_equal(damage.first_off, bad);
}

TEST(cfi_damage_of_a_length_beyond_the_end_is_reported)
{
    struct asm_section s = asm_begin(false);
    size_t cie = asm_gcc_cie(&s), end;
    struct cfi_damage damage;

    asm_fde(&s, cie, FIXTURE_FIRST, 0x40, PROGRAM(0x0e, 16));
    end = s.size;
    asm_uint(&s, 0x1000, 4);
    damage = damage_of(&s);
    assert_int_equal(damage.fdes, 2);
    assert_int_equal(damage.damaged, 1);
    assert_int_equal(damage.first_off, end);
}
