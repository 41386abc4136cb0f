/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <lzma.h>

#include "symbol/elf/symtab.h"

#define TEXT      FIXTURE_FIRST
#define TEXT_SIZE 0x400

/* A table of one file's .symtab; `elf` is finished and freed. */
static struct symtab *table_of(struct symbol_fixture *symbols, struct elf_image **image)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symtab *symtab;

    fixture_text(elf, TEXT_SIZE);
    fixture_symbols(elf, symbols, false);
    fixture_finish(elf);
    *image = fixture_open(elf);
    assert_int_equal(symtab_create(*image, NULL, &symtab), STATUS_OK);
    return symtab;
}

static const char *name_at(const struct symtab *symtab, uint64_t vaddr)
{
    struct symbol symbol;

    return symtab_find(symtab, vaddr, &symbol) == STATUS_OK ? symbol.name : "-";
}

static void symtab_sized_symbols_hold_their_range_only(void **state)
{
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;
    struct symbol symbol;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "second", STB_GLOBAL, STT_FUNC, TEXT + 0x80, 0x40);
    symbols_add(&symbols, "first", STB_LOCAL, STT_FUNC, TEXT + 0x10, 0x20);
    symtab = table_of(&symbols, &image);
    assert_string_equal(name_at(symtab, TEXT + 0xf), "-");
    assert_string_equal(name_at(symtab, TEXT + 0x10), "first");
    assert_string_equal(name_at(symtab, TEXT + 0x2f), "first");
    assert_string_equal(name_at(symtab, TEXT + 0x30), "-");
    assert_string_equal(name_at(symtab, TEXT + 0xbf), "second");
    assert_int_equal(symtab_find(symtab, TEXT + 0x85, &symbol), STATUS_OK);
    assert_int_equal(symbol.start_vaddr, TEXT + 0x80);
    assert_int_equal(symbol.end_vaddr, TEXT + 0xc0);
    assert_int_equal(symbol.source, SYMBOL_SYMTAB);
    symtab_destroy(symtab);
    elf_image_close(image);
}

/* What dwfl_module_addrinfo answers in the same places. */
static void symtab_of_overlapping_symbols_elfutils_choice_is_taken(void **state)
{
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "local_inner", STB_LOCAL, STT_FUNC, TEXT + 0x20, 0x10);
    symbols_add(&symbols, "outer", STB_GLOBAL, STT_FUNC, TEXT + 0x10, 0x40);
    symbols_add(&symbols, "inner", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 0x8);
    symbols_add(&symbols, "weak_alias", STB_WEAK, STT_FUNC, TEXT + 0x100, 0x10);
    symbols_add(&symbols, "strong_alias", STB_GLOBAL, STT_FUNC, TEXT + 0x100, 0x10);
    symbols_add(&symbols, "later_alias", STB_GLOBAL, STT_FUNC, TEXT + 0x100, 0x10);
    symtab = table_of(&symbols, &image);
    assert_string_equal(name_at(symtab, TEXT + 0x25), "outer");
    assert_string_equal(name_at(symtab, TEXT + 0x44), "inner");
    assert_string_equal(name_at(symtab, TEXT + 0x48), "outer");
    assert_string_equal(name_at(symtab, TEXT + 0x105), "strong_alias");
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_unsized_symbol_reaches_to_the_next_or_the_sections_end(void **state)
{
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "asm_one", STB_LOCAL, STT_NOTYPE, TEXT + 0x10, 0);
    symbols_add(&symbols, "sized", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 0x20);
    symbols_add(&symbols, "label_in_sized", STB_LOCAL, STT_NOTYPE, TEXT + 0x50, 0);
    symbols_add(&symbols, "asm_two", STB_GLOBAL, STT_FUNC, TEXT + 0x200, 0);
    symbols_add(&symbols, "end_of_text", STB_GLOBAL, STT_NOTYPE, TEXT + TEXT_SIZE, 0);
    symtab = table_of(&symbols, &image);
    assert_string_equal(name_at(symtab, TEXT + 0x3f), "asm_one");
    assert_string_equal(name_at(symtab, TEXT + 0x50), "sized");
    assert_string_equal(name_at(symtab, TEXT + 0x60), "-");
    assert_string_equal(name_at(symtab, TEXT + 0x1ff), "-");
    assert_string_equal(name_at(symtab, TEXT + 0x200), "asm_two");
    assert_string_equal(name_at(symtab, TEXT + TEXT_SIZE - 1), "asm_two");
    assert_string_equal(name_at(symtab, TEXT + TEXT_SIZE), "-");
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_what_is_no_function_is_left_out(void **state)
{
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "file.c", STB_LOCAL, STT_FILE, TEXT, 0);
    symbols_add(&symbols, ".text", STB_LOCAL, STT_SECTION, TEXT, 0);
    symbols_add(&symbols, "table", STB_GLOBAL, STT_OBJECT, TEXT + 8, 8);
    symbols_add(&symbols, "$x", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    symbols_add(&symbols, "$d.12", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    symbols_add(&symbols, "$xrv64i2p1_m2p0_a2p1", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    symbols_add(&symbols, "", STB_GLOBAL, STT_FUNC, TEXT + 32, 8);
    symbols.symbols[symbols.count - 1].st_name = 0;
    symbols_add(&symbols, "elsewhere", STB_GLOBAL, STT_FUNC, FIXTURE_BASE, 8);
    symbols_add(&symbols, "undefined", STB_GLOBAL, STT_FUNC, TEXT, 8);
    symbols.symbols[symbols.count - 1].st_shndx = SHN_UNDEF;
    symtab = table_of(&symbols, &image);
    assert_int_equal(symtab_count(symtab), 0);
    assert_string_equal(name_at(symtab, TEXT + 16), "-");
    symtab_destroy(symtab);
    elf_image_close(image);
}

/* Symbols with versions, in a file that defines some or not. */
static struct symtab *versioned(bool defines, struct elf_image **image)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    struct symtab *symtab;

    symbols_init(&symbols);
    symbols_add(&symbols, "memcpy@@GLIBC_2.14", STB_GLOBAL, STT_GNU_IFUNC, TEXT, 8);
    symbols_add(&symbols, "old@GLIBC_2.2.5", STB_GLOBAL, STT_FUNC, TEXT + 8, 8);
    fixture_text(elf, TEXT_SIZE);
    if (defines)
        fixture_section(elf, ".gnu.version_d", SHT_GNU_verdef, 0, "\0\0\0", 4);
    fixture_symbols(elf, &symbols, false);
    fixture_finish(elf);
    *image = fixture_open(elf);
    assert_int_equal(symtab_create(*image, NULL, &symtab), STATUS_OK);
    return symtab;
}

static void symtab_version_is_no_part_of_the_name(void **state)
{
    struct elf_image *image;
    struct symtab *symtab = versioned(true, &image);

    (void)state;
    assert_string_equal(name_at(symtab, TEXT), "memcpy");
    assert_string_equal(name_at(symtab, TEXT + 8), "old");
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_without_versions_an_at_sign_is_part_of_the_name(void **state)
{
    struct elf_image *image;
    struct symtab *symtab = versioned(false, &image);

    (void)state;
    assert_string_equal(name_at(symtab, TEXT + 8), "old@GLIBC_2.2.5");
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_all_is_ascending_with_one_name_a_start(void **state)
{
    struct symbol_fixture symbols;
    static const char *const names[] = {"a", "b", "c"};
    struct elf_image *image;
    struct symtab *symtab;
    struct symbol symbol;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "c", STB_GLOBAL, STT_FUNC, TEXT + 0x80, 8);
    symbols_add(&symbols, "a_weak", STB_WEAK, STT_FUNC, TEXT, 8);
    symbols_add(&symbols, "a", STB_GLOBAL, STT_FUNC, TEXT, 8);
    symbols_add(&symbols, "b", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 8);
    symtab = table_of(&symbols, &image);
    assert_int_equal(symtab_count(symtab), 3);
    for (size_t i = 0; i < 3; i++) {
        symtab_at(symtab, i, &symbol);
        assert_string_equal(symbol.name, names[i]);
        assert_int_equal(symbol.start_vaddr, TEXT + i * 0x40);
    }
    symtab_destroy(symtab);
    elf_image_close(image);
}

/* A 32-bit ARM file: .text at 0x8000 and one T32 function, whose symbol's lowest bit is set. */
static void symtab_thumb_bit_is_no_part_of_the_address(void **state)
{
    static const char names[] = "\0thumb\0$t\0.text\0.symtab\0.strtab";
    struct {
        Elf32_Ehdr ehdr;
        uint8_t text[64];
        Elf32_Sym symbols[3];
        char names[64];
        Elf32_Shdr sections[4];
    } elf = {.ehdr = {.e_type = ET_EXEC,
                      .e_machine = EM_ARM,
                      .e_version = EV_CURRENT,
                      .e_shoff = offsetof(__typeof__(elf), sections),
                      .e_ehsize = sizeof(Elf32_Ehdr),
                      .e_shentsize = sizeof(Elf32_Shdr),
                      .e_shnum = 4,
                      .e_shstrndx = 3},
             .symbols = {{0},
                         {.st_name = 7, .st_value = 0x8010, .st_shndx = 1},
                         {.st_name = 1,
                          .st_value = 0x8011,
                          .st_size = 8,
                          .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                          .st_shndx = 1}},
             .sections = {{0},
                          {.sh_name = 10,
                           .sh_type = SHT_PROGBITS,
                           .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                           .sh_addr = 0x8000,
                           .sh_offset = offsetof(__typeof__(elf), text),
                           .sh_size = 64},
                          {.sh_name = 16,
                           .sh_type = SHT_SYMTAB,
                           .sh_offset = offsetof(__typeof__(elf), symbols),
                           .sh_size = 3 * sizeof(Elf32_Sym)},
                          {.sh_name = 24,
                           .sh_type = SHT_STRTAB,
                           .sh_offset = offsetof(__typeof__(elf), names),
                           .sh_size = 64}}};
    struct elf_image *image;
    struct symtab *symtab;
    struct symbol symbol;
    struct diag diag;

    (void)state;
    memcpy(elf.names, names, sizeof(names));
    memcpy(elf.ehdr.e_ident, ELFMAG, SELFMAG);
    elf.ehdr.e_ident[EI_CLASS] = ELFCLASS32;
    elf.ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
    elf.ehdr.e_ident[EI_VERSION] = EV_CURRENT;
    assert_int_equal(elf_image_open_bytes(&elf, sizeof(elf), "arm", &image, &diag), STATUS_OK);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(symtab_find(symtab, 0x8010, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "thumb");
    assert_int_equal(symbol.start_vaddr, 0x8010);
    assert_int_equal(symbol.end_vaddr, 0x8018);
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_debug_file_names_what_dynsym_does_not(void **state)
{
    struct elf_fixture *main_elf = fixture_create(EM_X86_64);
    struct elf_fixture *debug_elf = fixture_create(EM_X86_64);
    struct symbol_fixture dynamic, full;
    struct elf_image *image, *debug;
    struct symtab *symtab;
    struct symbol symbol;

    (void)state;
    symbols_init(&dynamic);
    symbols_add(&dynamic, "exported", STB_GLOBAL, STT_FUNC, TEXT, 0x10);
    symbols_init(&full);
    symbols_add(&full, "hidden", STB_LOCAL, STT_FUNC, TEXT + 0x10, 0x10);
    symbols_add(&full, "exported", STB_GLOBAL, STT_FUNC, TEXT, 0x10);
    fixture_text(main_elf, TEXT_SIZE);
    fixture_symbols(main_elf, &dynamic, true);
    fixture_finish(main_elf);
    fixture_section(debug_elf, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, TEXT_SIZE);
    fixture_symbols(debug_elf, &full, false);
    fixture_finish(debug_elf);
    image = fixture_open(main_elf);
    debug = fixture_open(debug_elf);
    assert_int_equal(symtab_create(image, debug, &symtab), STATUS_OK);
    assert_string_equal(name_at(symtab, TEXT), "exported");
    assert_int_equal(symtab_find(symtab, TEXT + 0x18, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "hidden");
    assert_int_equal(symbol.source, SYMBOL_DEBUG_FILE);
    symtab_destroy(symtab);
    elf_image_close(debug);
    elf_image_close(image);
}

/* .gnu_debugdata: an ELF file with .symtab alone, compressed. */
static void symtab_mini_debuginfo_is_read(void **state)
{
    struct elf_fixture *mini = fixture_create(EM_X86_64), *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    uint8_t packed[8192];
    size_t packed_size = 0;
    struct elf_image *image;
    struct symtab *symtab;
    struct symbol symbol;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "mini", STB_LOCAL, STT_FUNC, TEXT + 0x20, 0x10);
    fixture_section(mini, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, TEXT_SIZE);
    fixture_symbols(mini, &symbols, false);
    fixture_finish(mini);
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, mini->bytes, mini->size,
                                             packed, &packed_size, sizeof(packed)),
                     LZMA_OK);
    free(mini);
    fixture_text(elf, TEXT_SIZE);
    fixture_section(elf, ".gnu_debugdata", SHT_PROGBITS, 0, packed, packed_size);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(symtab_find(symtab, TEXT + 0x2f, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "mini");
    assert_int_equal(symbol.source, SYMBOL_MINI_DEBUGINFO);
    symtab_destroy(symtab);
    elf_image_close(image);
}

static void symtab_damaged_table_leaves_the_others(void **state)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols, dynamic;
    struct elf_image *image;
    struct symtab *symtab;

    (void)state;
    symbols_init(&symbols);
    symbols_add(&symbols, "lost", STB_GLOBAL, STT_FUNC, TEXT, 8);
    symbols_init(&dynamic);
    symbols_add(&dynamic, "kept", STB_GLOBAL, STT_FUNC, TEXT + 8, 8);
    symbols_add(&dynamic, "bad_name", STB_GLOBAL, STT_FUNC, TEXT + 16, 8);
    dynamic.symbols[2].st_name = 0xffffff;
    symbols_add(&dynamic, "long", STB_GLOBAL, STT_FUNC, TEXT + 24, UINT64_MAX);
    fixture_text(elf, TEXT_SIZE);
    fixture_symbols(elf, &symbols, false);
    elf->sections[2].sh_size = UINT64_C(1) << 60;
    fixture_symbols(elf, &dynamic, true);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_string_equal(name_at(symtab, TEXT), "-");
    assert_string_equal(name_at(symtab, TEXT + 8), "kept");
    assert_string_equal(name_at(symtab, TEXT + 16), "-");
    assert_string_equal(name_at(symtab, TEXT + TEXT_SIZE - 1), "long");
    symtab_destroy(symtab);
    elf_image_close(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symtab_sized_symbols_hold_their_range_only),
        cmocka_unit_test(symtab_of_overlapping_symbols_elfutils_choice_is_taken),
        cmocka_unit_test(symtab_unsized_symbol_reaches_to_the_next_or_the_sections_end),
        cmocka_unit_test(symtab_what_is_no_function_is_left_out),
        cmocka_unit_test(symtab_version_is_no_part_of_the_name),
        cmocka_unit_test(symtab_without_versions_an_at_sign_is_part_of_the_name),
        cmocka_unit_test(symtab_all_is_ascending_with_one_name_a_start),
        cmocka_unit_test(symtab_thumb_bit_is_no_part_of_the_address),
        cmocka_unit_test(symtab_debug_file_names_what_dynsym_does_not),
        cmocka_unit_test(symtab_mini_debuginfo_is_read),
        cmocka_unit_test(symtab_damaged_table_leaves_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
