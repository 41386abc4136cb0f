/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <lzma.h>

#include "symbol/elf/symtab.h"

#define TEXT      FIXTURE_FIRST
#define TEXT_SIZE 0x400

/* Symbols, and the table that is read of a file with them. */
struct table {
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;
};

static void table_init(struct table *t)
{
    *t = (struct table){.image = NULL};
    symbols_init(&t->symbols);
}

static void table_deinit(struct table *t)
{
    symtab_destroy(t->symtab);
    elf_image_close(t->image);
}

static void add(struct table *t, const char *name, unsigned binding, unsigned type, uint64_t value,
                uint64_t size)
{
    symbols_add(&t->symbols, name, binding, type, value, size);
}

/* Finishes and frees `elf`. */
static void open_table(struct table *t, struct elf_fixture *elf)
{
    fixture_finish(elf);
    t->image = fixture_open(elf);
    assert_int_equal(symtab_create(t->image, NULL, &t->symtab), STATUS_OK);
}

/* Of a file that has the symbols in .symtab. */
static void make_table(struct table *t)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_text(elf, TEXT_SIZE);
    fixture_symbols(elf, &t->symbols, false);
    open_table(t, elf);
}

static const char *name_at(const struct symtab *symtab, uint64_t vaddr)
{
    struct symbol symbol;

    return symtab_find(symtab, vaddr, &symbol) == STATUS_OK ? symbol.name : "-";
}

TEST_OF(symtab_sized_symbols_hold_their_range_only, table, t)
{
    struct symbol symbol;

    add(t, "second", STB_GLOBAL, STT_FUNC, TEXT + 0x80, 0x40);
    add(t, "first", STB_LOCAL, STT_FUNC, TEXT + 0x10, 0x20);
    make_table(t);
    assert_string_equal(name_at(t->symtab, TEXT + 0xf), "-");
    assert_string_equal(name_at(t->symtab, TEXT + 0x10), "first");
    assert_string_equal(name_at(t->symtab, TEXT + 0x2f), "first");
    assert_string_equal(name_at(t->symtab, TEXT + 0x30), "-");
    assert_string_equal(name_at(t->symtab, TEXT + 0xbf), "second");
    assert_int_equal(symtab_find(t->symtab, TEXT + 0x85, &symbol), STATUS_OK);
    assert_int_equal(symbol.start_vaddr, TEXT + 0x80);
    assert_int_equal(symbol.end_vaddr, TEXT + 0xc0);
    assert_int_equal(symbol.source, SYMBOL_SYMTAB);
}

/* What dwfl_module_addrinfo answers in the same places. */
TEST_OF(symtab_of_overlapping_symbols_elfutils_choice_is_taken, table, t)
{
    add(t, "local_inner", STB_LOCAL, STT_FUNC, TEXT + 0x20, 0x10);
    add(t, "outer", STB_GLOBAL, STT_FUNC, TEXT + 0x10, 0x40);
    add(t, "inner", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 0x8);
    add(t, "weak_alias", STB_WEAK, STT_FUNC, TEXT + 0x100, 0x10);
    add(t, "strong_alias", STB_GLOBAL, STT_FUNC, TEXT + 0x100, 0x10);
    add(t, "later_alias", STB_GLOBAL, STT_FUNC, TEXT + 0x100, 0x10);
    make_table(t);
    assert_string_equal(name_at(t->symtab, TEXT + 0x25), "outer");
    assert_string_equal(name_at(t->symtab, TEXT + 0x44), "inner");
    assert_string_equal(name_at(t->symtab, TEXT + 0x48), "outer");
    assert_string_equal(name_at(t->symtab, TEXT + 0x105), "strong_alias");
}

TEST_OF(symtab_unsized_symbol_reaches_to_the_next_or_the_sections_end, table, t)
{
    add(t, "asm_one", STB_LOCAL, STT_NOTYPE, TEXT + 0x10, 0);
    add(t, "sized", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 0x20);
    add(t, "label_in_sized", STB_LOCAL, STT_NOTYPE, TEXT + 0x50, 0);
    add(t, "asm_two", STB_GLOBAL, STT_FUNC, TEXT + 0x200, 0);
    add(t, "end_of_text", STB_GLOBAL, STT_NOTYPE, TEXT + TEXT_SIZE, 0);
    make_table(t);
    assert_string_equal(name_at(t->symtab, TEXT + 0x3f), "asm_one");
    assert_string_equal(name_at(t->symtab, TEXT + 0x50), "sized");
    assert_string_equal(name_at(t->symtab, TEXT + 0x60), "-");
    assert_string_equal(name_at(t->symtab, TEXT + 0x1ff), "-");
    assert_string_equal(name_at(t->symtab, TEXT + 0x200), "asm_two");
    assert_string_equal(name_at(t->symtab, TEXT + TEXT_SIZE - 1), "asm_two");
    assert_string_equal(name_at(t->symtab, TEXT + TEXT_SIZE), "-");
}

TEST_OF(symtab_what_is_no_function_is_left_out, table, t)
{
    add(t, "file.c", STB_LOCAL, STT_FILE, TEXT, 0);
    add(t, ".text", STB_LOCAL, STT_SECTION, TEXT, 0);
    add(t, "table", STB_GLOBAL, STT_OBJECT, TEXT + 8, 8);
    add(t, "$x", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    add(t, "$d.12", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    add(t, "$xrv64i2p1_m2p0_a2p1", STB_LOCAL, STT_NOTYPE, TEXT + 16, 0);
    add(t, "", STB_GLOBAL, STT_FUNC, TEXT + 32, 8);
    t->symbols.symbols[t->symbols.count - 1].st_name = 0;
    add(t, "elsewhere", STB_GLOBAL, STT_FUNC, FIXTURE_BASE, 8);
    add(t, "undefined", STB_GLOBAL, STT_FUNC, TEXT, 8);
    t->symbols.symbols[t->symbols.count - 1].st_shndx = SHN_UNDEF;
    make_table(t);
    assert_int_equal(symtab_count(t->symtab), 0);
    assert_string_equal(name_at(t->symtab, TEXT + 16), "-");
}

/* Symbols with versions, in a file that defines some or not. */
static void make_versioned(struct table *t, bool defines)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    add(t, "memcpy@@GLIBC_2.14", STB_GLOBAL, STT_GNU_IFUNC, TEXT, 8);
    add(t, "old@GLIBC_2.2.5", STB_GLOBAL, STT_FUNC, TEXT + 8, 8);
    fixture_text(elf, TEXT_SIZE);
    if (defines)
        fixture_section(elf, ".gnu.version_d", SHT_GNU_verdef, 0, "\0\0\0", 4);
    fixture_symbols(elf, &t->symbols, false);
    open_table(t, elf);
}

TEST_OF(symtab_version_is_no_part_of_the_name, table, t)
{
    make_versioned(t, true);
    assert_string_equal(name_at(t->symtab, TEXT), "memcpy");
    assert_string_equal(name_at(t->symtab, TEXT + 8), "old");
}

TEST_OF(symtab_without_versions_an_at_sign_is_part_of_the_name, table, t)
{
    make_versioned(t, false);
    assert_string_equal(name_at(t->symtab, TEXT + 8), "old@GLIBC_2.2.5");
}

TEST_OF(symtab_all_is_ascending_with_one_name_a_start, table, t)
{
    static const char *const names[] = {"a", "b", "c"};
    struct symbol symbol;

    add(t, "c", STB_GLOBAL, STT_FUNC, TEXT + 0x80, 8);
    add(t, "a_weak", STB_WEAK, STT_FUNC, TEXT, 8);
    add(t, "a", STB_GLOBAL, STT_FUNC, TEXT, 8);
    add(t, "b", STB_GLOBAL, STT_FUNC, TEXT + 0x40, 8);
    make_table(t);
    assert_int_equal(symtab_count(t->symtab), 3);
    for (size_t i = 0; i < 3; i++) {
        symtab_at(t->symtab, i, &symbol);
        assert_string_equal(symbol.name, names[i]);
        assert_int_equal(symbol.start_vaddr, TEXT + i * 0x40);
    }
}

/* A 32-bit ARM file: .text at 0x8000 and one T32 function, whose symbol's lowest bit is set. */
TEST(symtab_thumb_bit_is_no_part_of_the_address)
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

TEST(symtab_debug_file_names_what_dynsym_does_not)
{
    struct elf_fixture *main_elf = fixture_create(EM_X86_64);
    struct elf_fixture *debug_elf = fixture_create(EM_X86_64);
    struct symbol_fixture dynamic, full;
    struct elf_image *image, *debug;
    struct symtab *symtab;
    struct symbol symbol;

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
TEST_OF(symtab_mini_debuginfo_is_read, table, t)
{
    struct elf_fixture *mini = fixture_create(EM_X86_64), *elf = fixture_create(EM_X86_64);
    uint8_t packed[8192];
    size_t packed_size = 0;
    struct symbol symbol;

    add(t, "mini", STB_LOCAL, STT_FUNC, TEXT + 0x20, 0x10);
    fixture_section(mini, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, TEXT_SIZE);
    fixture_symbols(mini, &t->symbols, false);
    fixture_finish(mini);
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, mini->bytes, mini->size,
                                             packed, &packed_size, sizeof(packed)),
                     LZMA_OK);
    free(mini);
    fixture_text(elf, TEXT_SIZE);
    fixture_section(elf, ".gnu_debugdata", SHT_PROGBITS, 0, packed, packed_size);
    open_table(t, elf);
    assert_int_equal(symtab_find(t->symtab, TEXT + 0x2f, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "mini");
    assert_int_equal(symbol.source, SYMBOL_MINI_DEBUGINFO);
}

TEST_OF(symtab_damaged_table_leaves_the_others, table, t)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture dynamic;

    add(t, "lost", STB_GLOBAL, STT_FUNC, TEXT, 8);
    symbols_init(&dynamic);
    symbols_add(&dynamic, "kept", STB_GLOBAL, STT_FUNC, TEXT + 8, 8);
    symbols_add(&dynamic, "bad_name", STB_GLOBAL, STT_FUNC, TEXT + 16, 8);
    dynamic.symbols[2].st_name = 0xffffff;
    symbols_add(&dynamic, "long", STB_GLOBAL, STT_FUNC, TEXT + 24, UINT64_MAX);
    fixture_text(elf, TEXT_SIZE);
    fixture_symbols(elf, &t->symbols, false);
    elf->sections[2].sh_size = UINT64_C(1) << 60;
    fixture_symbols(elf, &dynamic, true);
    open_table(t, elf);
    assert_string_equal(name_at(t->symtab, TEXT), "-");
    assert_string_equal(name_at(t->symtab, TEXT + 8), "kept");
    assert_string_equal(name_at(t->symtab, TEXT + 16), "-");
    assert_string_equal(name_at(t->symtab, TEXT + TEXT_SIZE - 1), "long");
}
