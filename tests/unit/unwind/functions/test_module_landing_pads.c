/* SPDX-License-Identifier: MIT */
/* Landing pads by way of .eh_frame: from the FDE to the LSDA and the arguments that are
 * pushed. */
#include "cfi_fixture.h"
#include "elf_fixture.h"

#include "unwind/functions/module_landing_pads.h"

#define HOT    UINT64_C(0x500000)
#define COLD   UINT64_C(0x600000)
#define PLAIN  UINT64_C(0x700000)
#define BROKEN UINT64_C(0x800000)

/* The second call site's landing pad lies in COLD, of which @LPStart is the start. */
static const char table[] = "\x03\x00\x00\x60\x00\xff\x01\x08"
                            "\x10\x20\x40\x00"
                            "\x40\x04\x08\x00";

/* An FDE whose LSDA pointer is absolute. */
static void add_fde(struct asm_section *s, size_t cie, uint64_t start_vaddr, uint32_t lsda,
                    struct program_bytes program)
{
    size_t start = asm_entry_begin(s);

    asm_id(s, cie);
    asm_uint(s, start_vaddr - (SECTION_VADDR + s->size), 4);
    asm_uint(s, 0x100, 4);
    asm_uint(s, 4, 1);
    asm_uint(s, lsda, 4);
    asm_bytes(s, program.bytes, program.size);
    asm_entry_end(s, start);
}

struct world {
    struct elf_image *image;
    struct asm_section section;
    struct cfi *cfi;
    struct module_landing_pads *landing_pads;
};

static void world_init(struct world *w)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct cfi_section section;
    size_t cie;

    fixture_section(elf, ".gcc_except_table", SHT_PROGBITS, SHF_ALLOC, table, sizeof(table) - 1);
    fixture_finish(elf);
    w->image = fixture_open(elf);
    w->section = asm_begin(true);
    cie = asm_cie(&w->section, "zLR", "\x03\x1b", 2, 1, ENTRY);
    /* From +0x20 to +0x28 16 bytes are pushed. */
    add_fde(&w->section, cie, HOT, (uint32_t)FIXTURE_FIRST, PROGRAM(0x60, 0x2e, 16, 0x48, 0x2e, 0));
    add_fde(&w->section, cie, COLD, 0, NO_PROGRAM);
    add_fde(&w->section, cie, PLAIN, 0, NO_PROGRAM);
    add_fde(&w->section, cie, BROKEN, 0x7ffffff0, NO_PROGRAM);
    section = asm_end(&w->section);
    assert_int_equal(cfi_create(&section, TRUST_EH_FRAME, NULL, &w->cfi), STATUS_OK);
    assert_int_equal(module_landing_pads_create(w->image, w->cfi, NULL, &w->landing_pads),
                     STATUS_OK);
}

static void world_deinit(struct world *w)
{
    module_landing_pads_destroy(w->landing_pads);
    cfi_destroy(w->cfi);
    elf_image_close(w->image);
}

static void expect(const struct landing_pads *landing_pads, size_t index, uint64_t start,
                   uint64_t end_vaddr, uint64_t landing_pad, uint32_t popped)
{
    assert_true(index < landing_pads->count);
    assert_int_equal(landing_pads->items[index].start_vaddr, start);
    assert_int_equal(landing_pads->items[index].end_vaddr, end_vaddr);
    assert_int_equal(landing_pads->items[index].landing_pad_vaddr, landing_pad);
    assert_int_equal(landing_pads->items[index].popped, popped);
}

TEST_OF(pads_are_divided_where_arguments_are_pushed, world, w)
{
    const struct landing_pads *landing_pads;

    assert_int_equal(module_landing_pads_of(w->landing_pads, HOT, &landing_pads), STATUS_OK);
    assert_int_equal(landing_pads->count, 4);
    expect(landing_pads, 0, HOT + 0x10, HOT + 0x20, COLD + 0x40, 0);
    expect(landing_pads, 1, HOT + 0x20, HOT + 0x28, COLD + 0x40, 16);
    expect(landing_pads, 2, HOT + 0x28, HOT + 0x30, COLD + 0x40, 0);
    expect(landing_pads, 3, HOT + 0x40, HOT + 0x44, COLD + 0x8, 0);
}

TEST_OF(pads_of_a_function_without_an_lsda_are_none, world, w)
{
    const struct landing_pads *landing_pads;

    assert_int_equal(module_landing_pads_of(w->landing_pads, PLAIN, &landing_pads), STATUS_OK);
    assert_int_equal(landing_pads->count, 0);
    assert_int_equal(module_landing_pads_of(w->landing_pads, BROKEN, &landing_pads),
                     STATUS_NOT_FOUND);
    assert_int_equal(module_landing_pads_of(w->landing_pads, HOT - 1, &landing_pads),
                     STATUS_NOT_FOUND);
}

TEST_OF(pads_in_a_fragment_are_found_from_the_fragment, world, w)
{
    const struct landing_pads *landing_pads;

    assert_int_equal(module_landing_pads_into(w->landing_pads, COLD, COLD + 0x100, &landing_pads),
                     STATUS_OK);
    assert_int_equal(landing_pads->count, 4);
    expect(landing_pads, 0, HOT + 0x40, HOT + 0x44, COLD + 0x8, 0);
    expect(landing_pads, 1, HOT + 0x10, HOT + 0x20, COLD + 0x40, 0);
    assert_int_equal(module_landing_pads_into(w->landing_pads, COLD + 0x20, COLD + 0x41,
                                              &landing_pads),
                     STATUS_OK);
    assert_int_equal(landing_pads->count, 3);
    assert_int_equal(module_landing_pads_into(w->landing_pads, PLAIN, PLAIN + 0x100, &landing_pads),
                     STATUS_OK);
    assert_int_equal(landing_pads->count, 0);
}

TEST_OF(pads_are_the_same_when_they_are_asked_for_again, world, w)
{
    const struct landing_pads *landing_pads;

    assert_int_equal(module_landing_pads_of(w->landing_pads, PLAIN, &landing_pads), STATUS_OK);
    assert_int_equal(module_landing_pads_into(w->landing_pads, PLAIN, PLAIN + 0x100, &landing_pads),
                     STATUS_OK);
    assert_int_equal(module_landing_pads_of(w->landing_pads, PLAIN, &landing_pads), STATUS_OK);
    assert_int_equal(landing_pads->count, 0); /* though those of others were read in between */
    for (unsigned again = 0; again < 2; again++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            assert_int_equal(module_landing_pads_of(w->landing_pads, HOT, &landing_pads),
                             STATUS_OK);
            assert_int_equal(landing_pads->count, 4);
            expect(landing_pads, 1, HOT + 0x20, HOT + 0x28, COLD + 0x40, 16);
        }
        assert_int_equal(module_landing_pads_into(w->landing_pads, HOT, HOT + 0x100, &landing_pads),
                         STATUS_OK);
        assert_int_equal(landing_pads->count, 0);
        for (unsigned twice = 0; twice < 2; twice++)
            assert_int_equal(module_landing_pads_of(w->landing_pads, BROKEN, &landing_pads),
                             STATUS_NOT_FOUND);
    }
}
