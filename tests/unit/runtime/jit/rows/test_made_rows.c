/* SPDX-License-Identifier: MIT */
/* Rows by the tables of symbol files (elf_fixture.h, cfi_fixture.h). */
#include "runtime/jit/rows/made_rows.h"

#include <time.h>

#include "cfi_fixture.h"
#include "elf_fixture.h"

#define CODE 0x7000u /* the functions' */

struct fixture {
    struct made_rows *rows;
};

static void fixture_init(struct fixture *f)
{
    assert_int_equal(made_rows_create(&f->rows), STATUS_OK);
}

static void fixture_deinit(struct fixture *f)
{
    made_rows_destroy(f->rows);
}

/* One function of 0x20 bytes, whose frame has `cfa_off` bytes all through. */
static struct asm_section tables(bool eh_frame, uint64_t start_addr, uint8_t cfa_off)
{
    struct asm_section s = asm_begin(eh_frame);
    const size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, start_addr, 0x20, PROGRAM(0x0e, cfa_off));
    return s;
}

static void add(struct made_rows *rows, struct elf_fixture *elf)
{
    struct elf_image *image = fixture_open(elf);
    bool changed = false;

    assert_int_equal(made_rows_add(rows, image, &changed), STATUS_OK);
    elf_image_close(image);
}

/* A file with .debug_frame, whose addresses are absolute. */
static void add_debug_frame(struct made_rows *rows, uint64_t start_addr, uint8_t cfa_off)
{
    const struct asm_section s = tables(false, start_addr, cfa_off);
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, s.bytes, s.size);
    fixture_finish(elf);
    add(rows, elf);
}

static int64_t cfa_off_at(struct made_rows *rows, enum trust source, uint64_t addr)
{
    const struct row *row;

    if (made_rows_find(rows, source, addr, &row) != STATUS_OK)
        return -1;
    assert_int_equal(row->source, source);
    return row->cfa.off;
}

TEST_OF(made_rows_come_of_debug_frame, fixture, f)
{
    add_debug_frame(f->rows, CODE, 48);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + 0x1f), 48);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE + 0x1f), -1);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + 0x20), -1);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE - 1), -1);
}

TEST_OF(made_rows_of_the_last_file_hold, fixture, f)
{
    add_debug_frame(f->rows, CODE, 48);
    add_debug_frame(f->rows, CODE + 0x10, 64);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + 0x0f), 48);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + 0x10), 64);
}

/* Tables of two functions far apart each, between which those of all others are. */
TEST_OF(made_rows_are_found_in_many_tables_soon, fixture, f)
{
    const clock_t start = clock();
    unsigned found = 0;

    for (unsigned i = 0; i < 4000; i++) {
        struct asm_section s = asm_begin(false);
        const size_t cie = asm_gcc_cie(&s);
        struct elf_fixture *elf = fixture_create(EM_X86_64);

        asm_fde(&s, cie, CODE + i * 0x20, 0x20, PROGRAM(0x0e, 16));
        asm_fde(&s, cie, CODE + (UINT64_C(1) << 40) + i * 0x20, 0x20, PROGRAM(0x0e, 32));
        fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, s.bytes, s.size);
        fixture_finish(elf);
        add(f->rows, elf);
    }
    for (unsigned i = 0; i < 200000; i++)
        found += cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + i % 4000 * 0x20) == 16;
    assert_int_equal(found, 200000);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + (UINT64_C(1) << 39)), -1);
    assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 5);
}

TEST_OF(made_rows_of_others_hold_where_there_are_none, fixture, f)
{
    struct made_rows *first;

    assert_int_equal(made_rows_create(&first), STATUS_OK);
    made_rows_set_otherwise(first, f->rows);
    add_debug_frame(f->rows, CODE, 48);
    add_debug_frame(first, CODE + 0x10, 64);
    assert_int_equal(cfa_off_at(first, TRUST_DEBUG_FRAME, CODE), 48);
    assert_int_equal(cfa_off_at(first, TRUST_DEBUG_FRAME, CODE + 0x18), 64);
    assert_int_equal(cfa_off_at(f->rows, TRUST_DEBUG_FRAME, CODE + 0x18), 48);
    made_rows_destroy(first);
}

/*
 * As compilers leave it: .eh_frame knows no address yet, a relocation says that it is the distance
 * to the section of code, which is at CODE.
 */
enum relocated {
    ONCE,
    TWICE,   /* a second section of relocations says another distance */
    OTHERS,  /* another section has the same bytes, and relocations before and behind */
    TOO_MANY /* relocations that do nothing come before the one */
};

static void add_relocatable_as(struct made_rows *rows, uint32_t type, uint64_t off,
                               enum relocated how)
{
    static const uint8_t code[0x20] = {0};
    const struct asm_section s = tables(true, SECTION_VADDR, 32);
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    Elf64_Rela relocation = {.r_info = ELF64_R_INFO(1, type)};
    Elf64_Rela wrong = {.r_info = ELF64_R_INFO(1, type), .r_addend = 0x100};
    Elf64_Rela relocations[201] = {{.r_info = 0}};
    unsigned frames, index, last, other = 0;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    frames = fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, s.bytes, s.size);
    symbols_init(&symbols);
    symbols_add(&symbols, "", STB_LOCAL, STT_SECTION, 0, 0);
    fixture_symbols(elf, &symbols, false);
    /* Behind the CIE, the FDE's length and its distance to that. */
    relocation.r_offset = off ? off : 4 + (uint64_t)s.bytes[0] + 8;
    last = how == TOO_MANY ? 200 : 0;
    relocations[last] = relocation;
    wrong.r_offset = relocation.r_offset;
    if (how == OTHERS) {
        other = fixture_section(elf, ".other", SHT_PROGBITS, 0, code, 16);
        elf->sections[other].sh_offset = elf->sections[frames].sh_offset;
        index = fixture_section(elf, ".rela.other", SHT_RELA, 0, &wrong, sizeof(wrong));
        elf->sections[index].sh_info = other;
    }
    index = fixture_section(elf, ".rela.eh_frame", SHT_RELA, 0, relocations,
                            (last + 1) * sizeof(*relocations));
    elf->sections[index].sh_info = frames;
    if (how == TWICE || how == OTHERS) {
        index = fixture_section(elf, ".rela.more", SHT_RELA, 0, &wrong, sizeof(wrong));
        elf->sections[index].sh_info = how == TWICE ? frames : other;
    }
    elf->sections[1].sh_addr = CODE;
    fixture_finish(elf);
    ((Elf64_Ehdr *)elf->bytes)->e_type = ET_REL;
    add(rows, elf);
}

static void add_relocatable(struct made_rows *rows, uint32_t type, uint64_t off)
{
    add_relocatable_as(rows, type, off, ONCE);
}

TEST_OF(made_rows_are_relocated_by_one_section_alone, fixture, f)
{
    add_relocatable_as(f->rows, R_X86_64_PC32, 0, TWICE);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE), 32);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE + 0x100), -1);
}

/* Whose bytes are the same. */
TEST_OF(made_rows_are_not_relocated_by_those_of_another_section, fixture, f)
{
    add_relocatable_as(f->rows, R_X86_64_PC32, 0, OTHERS);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE), 32);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE + 0x100), -1);
}

/* More than the section has words. */
TEST_OF(made_rows_are_not_relocated_without_end, fixture, f)
{
    add_relocatable_as(f->rows, R_X86_64_PC32, 0, TOO_MANY);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE), -1);
}

TEST_OF(made_rows_of_a_relocatable_file_are_relocated, fixture, f)
{
    add_relocatable(f->rows, R_X86_64_PC32, 0);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE), 32);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE + 0x1f), 32);
}

TEST_OF(made_rows_are_not_relocated_by_what_is_not_known, fixture, f)
{
    add_relocatable(f->rows, R_X86_64_TPOFF32, 0);
    add_relocatable(f->rows, R_X86_64_PC32, UINT64_MAX - 2);
    assert_int_equal(cfa_off_at(f->rows, TRUST_EH_FRAME, CODE), -1);
}
