/* SPDX-License-Identifier: MIT */
#include "symbol/data_symbols.h"

#include <link.h>

#include "elf_fixture.h"

/* What the compiler and the linker make of these variables is in this program's own file. */
int data_symbols_array[10] = {1};
static char hidden_bytes[64] = {1};

static int first_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    *(uint64_t *)data = info->dlpi_addr;
    return 1;
}

TEST(data_symbols_are_the_variables_of_a_program)
{
    struct elf_image *image;
    struct data_symbols *symbols;
    struct data_symbol symbol;
    uint64_t bias = 0;

    dl_iterate_phdr(first_object, &bias);
    assert_int_equal(elf_image_open("/proc/self/exe", &image, NULL), STATUS_OK);
    assert_int_equal(data_symbols_create(image, NULL, &symbols), STATUS_OK);
    assert_true(data_symbols_find(symbols, (uintptr_t)&data_symbols_array[7] - bias, &symbol));
    assert_string_equal(symbol.name, "data_symbols_array");
    assert_int_equal(symbol.start_vaddr, (uintptr_t)data_symbols_array - bias);
    assert_int_equal(symbol.size, sizeof(data_symbols_array));
    assert_true(data_symbols_find(symbols, (uintptr_t)&hidden_bytes[63] - bias, &symbol));
    assert_string_equal(symbol.name, "hidden_bytes");
    assert_false(data_symbols_find(symbols, (uintptr_t)first_object - bias, &symbol));
    assert_false(data_symbols_find(symbols, UINT64_MAX, &symbol));
    data_symbols_destroy(symbols);
    elf_image_close(image);
}

static Elf64_Sym variable(uint32_t name, uint8_t type, uint64_t value, uint64_t size)
{
    return (Elf64_Sym){.st_name = name,
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
                       .st_shndx = 1,
                       .st_value = value,
                       .st_size = size};
}

static void expect(const struct data_symbols *symbols, uint64_t vaddr, const char *name)
{
    struct data_symbol symbol;
    bool found = data_symbols_find(symbols, vaddr, &symbol);

    assert_int_equal(found, name != NULL);
    if (found)
        assert_string_equal(symbol.name, name);
}

TEST(data_symbol_that_holds_the_address_is_chosen)
{
    static const char names[] = "\0outer\0inner\0exact\0versioned@@V1\0code\0mark\0after\0";
    const Elf64_Sym entries[] = {
        {0},
        variable(1, STT_OBJECT, 0x1000, 0x100),          /* outer */
        variable(7, STT_COMMON, 0x1040, 0x10),           /* inner */
        variable(13, STT_OBJECT, 0x2000, 0),             /* exact */
        variable(19, STT_OBJECT, 0x3000, 8),             /* versioned@@V1 */
        variable(33, STT_FUNC, 0x4000, 0x100),           /* code */
        variable(1000, STT_OBJECT, 0x5000, 8),           /* a name outside the table */
        variable(7, STT_OBJECT, 0xfffffff0, UINT64_MAX), /* more than there is */
        variable(38, STT_OBJECT, 0x6000, 0),             /* mark, without a size, */
        variable(43, STT_OBJECT, 0x6000, 8),             /* and what is there, */
        variable(43, STT_OBJECT, 0x7000, 8),             /* in either order */
        variable(38, STT_OBJECT, 0x7000, 0),
    };
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct data_symbols *symbols;

    fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "1234", 4);
    fixture_section(elf, ".symtab", SHT_SYMTAB, 0, entries, sizeof(entries));
    fixture_section(elf, ".strtab", SHT_STRTAB, 0, names, sizeof(names));
    fixture_finish(elf);
    assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "made", &image, NULL), STATUS_OK);
    assert_int_equal(data_symbols_create(image, NULL, &symbols), STATUS_OK);
    expect(symbols, 0xfff, NULL);
    expect(symbols, 0x1000, "outer");
    expect(symbols, 0x1045, "inner");
    expect(symbols, 0x1050, "outer");
    expect(symbols, 0x1100, NULL);
    expect(symbols, 0x2000, "exact");
    expect(symbols, 0x2001, NULL);
    expect(symbols, 0x3007, "versioned");
    expect(symbols, 0x4000, NULL);
    expect(symbols, 0x6000, "after");
    expect(symbols, 0x7000, "after");
    expect(symbols, 0x5000, NULL);
    expect(symbols, UINT64_MAX, "inner");
    data_symbols_destroy(symbols);
    elf_image_close(image);
    free(elf);
}
