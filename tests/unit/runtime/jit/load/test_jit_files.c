/* SPDX-License-Identifier: MIT */
/* Symbol files: put together from parts, and the functions that they tell. */
#include "runtime/jit/load/jit_files.h"

#include "elf_fixture.h"
#include "symbol/module_set.h"

#define PID 7

struct fixture {
    struct module_set *modules;
    struct jit_maps maps;
    struct jit_files files;
    struct elf_fixture *elf;
};

static uint64_t text_addr(const struct fixture *f)
{
    return f->elf->sections[1].sh_addr;
}

/* `.text`, of 64 bytes: `f` is at 0x10, and another function's local name is there, too. */
static int set_up(void **state)
{
    static const uint8_t text[64] = {0};
    const struct module_options options = {.sysroot = NULL};
    struct fixture *f = calloc(1, sizeof(*f));
    struct symbol_fixture symbols;

    assert_int_equal(module_set_create(&options, &f->modules), STATUS_OK);
    f->elf = fixture_create(EM_X86_64);
    fixture_section(f->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(text));
    symbols_init(&symbols);
    symbols_add(&symbols, "_ZN5space1fEv", STB_GLOBAL, STT_FUNC, text_addr(f) + 0x10, 0x10);
    symbols_add(&symbols, "local", STB_LOCAL, STT_FUNC, text_addr(f) + 0x10, 0x10);
    symbols_add(&symbols, "without a size", STB_GLOBAL, STT_FUNC, text_addr(f) + 0x30, 0);
    symbols_add(&symbols, "data", STB_GLOBAL, STT_OBJECT, text_addr(f) + 0x38, 8);
    fixture_symbols(f->elf, &symbols, false);
    fixture_finish(f->elf);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    jit_files_deinit(&f->files);
    jit_maps_deinit(&f->maps);
    module_set_destroy(f->modules);
    free(f->elf);
    free(f);
    return 0;
}

/* Some bytes of the file. */
static bool add(struct fixture *f, size_t off, size_t size, bool is_ahead)
{
    const struct snap_symbol_file part = {.pid = PID,
                                          .size = (uint32_t)size,
                                          .addr = 0x5000,
                                          .file_size = f->elf->size,
                                          .off = off,
                                          .bytes = f->elf->bytes + off,
                                          .is_ahead = is_ahead};
    bool changed = false;

    assert_int_equal(jit_files_add(&f->files, &f->maps, f->modules, &part, &changed), STATUS_OK);
    return changed;
}

static const char *name_at(struct fixture *f, uint64_t addr)
{
    struct jit_map *map = jit_maps_of(&f->maps, PID);
    struct jit_function function;

    return map && jit_map_find(map, addr, &function) == STATUS_OK ? jit_map_name(map, function.name)
                                                                  : NULL;
}

TEST_WITH(jit_file_names_functions, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_true(add(f, 0, f->elf->size, false));
    assert_string_equal(name_at(f, text_addr(f) + 0x1f), "space::f()");
    assert_null(name_at(f, text_addr(f) + 0x20));
    assert_null(name_at(f, text_addr(f) + 0x30));
    assert_null(name_at(f, text_addr(f) + 0x38));
}

TEST_WITH(jit_file_comes_in_parts, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_false(add(f, 0, 100, false));
    assert_false(add(f, 100, 200, true)); /* another one, which does not begin */
    assert_true(add(f, 100, f->elf->size - 100, false));
    assert_string_equal(name_at(f, text_addr(f) + 0x10), "space::f()");
}

TEST_WITH(jit_file_with_a_gap_is_ignored, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_false(add(f, 0, 100, false));
    assert_false(add(f, 101, f->elf->size - 101, false));
    assert_null(name_at(f, text_addr(f) + 0x10));
    assert_true(add(f, 0, f->elf->size, false));
}

TEST_WITH(jit_file_of_a_program_before_is_forgotten, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_true(add(f, 0, f->elf->size, true));
    jit_maps_forget(&f->maps, PID);
    assert_null(name_at(f, text_addr(f) + 0x10));
    assert_null(jit_maps_rows_of(&f->maps, PID));
    for (unsigned is_ahead = 0; is_ahead < 2; is_ahead++) {
        assert_false(add(f, 0, 100, is_ahead));
        jit_files_forget(&f->files, PID + 1);
        assert_true(f->files.told.bytes || f->files.later.bytes);
        jit_files_forget(&f->files, PID);
        assert_null(f->files.told.bytes);
        assert_null(f->files.later.bytes);
        assert_false(add(f, 100, f->elf->size - 100, is_ahead));
        assert_null(name_at(f, text_addr(f) + 0x10));
    }
}

TEST_WITH(jit_file_that_comes_ahead_holds_where_nothing_was_told, set_up, tear_down)
{
    struct fixture *f = *state;
    struct jit_map *map;

    assert_true(add(f, 0, f->elf->size, true));
    assert_string_equal(name_at(f, text_addr(f) + 0x18), "space::f()");
    assert_int_equal(jit_maps_get(&f->maps, f->modules, PID, JIT_SYMBOL_FILES, &map), STATUS_OK);
    assert_int_equal(jit_map_add_function(map, text_addr(f) + 0x18, 4, "told", 4), STATUS_OK);
    assert_string_equal(name_at(f, text_addr(f) + 0x18), "told");
    assert_string_equal(name_at(f, text_addr(f) + 0x10), "space::f()");
    jit_maps_drop(&f->maps, PID, JIT_SYMBOL_FILES);
    assert_string_equal(name_at(f, text_addr(f) + 0x18), "space::f()");
}

/* Of a relocatable file addresses count from where its section is. */
TEST_WITH(jit_file_that_is_relocatable_is_where_its_sections_are, set_up, tear_down)
{
    struct fixture *f = *state;
    Elf64_Ehdr *head = (Elf64_Ehdr *)f->elf->bytes;
    Elf64_Shdr *sections = (Elf64_Shdr *)(f->elf->bytes + head->e_shoff);
    Elf64_Sym *symbols = NULL;

    head->e_type = ET_REL;
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            symbols = (Elf64_Sym *)(f->elf->bytes + sections[i].sh_offset);
    assert_non_null(symbols);
    symbols[1].st_value = 0x10;
    symbols[2].st_value = 0x5000; /* not in the section */
    sections[1].sh_addr = 0x7f0000001000;
    assert_true(add(f, 0, f->elf->size, false));
    assert_string_equal(name_at(f, 0x7f0000001010), "space::f()");
    sections[1].sh_addr = 0; /* nobody has said */
    assert_false(add(f, 0, f->elf->size, false));
}

TEST_WITH(jit_file_that_is_damaged_is_told_once, set_up, tear_down)
{
    struct fixture *f = *state;

    f->elf->bytes[0] = 0;
    assert_false(add(f, 0, f->elf->size, false));
    assert_non_null(strstr(f->files.problem.what, "not an ELF file"));
    f->files.problem.what[0] = 'N';
    assert_false(add(f, 0, f->elf->size, false));
    assert_int_equal(f->files.problem.what[0], 'N');
}

TEST_WITH(jit_file_that_is_too_large_is_left_out, set_up, tear_down)
{
    struct fixture *f = *state;
    const struct snap_symbol_file part = {.pid = PID,
                                          .size = 10,
                                          .file_size = JIT_FILE_BYTES_MAX + 1,
                                          .bytes = f->elf->bytes};
    bool changed = false;

    assert_int_equal(jit_files_add(&f->files, &f->maps, f->modules, &part, &changed), STATUS_OK);
    assert_int_equal(f->files.told.cap, 0);
}
