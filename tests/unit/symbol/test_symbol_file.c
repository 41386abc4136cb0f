/* SPDX-License-Identifier: MIT */
/* What of a symbol file's names is taken: elsewhere (test_jit_files.c) what they are. */
#include "symbol/symbol_file.h"

#include "elf_fixture.h"

#define NAME_LEN  1000u
#define FUNCTIONS 60u
#define LONG_LEN  5000u

struct seen {
    unsigned count;
    uint64_t bytes;
    size_t last_len;
};

static enum status see(void *context, const struct symbol_file_function *function)
{
    struct seen *seen = context;

    seen->count++;
    seen->last_len = strlen(function->name);
    seen->bytes += seen->last_len;
    return STATUS_OK;
}

/* Functions of which each one's name is the end of that of the one before. */
static struct seen names_of(unsigned functions, size_t name_len, const char *prefix)
{
    static char names[LONG_LEN + 2];
    Elf64_Sym symbols[FUNCTIONS + 1] = {{.st_name = 0}};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct seen seen = {.count = 0};
    unsigned table;

    memset(names, 'x', sizeof(names));
    names[0] = names[name_len + 1] = '\0';
    memcpy(names + 1, prefix, strlen(prefix));
    fixture_text(elf, 64);
    for (unsigned i = 1; i <= functions; i++)
        symbols[i] = (Elf64_Sym){.st_name = i,
                                 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                 .st_shndx = 1,
                                 .st_value = FIXTURE_BASE + FIXTURE_FIRST + i,
                                 .st_size = 1};
    table =
        fixture_section(elf, ".symtab", SHT_SYMTAB, 0, symbols, (functions + 1) * sizeof(*symbols));
    elf->sections[table].sh_link = table + 1;
    fixture_section(elf, ".strtab", SHT_STRTAB, 0, names, name_len + 2);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(symbol_file_each(image, see, &seen), STATUS_OK);
    elf_image_close(image);
    return seen;
}

TEST(symbol_file_names_are_no_more_than_it_has)
{
    const uint64_t most = 2 * (NAME_LEN + 2 + (FUNCTIONS + 1) * sizeof(Elf64_Sym));
    const struct seen seen = names_of(FUNCTIONS, NAME_LEN, "");

    assert_in_range(seen.count, 2, FUNCTIONS - 1);
    assert_in_range(seen.bytes, 2 * NAME_LEN - 1, most);
}

/* Many with the same few bytes are as they should be. */
TEST(symbol_file_names_that_are_short_are_taken)
{
    assert_int_equal(names_of(20, 20, "").count, 20);
}

TEST(symbol_file_name_that_is_too_long_is_cut)
{
    assert_int_equal(names_of(1, SYMBOL_FILE_NAME_MAX, "").last_len, SYMBOL_FILE_NAME_MAX);
    assert_int_equal(names_of(1, LONG_LEN, "").last_len, SYMBOL_FILE_NAME_MAX);
}

/* Else it could take any time. */
TEST(symbol_file_name_that_is_too_long_is_not_demangled)
{
    assert_int_equal(names_of(1, 4000 + 11, "_RNvC1a4000").last_len, 4003);
    assert_int_equal(names_of(1, 4900 + 11, "_RNvC1a4900").last_len, SYMBOL_FILE_NAME_MAX);
}
