/* SPDX-License-Identifier: MIT */
/* What dynamic symbols and relocations tell of names. */
#include "elf32_fixture.h"

#include "symbol/elf/dynsym.h"

#define WORDS (FIXTURE_BASE + 0x8000) /* of the GOT; they need not be in the file */

enum { ABORT = 1, OWN, ALIAS, CHOSEN };

/*
 * abort is imported; own and alias are one function, chosen is indirect. The words: 0 of data, 8 a
 * PLT's, 16 with an addend.
 */
static struct dynsym *open_dynsym(struct elf_image **image, const char *imported)
{
    static const Elf64_Rela data[] = {
        {.r_offset = WORDS, .r_info = ELF64_R_INFO(ABORT, R_X86_64_GLOB_DAT)},
        {.r_offset = WORDS + 16, .r_info = ELF64_R_INFO(OWN, R_X86_64_GLOB_DAT), .r_addend = 8},
        {.r_offset = WORDS + 24, .r_info = ELF64_R_INFO(99, R_X86_64_GLOB_DAT)}};
    static const Elf64_Rela plt[] = {
        {.r_offset = WORDS + 8, .r_info = ELF64_R_INFO(OWN, R_X86_64_JUMP_SLOT)}};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    struct dynsym *dynsym;

    fixture_text(elf, 64);
    symbols_init(&symbols);
    symbols_add(&symbols, imported, STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[ABORT].st_shndx = SHN_UNDEF;
    symbols_add(&symbols, "own", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST + 16, 8);
    symbols_add(&symbols, "alias", STB_WEAK, STT_FUNC, FIXTURE_FIRST + 16, 8);
    symbols_add(&symbols, "chosen", STB_GLOBAL, STT_GNU_IFUNC, FIXTURE_FIRST + 32, 8);
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, data, sizeof(data));
    fixture_section(elf, ".rela.plt", SHT_RELA, SHF_ALLOC, plt, sizeof(plt));
    fixture_finish(elf);
    *image = fixture_open(elf);
    assert_int_equal(dynsym_create(*image, &dynsym), STATUS_OK);
    return dynsym;
}

static void close_dynsym(struct dynsym *dynsym, struct elf_image *image)
{
    dynsym_destroy(dynsym);
    elf_image_close(image);
}

TEST(dynsym_words_have_the_names_that_relocations_give_them)
{
    struct elf_image *image;
    struct dynsym *dynsym = open_dynsym(&image, "abort");

    assert_string_equal(dynsym_word(dynsym, WORDS), "abort");
    assert_string_equal(dynsym_word(dynsym, WORDS + 8), "own");
    assert_null(dynsym_word(dynsym, WORDS + 4));
    assert_null(dynsym_word(dynsym, WORDS + 16)); /* 8 behind the function */
    assert_null(dynsym_word(dynsym, WORDS + 24)); /* no such symbol */
    close_dynsym(dynsym, image);
}

TEST(dynsym_word_of_a_plt_is_no_data)
{
    struct elf_image *image;
    struct dynsym *dynsym = open_dynsym(&image, "abort");

    assert_true(dynsym_is_data_word(dynsym, WORDS));
    assert_false(dynsym_is_data_word(dynsym, WORDS + 8));
    assert_false(dynsym_is_data_word(dynsym, WORDS + 32));
    close_dynsym(dynsym, image);
}

TEST(dynsym_functions_are_found_by_each_name_without_version)
{
    struct elf_image *image;
    struct dynsym *dynsym = open_dynsym(&image, "abort");
    uint64_t vaddr = 0;
    bool thumb = true;

    assert_true(dynsym_function(dynsym, "own", &vaddr, &thumb));
    assert_int_equal(vaddr, FIXTURE_FIRST + 16);
    assert_false(thumb);
    assert_true(dynsym_function(dynsym, "alias@@V_1@plt", &vaddr, &thumb));
    assert_int_equal(vaddr, FIXTURE_FIRST + 16);
    assert_false(dynsym_function(dynsym, "abort", &vaddr, &thumb));
    assert_false(dynsym_function(dynsym, "ow", &vaddr, &thumb));
    assert_false(dynsym_function(dynsym, "chosen", &vaddr, &thumb));
    close_dynsym(dynsym, image);
}

TEST(dynsym_t32_functions_are_found_without_their_bit)
{
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct dynsym *dynsym;
    uint64_t vaddr;
    bool thumb;

    fixture_text(elf, 64);
    symbols_init(&symbols);
    symbols_add(&symbols, "t32", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST + 5, 8);
    fixture_symbols(elf, &symbols, true);
    fixture_finish32(elf);
    image = fixture_open(elf);
    assert_int_equal(dynsym_create(image, &dynsym), STATUS_OK);
    assert_true(dynsym_function(dynsym, "t32", &vaddr, &thumb));
    assert_int_equal(vaddr, FIXTURE_FIRST + 4);
    assert_true(thumb);
    close_dynsym(dynsym, image);
}

TEST(dynsym_tells_whether_exceptions_may_be_thrown)
{
    static const char *const throwing[] = {"_Unwind_Resume", "__cxa_end_cleanup",
                                           "dl_iterate_phdr"};
    struct elf_image *image;
    struct dynsym *dynsym = open_dynsym(&image, "abort");

    assert_false(dynsym_may_throw(dynsym));
    close_dynsym(dynsym, image);
    for (unsigned i = 0; i < 3; i++) {
        dynsym = open_dynsym(&image, throwing[i]);
        assert_true(dynsym_may_throw(dynsym));
        close_dynsym(dynsym, image);
    }
}

TEST(dynsym_of_a_file_without_one_knows_no_name)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct dynsym *dynsym;
    uint64_t vaddr;
    bool thumb;

    fixture_text(elf, 64);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(dynsym_create(image, &dynsym), STATUS_OK);
    assert_null(dynsym_word(dynsym, WORDS));
    assert_false(dynsym_function(dynsym, "own", &vaddr, &thumb));
    assert_true(dynsym_may_throw(dynsym));
    close_dynsym(dynsym, image);
}
