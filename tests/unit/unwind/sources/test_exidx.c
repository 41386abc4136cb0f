/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <elf.h>

#include "unit_test.h"
#include "unwind/sources/exidx.h"

/*
 * A 32-bit ARM file made by hand:
 *
 *     0x10000  code, of which .text and .fini are parts
 *     0x20000  .ARM.exidx
 *     0x20400  .ARM.extab
 */
#define CODE_VADDR  0x10000u
#define TEXT_VADDR  0x10200u
#define FINI_VADDR  0x10a00u
#define FINI_END    0x10a10u
#define CODE_SIZE   0x1000u
#define INDEX_VADDR 0x20000u
#define INDEX_OFF   0x1000u
#define EXTAB_VADDR 0x20400u
#define EXTAB_OFF   0x1400u
#define FILE_SIZE   0x1800u
#define NAMES       "\0.text\0.fini\0.ARM.exidx\0.names"

#define CANTUNWIND 1
#define LEAF       0x80b0b0b0u /* sp+0 */
#define FRAME_8    0x80a8b0b0u /* sp+8 */
#define FRAME_16   0x8001a8b0u /* sp+16 */

struct fixture {
    uint8_t bytes[FILE_SIZE + 0x200];
    size_t size;
    size_t index_size, extab_size;
    uint16_t type;
    struct elf_image *image; /* by create() */
    struct exidx *exidx;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.size = FILE_SIZE, .type = ET_DYN};
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t prel31(uint32_t target_vaddr, uint32_t place_vaddr)
{
    return (target_vaddr - place_vaddr) & 0x7fffffff;
}

static void add_words(struct fixture *f, uint32_t first, uint32_t second)
{
    put_word(f->bytes + INDEX_OFF + f->index_size, first);
    put_word(f->bytes + INDEX_OFF + f->index_size + 4, second);
    f->index_size += 8;
}

static void add(struct fixture *f, uint32_t vaddr, uint32_t word)
{
    add_words(f, prel31(vaddr, INDEX_VADDR + (uint32_t)f->index_size), word);
}

/* An entry whose instructions are in .ARM.extab, at `entry_vaddr`. */
static void add_far(struct fixture *f, uint32_t vaddr, uint32_t entry_vaddr)
{
    add(f, vaddr, prel31(entry_vaddr, INDEX_VADDR + (uint32_t)f->index_size + 4));
}

/* Appends a word of .ARM.extab and returns its address. */
static uint32_t extab_word(struct fixture *f, uint32_t word)
{
    put_word(f->bytes + EXTAB_OFF + f->extab_size, word);
    f->extab_size += 4;
    return EXTAB_VADDR + (uint32_t)f->extab_size - 4;
}

static void put_headers(struct fixture *f, bool sections)
{
    Elf32_Ehdr ehdr = {.e_ident = ELFMAG "\1\1\1",
                       .e_type = f->type,
                       .e_machine = EM_ARM,
                       .e_version = EV_CURRENT,
                       .e_phoff = sizeof(ehdr),
                       .e_ehsize = sizeof(ehdr),
                       .e_phentsize = sizeof(Elf32_Phdr),
                       .e_phnum = 3,
                       .e_shentsize = sizeof(Elf32_Shdr)};
    Elf32_Phdr segments[] = {
        {PT_LOAD, 0, CODE_VADDR, 0, CODE_SIZE, CODE_SIZE, PF_R | PF_X, 4},
        {PT_LOAD, INDEX_OFF, INDEX_VADDR, 0, 0x800, 0x800, PF_R, 4},
        {PT_ARM_EXIDX, INDEX_OFF, INDEX_VADDR, 0, (Elf32_Word)f->index_size,
         (Elf32_Word)f->index_size, PF_R, 4},
    };
    Elf32_Shdr headers[] = {
        {0},
        {1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT_VADDR, 0x200, 0x800, 0, 0, 4, 0},
        {7, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, FINI_VADDR, 0xa00, 0x10, 0, 0, 4, 0},
        {13, SHT_ARM_EXIDX, SHF_ALLOC, INDEX_VADDR, INDEX_OFF, (Elf32_Word)f->index_size, 0, 0, 4,
         0},
        {24, SHT_STRTAB, 0, 0, FILE_SIZE, sizeof(NAMES), 0, 0, 1, 0},
    };

    if (sections) {
        ehdr.e_shoff = FILE_SIZE + 0x40;
        ehdr.e_shnum = 5;
        ehdr.e_shstrndx = 4;
        memcpy(f->bytes + FILE_SIZE, NAMES, sizeof(NAMES));
        memcpy(f->bytes + ehdr.e_shoff, headers, sizeof(headers));
        f->size = ehdr.e_shoff + sizeof(headers);
    }
    memcpy(f->bytes, &ehdr, sizeof(ehdr));
    memcpy(f->bytes + sizeof(ehdr), segments, sizeof(segments));
}

static struct elf_image *open_image(struct fixture *f, bool sections)
{
    struct elf_image *image;

    put_headers(f, sections);
    assert_int_equal(elf_image_open_bytes(f->bytes, f->size, "fixture", &image, NULL), STATUS_OK);
    return image;
}

static void create_of(struct fixture *f, bool sections)
{
    f->image = open_image(f, sections);
    assert_int_equal(exidx_create_from_image(f->image, &f->exidx, NULL), STATUS_OK);
}

static void create(struct fixture *f)
{
    create_of(f, true);
}

static void fixture_deinit(struct fixture *f)
{
    exidx_destroy(f->exidx);
    elf_image_close(f->image);
}

static void expect_refused(struct fixture *f, bool sections, enum status status, const char *what,
                           uint64_t off)
{
    struct elf_image *image = open_image(f, sections);
    struct exidx *exidx;
    struct diag diag = {.off = 0};

    assert_int_equal(exidx_create_from_image(image, &exidx, &diag), status);
    assert_non_null(strstr(diag.what, what));
    assert_string_equal(diag.file, "fixture");
    assert_int_equal(diag.off, off);
    assert_int_equal(exidx_create_from_image(image, &exidx, NULL), status);
    elf_image_close(image);
}

/* The CFA's offset at `vaddr`: each entry of a test has its own. -1: no row. */
static int offset_at(const struct exidx *exidx, uint64_t vaddr)
{
    struct row row;

    if (exidx_find(exidx, vaddr, &row, NULL) != STATUS_OK)
        return -1;
    assert_true(vaddr >= row.start_vaddr && vaddr < row.end_vaddr);
    assert_true(row.call_site_only);
    assert_int_equal(row.source, TRUST_EXIDX);
    return row.cfa.off;
}

static void expect_function(const struct exidx *exidx, size_t index, uint64_t start, uint64_t end)
{
    uint64_t start_vaddr, end_vaddr;

    assert_int_equal(exidx_function_at(exidx, index, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, start);
    assert_int_equal(end_vaddr, end);
    assert_int_equal(exidx_function(exidx, start, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, start);
    assert_int_equal(end_vaddr, end);
    assert_int_equal(exidx_function(exidx, end - 1, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(start_vaddr, start);
}

static void expect_count(const struct exidx *exidx, size_t count)
{
    uint64_t start_vaddr, end_vaddr;

    if (count > 0)
        assert_int_equal(exidx_function_at(exidx, count - 1, &start_vaddr, &end_vaddr), STATUS_OK);
    assert_int_equal(exidx_function_at(exidx, count, &start_vaddr, &end_vaddr), STATUS_NOT_FOUND);
}

TEST_OF(exidx_entries_hold_up_to_the_next, fixture, f)
{
    add(f, TEXT_VADDR, LEAF);
    add(f, TEXT_VADDR + 0x20, FRAME_8);
    add(f, TEXT_VADDR + 0x60, FRAME_16);
    create(f);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR - 1), -1);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR), 0);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x1f), 0);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x20), 8);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x60), 16);
    expect_function(f->exidx, 0, TEXT_VADDR, TEXT_VADDR + 0x20);
    expect_function(f->exidx, 1, TEXT_VADDR + 0x20, TEXT_VADDR + 0x60);
    expect_count(f->exidx, 3);
}

TEST_OF(exidx_last_entry_of_a_section_holds_up_to_its_end, fixture, f)
{
    add(f, TEXT_VADDR + 0x100, FRAME_8);
    add(f, FINI_VADDR, FRAME_16);
    create(f);
    expect_function(f->exidx, 0, TEXT_VADDR + 0x100, TEXT_VADDR + 0x800);
    expect_function(f->exidx, 1, FINI_VADDR, FINI_END);
    assert_int_equal(offset_at(f->exidx, FINI_END - 1), 16);
    assert_int_equal(offset_at(f->exidx, FINI_END), -1);
    assert_int_equal(offset_at(f->exidx, UINT64_MAX), -1);
}

TEST_OF(exidx_is_found_without_section_headers, fixture, f)
{
    uint32_t entry_vaddr = extab_word(f, 0x81010101);

    extab_word(f, 0xa8b0b0b0);
    add_far(f, TEXT_VADDR, entry_vaddr);
    add(f, TEXT_VADDR + 0x20, FRAME_8);
    create_of(f, false);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR), 24);
    expect_function(f->exidx, 1, TEXT_VADDR + 0x20, CODE_VADDR + CODE_SIZE);
}

TEST_OF(exidx_cantunwind_is_no_information, fixture, f)
{
    struct row row;

    add(f, TEXT_VADDR, FRAME_8);
    add(f, TEXT_VADDR + 0x20, CANTUNWIND);
    add(f, TEXT_VADDR + 0x40, 0x808000b0); /* instructions that refuse */
    create(f);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR + 0x20, &row, NULL), STATUS_NOT_FOUND);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR + 0x40, &row, NULL), STATUS_NOT_FOUND);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR - 1, &row, NULL), STATUS_NOT_FOUND);
    /* It is a function all the same. */
    expect_function(f->exidx, 1, TEXT_VADDR + 0x20, TEXT_VADDR + 0x40);
}

static bool take_row(void *context, const struct row *row)
{
    uint64_t *sum = context;

    *sum += row->start_vaddr;
    return true;
}

TEST_OF(exidx_rows_are_one_or_none, fixture, f)
{
    struct diag diag;
    uint64_t sum = 0;

    add(f, TEXT_VADDR, FRAME_8);
    add(f, TEXT_VADDR + 0x20, CANTUNWIND);
    add(f, TEXT_VADDR + 0x40, 0x8000b6b0);
    create(f);
    assert_int_equal(exidx_rows(f->exidx, 0, take_row, &sum, NULL), STATUS_OK);
    assert_int_equal(sum, TEXT_VADDR);
    assert_int_equal(exidx_rows(f->exidx, 1, take_row, &sum, NULL), STATUS_OK);
    assert_int_equal(exidx_rows(f->exidx, 2, take_row, &sum, &diag), STATUS_BAD_DATA);
    assert_int_equal(exidx_rows(f->exidx, 3, take_row, &sum, NULL), STATUS_NOT_FOUND);
    assert_int_equal(sum, TEXT_VADDR);
    /* The third entry's second word, of which 0xb6 is the second lowest byte. */
    assert_int_equal(diag.off, INDEX_OFF + 2 * 8 + 4 + 1);
    assert_non_null(strstr(diag.what, "0xb6: spare"));
}

TEST_OF(exidx_generic_entry_has_its_instructions_behind_the_routine, fixture, f)
{
    uint32_t entry_vaddr = extab_word(f, prel31(TEXT_VADDR + 0x400, EXTAB_VADDR));

    extab_word(f, 0x0102a8b0);
    extab_word(f, 0xb0b0b0b0);
    add_far(f, TEXT_VADDR, entry_vaddr);
    create(f);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR), 20);
}

/*
 * Linkers leave out what says the same as the entry before it, but nothing with a table of its own.
 */
TEST_OF(exidx_entry_with_a_table_is_one_function, fixture, f)
{
    uint32_t entry_vaddr = extab_word(f, prel31(TEXT_VADDR + 0x400, EXTAB_VADDR));

    extab_word(f, 0x0002a8b0);
    add_far(f, TEXT_VADDR, entry_vaddr);
    add(f, TEXT_VADDR + 0x20, FRAME_8);
    add(f, TEXT_VADDR + 0x40, CANTUNWIND);
    create(f);
    assert_true(exidx_is_one_function(f->exidx, 0));
    assert_false(exidx_is_one_function(f->exidx, 1));
    assert_false(exidx_is_one_function(f->exidx, 2));
    assert_false(exidx_is_one_function(f->exidx, 3));
}

TEST_OF(exidx_routine_that_is_not_code_is_bad, fixture, f)
{
    struct row row;
    struct diag diag;
    uint32_t entry_vaddr = extab_word(f, prel31(INDEX_VADDR, EXTAB_VADDR));

    extab_word(f, 0x0002a8b0);
    add_far(f, TEXT_VADDR, entry_vaddr);
    create(f);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR, &row, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, INDEX_OFF + 4);
}

TEST_OF(exidx_damage_in_the_table_costs_one_entry, fixture, f)
{
    uint32_t last_vaddr = EXTAB_VADDR + 0x3fc; /* the segment's last word */
    struct row row;
    struct diag diag;

    put_word(f->bytes + EXTAB_OFF + 0x3fc, 0x81010101);
    add_far(f, TEXT_VADDR, 0x900000); /* nowhere */
    add_far(f, TEXT_VADDR + 0x10, last_vaddr);
    add(f, TEXT_VADDR + 0x20, 0x8101a8b0); /* routine 1 has no room in the index */
    add(f, TEXT_VADDR + 0x30, 0x90a8b0b0);
    add(f, TEXT_VADDR + 0x40, FRAME_16);
    create(f);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR, &row, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, INDEX_OFF + 4);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR + 0x10, &row, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, EXTAB_OFF + 0x3fc);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR + 0x20, &row, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, INDEX_OFF + 2 * 8 + 4);
    assert_int_equal(exidx_find(f->exidx, TEXT_VADDR + 0x30, &row, NULL), STATUS_BAD_DATA);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x40), 16);
}

TEST_OF(exidx_thumb_bit_is_not_part_of_the_address, fixture, f)
{
    add(f, TEXT_VADDR + 1, FRAME_8);
    add(f, TEXT_VADDR + 0x21, FRAME_16);
    create(f);
    expect_function(f->exidx, 0, TEXT_VADDR, TEXT_VADDR + 0x20);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x20), 16);
}

/*
 * Linkers end the last function with an entry at the section's end, and empty functions have a
 * start, too.
 */
TEST_OF(exidx_entries_without_code_end_the_one_before, fixture, f)
{
    add(f, TEXT_VADDR, LEAF);
    add(f, TEXT_VADDR + 0x20, CANTUNWIND);
    add(f, TEXT_VADDR + 0x20, FRAME_8);
    add(f, TEXT_VADDR + 0x30, FRAME_16);
    add(f, TEXT_VADDR + 0x800, CANTUNWIND);
    add(f, FINI_VADDR, FRAME_8);
    add(f, FINI_END + 0x10, CANTUNWIND);
    create(f);
    assert_int_equal(offset_at(f->exidx, TEXT_VADDR + 0x20), 8);
    expect_function(f->exidx, 0, TEXT_VADDR, TEXT_VADDR + 0x20);
    expect_function(f->exidx, 1, TEXT_VADDR + 0x20, TEXT_VADDR + 0x30);
    expect_function(f->exidx, 2, TEXT_VADDR + 0x30, TEXT_VADDR + 0x800);
    expect_function(f->exidx, 3, FINI_VADDR, FINI_END);
    expect_count(f->exidx, 4);
}

TEST_OF(exidx_out_of_order_is_bad, fixture, f)
{
    add(f, TEXT_VADDR, LEAF);
    add(f, TEXT_VADDR + 0x40, FRAME_8);
    add(f, TEXT_VADDR + 0x20, FRAME_16);
    expect_refused(f, true, STATUS_BAD_DATA, "out of order", INDEX_OFF + 2 * 8);
}

TEST_OF(exidx_function_address_with_bit_31_is_bad, fixture, f)
{
    add(f, TEXT_VADDR, LEAF);
    add_words(f, 0x80000000u | prel31(TEXT_VADDR + 0x20, INDEX_VADDR + 8), LEAF);
    expect_refused(f, true, STATUS_BAD_DATA, "damaged function", INDEX_OFF + 8);
}

TEST_OF(exidx_cut_index_is_bad, fixture, f)
{
    struct fixture cut;

    add(f, TEXT_VADDR, LEAF);
    f->index_size += 4;
    expect_refused(f, true, STATUS_BAD_DATA, "cut short", INDEX_OFF + 12);
    /* The file ends inside the segment that holds the index. */
    fixture_init(&cut);
    add(&cut, TEXT_VADDR, LEAF);
    add(&cut, TEXT_VADDR + 0x20, FRAME_8);
    cut.size = INDEX_OFF + 8;
    expect_refused(&cut, false, STATUS_BAD_DATA, "cut short", INDEX_OFF + 8);
}

TEST_OF(exidx_of_a_file_not_linked_is_unsupported, fixture, f)
{
    f->type = ET_REL;
    add(f, TEXT_VADDR, LEAF);
    expect_refused(f, true, STATUS_UNSUPPORTED, "not linked", INDEX_OFF);
}

TEST_OF(exidx_without_functions_is_not_found, fixture, f)
{
    struct fixture outside;
    struct elf_image *image = open_image(f, true);
    struct exidx *exidx;

    assert_int_equal(exidx_create_from_image(image, &exidx, NULL), STATUS_NOT_FOUND);
    elf_image_close(image);
    fixture_init(&outside);
    add(&outside, EXTAB_VADDR, LEAF);
    image = open_image(&outside, true);
    assert_int_equal(exidx_create_from_image(image, &exidx, NULL), STATUS_NOT_FOUND);
    elf_image_close(image);
}

TEST(exidx_of_another_architecture_is_not_found)
{
    struct elf_image *image;
    struct exidx *exidx;

    assert_int_equal(elf_image_open("/proc/self/exe", &image, NULL), STATUS_OK);
    if (elf_image_arch(image)->id != ARCH_ARM)
        assert_int_equal(exidx_create_from_image(image, &exidx, NULL), STATUS_NOT_FOUND);
    elf_image_close(image);
}

/* Every look-up against a walk over all entries. */
TEST_OF(exidx_look_up_agrees_with_a_linear_search, fixture, f)
{
    enum { ENTRIES = 100 };
    uint32_t starts[ENTRIES + 1];

    srand(11);
    starts[0] = TEXT_VADDR + 8;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        add(f, starts[i], 0x8000b0b0u | (i % 64) << 16);
        starts[i + 1] = starts[i] + 2 * ((uint32_t)rand() % 8);
    }
    create(f);
    for (uint32_t vaddr = TEXT_VADDR; vaddr < TEXT_VADDR + 0x800; vaddr++) {
        int expected = -1;

        for (int i = 0; i < ENTRIES; i++)
            if (starts[i] <= vaddr)
                expected = 4 * (i % 64) + 4;
        assert_int_equal(offset_at(f->exidx, vaddr), expected);
    }
}

/* A file of any length is refused, or has the rows of the whole one. */
TEST_OF(exidx_every_cut_of_a_file_is_survived, fixture, f)
{
    size_t whole = FILE_SIZE;

    add(f, TEXT_VADDR, LEAF);
    add(f, TEXT_VADDR + 0x20, FRAME_8);
    add_far(f, TEXT_VADDR + 0x40, extab_word(f, 0x8001a8b0));
    for (size_t size = sizeof(Elf32_Ehdr); size <= whole; size++) {
        struct elf_image *image;
        struct exidx *exidx;

        put_headers(f, false);
        if (elf_image_open_bytes(f->bytes, size, "fixture", &image, NULL) != STATUS_OK)
            continue;
        if (exidx_create_from_image(image, &exidx, NULL) == STATUS_OK) {
            assert_int_equal(size, whole);
            assert_int_equal(offset_at(exidx, TEXT_VADDR + 0x40), 16);
            exidx_destroy(exidx);
        }
        elf_image_close(image);
    }
}

static uint64_t lsda_of(const struct exidx *exidx, uint64_t vaddr)
{
    struct lsda_place place;

    assert_int_equal(exidx_lsda(exidx, vaddr, &place), STATUS_OK);
    assert_int_equal(place.start_vaddr, vaddr);
    return place.lsda_vaddr;
}

TEST_OF(exidx_lsda_is_behind_the_instructions_of_the_generic_model, fixture, f)
{
    struct lsda_place place;
    uint32_t generic = extab_word(f, prel31(TEXT_VADDR, EXTAB_VADDR)), compact, descriptors;

    extab_word(f, 0x01b0b0b0); /* one word more */
    extab_word(f, 0xb0b0b0b0);
    extab_word(f, 0x0001ffff); /* the LSDA */
    compact = extab_word(f, 0x8101b0b0);
    extab_word(f, 0xb0b0b0b0);
    extab_word(f, 0);
    descriptors = extab_word(f, 0x8100b0b0);
    extab_word(f, 0x00040000); /* a cleanup */
    add_far(f, TEXT_VADDR, generic);
    add_far(f, TEXT_VADDR + 0x10, compact);
    add_far(f, TEXT_VADDR + 0x20, descriptors);
    add(f, TEXT_VADDR + 0x30, FRAME_8);
    add(f, TEXT_VADDR + 0x40, CANTUNWIND);
    add_far(f, TEXT_VADDR + 0x50, 0x30000);
    add_far(f, TEXT_VADDR + 0x60, EXTAB_VADDR + 0x400 - 8); /* ends with the file's segment */
    put_word(f->bytes + INDEX_OFF + 0x7f8, prel31(TEXT_VADDR, INDEX_VADDR + 0x7f8));
    put_word(f->bytes + INDEX_OFF + 0x7fc, 0xffb0b0b0);
    create(f);
    assert_int_equal(lsda_of(f->exidx, TEXT_VADDR), generic + 12);
    assert_int_equal(lsda_of(f->exidx, TEXT_VADDR + 0x10), 0);
    assert_int_equal(exidx_lsda(f->exidx, TEXT_VADDR + 0x20, &place), STATUS_UNSUPPORTED);
    assert_int_equal(lsda_of(f->exidx, TEXT_VADDR + 0x30), 0);
    assert_int_equal(lsda_of(f->exidx, TEXT_VADDR + 0x40), 0);
    assert_int_equal(exidx_lsda(f->exidx, TEXT_VADDR + 0x50, &place), STATUS_BAD_DATA);
    assert_int_equal(exidx_lsda(f->exidx, TEXT_VADDR + 0x60, &place), STATUS_BAD_DATA);
    assert_int_equal(exidx_lsda(f->exidx, TEXT_VADDR - 1, &place), STATUS_NOT_FOUND);
}
