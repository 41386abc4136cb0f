/* SPDX-License-Identifier: MIT */
/*
 * Files that have nothing but code, for the tests of the search for functions.
 *
 *     struct text text = {.size = 0};
 *     ADD(&text, "\xc3");
 *     check(&text, EM_X86_64, false, "0 entry");
 */
#ifndef TESTS_FUNCTION_SEARCH_FIXTURE_H
#define TESTS_FUNCTION_SEARCH_FIXTURE_H

#include "elf32_fixture.h"
#include "module_fixture.h"

#include "unwind/functions/functions.h"
#include "unwind/module_rows.h"

/* A file's code, put together at offsets; what it is filled up with are traps. */
struct text {
    uint8_t bytes[8192];
    size_t size;
};

/* An opened file. */
struct search {
    struct module_set *set;
    struct module_rows *rows;
    const struct functions *list;
};

static inline void add(struct text *text, const char *bytes, size_t size)
{
    assert_true(text->size + size <= sizeof(text->bytes));
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

#define ADD(text, bytes) add(text, bytes, sizeof(bytes) - 1)
/* Finishes the file, opens it and frees the fixture. */
static inline void open_fixture(struct search *s, struct elf_fixture *elf, bool thumb,
                                bool code_only)
{
    static const struct module_options options = {.sysroot = NULL};
    struct module *module;

    fixture_section(elf, ".interp", SHT_PROGBITS, SHF_ALLOC, "", 1); /* a program */
    if (elf->machine == EM_X86_64 || elf->machine == EM_AARCH64)
        fixture_finish(elf);
    else
        fixture_finish32(elf);
    elf->bytes[offsetof(Elf32_Ehdr, e_entry)] |= thumb; /* where it is in both classes */
    assert_int_equal(module_set_create(&options, &s->set), STATUS_OK);
    module = fixture_module(s->set, elf);
    assert_int_equal(module_rows_create(s->set, module, &s->rows), STATUS_OK);
    if (code_only)
        module_rows_set_code_only(s->rows);
    assert_int_equal(module_rows_functions(s->rows, &s->list), STATUS_OK);
}

static inline void open_file(struct search *s, const struct text *text, uint16_t machine,
                             bool thumb)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    open_fixture(s, elf, thumb, true);
}

static inline void close_file(struct search *s)
{
    module_rows_destroy(s->rows);
    module_set_destroy(s->set);
}

/* What was found in gaps may have been found by how it begins. */
static inline const char *origin_name(uint8_t origin)
{
    const char *name = function_origin_name((enum function_origin)origin);

    return strcmp(name, "pattern") == 0 ? "gap" : name;
}

/* Compares with "offset origin, …". */
static inline void assert_found(const struct search *s, const char *expected)
{
    char found[1024] = "";
    size_t len = 0;

    for (size_t i = 0; i < s->list->count; i++)
        len += (size_t)snprintf(found + len, sizeof(found) - len, "%s%llx %s", i ? ", " : "",
                                (unsigned long long)(s->list->items[i].start_vaddr - FIXTURE_FIRST),
                                origin_name(s->list->items[i].origin));
    assert_string_equal(found, expected);
}

static inline void check(const struct text *text, uint16_t machine, bool thumb,
                         const char *expected)
{
    struct search s;

    open_file(&s, text, machine, thumb);
    assert_found(&s, expected);
    close_file(&s);
}

/* Finds the functions where relocations give values to words. `name` is that of symbol 1. */
static inline void check_relocated(const struct text *text, const char *name,
                                   const Elf64_Rela *relocs, size_t count, const char *expected)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    struct search s;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    symbols_init(&symbols);
    symbols_add(&symbols, name, STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = SHN_UNDEF;
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, count * sizeof(*relocs));
    open_fixture(&s, elf, false, true);
    assert_found(&s, expected);
    close_file(&s);
}

/* x86. */

/* nops up to `off` */
static inline void landing_pad(struct text *text, size_t off)
{
    assert_true(off >= text->size);
    while (text->size < off)
        ADD(text, "\x90");
}

/* e8: call, e9: jmp; to an offset */
static inline void branch(struct text *text, uint8_t opcode, size_t target)
{
    int32_t distance = (int32_t)target - (int32_t)(text->size + 5);
    char bytes[5] = {(char)opcode};

    memcpy(bytes + 1, &distance, sizeof(distance));
    add(text, bytes, 5);
}

static inline void call(struct text *text, size_t target)
{
    branch(text, 0xe8, target);
}

static inline void jmp(struct text *text, size_t target)
{
    branch(text, 0xe9, target);
}

/* 0f 85 */
static inline void jne(struct text *text, size_t target)
{
    int32_t distance = (int32_t)target - (int32_t)(text->size + 6);
    char bytes[6] = {0x0f, (char)0x85};

    memcpy(bytes + 2, &distance, sizeof(distance));
    add(text, bytes, 6);
}

#endif
