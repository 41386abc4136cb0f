/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"
#include "gopclntab_fixture.h"
#include "module_fixture.h"

#include "base/text.h"
#include "symbol/module_set.h"
#include "symbol/symbolize.h"

struct lookup {
    struct module_set *set;
    struct module *module;
    struct symbolizer *symbolizer;
};

/* The DWARF 4 unit of dwarf_fixture.h; a symbol names [0x00, 0x80) unless `main_name` is NULL. */
static void lookup_init(struct lookup *lookup, const char *main_name, bool lines, bool inlines)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct module_options options = {0};
    struct symbol_fixture symbols;
    struct dwarf_sections dwarf;

    make_dwarf(&dwarf, 4);
    symbols_init(&symbols);
    if (main_name)
        symbols_add(&symbols, main_name, STB_GLOBAL, STT_FUNC, FIXTURE_FIRST, 0x80);
    fixture_text(elf, 0x100);
    fixture_symbols(elf, &symbols, false);
    fixture_debug(elf, ".debug_info", &dwarf.info);
    fixture_debug(elf, ".debug_abbrev", &dwarf.abbrev);
    fixture_debug(elf, ".debug_line", &dwarf.line);
    fixture_debug(elf, ".debug_ranges", &dwarf.ranges);
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &lookup->set), STATUS_OK);
    lookup->module = fixture_module(lookup->set, elf);
    assert_int_equal(symbolizer_create(lookup->set, lines, inlines, &lookup->symbolizer),
                     STATUS_OK);
}

static void lookup_deinit(struct lookup *lookup)
{
    symbolizer_destroy(lookup->symbolizer);
    module_set_destroy(lookup->set);
}

static const struct source_frames *at(struct lookup *lookup, uint64_t offset)
{
    const struct source_frames *frames;

    assert_int_equal(symbolizer_lookup(lookup->symbolizer, lookup->module, FIXTURE_FIRST + offset,
                                       &frames),
                     STATUS_OK);
    assert_true(frames->count >= 1);
    assert_false(frames->frames[frames->count - 1].is_inline);
    return frames;
}

TEST_OF(symbolizer_inlined_frames_precede_the_function, lookup, lookup, "main", true, true)
{
    const struct source_frames *frames = at(lookup, 0x20);

    assert_int_equal(frames->count, 3);
    assert_string_equal(frames->frames[0].function, "h");
    assert_true(frames->frames[0].is_inline);
    assert_int_equal(frames->frames[0].line, 30);
    assert_string_equal(frames->frames[1].function, "g");
    assert_string_equal(frames->frames[1].file, "/src/inc/b.h");
    assert_int_equal(frames->frames[1].line, 25);
    assert_string_equal(frames->frames[2].function, "main");
    assert_int_equal(frames->frames[2].line, 7);
    assert_true(frames->has_function);
    assert_int_equal(frames->function_vaddr, FIXTURE_FIRST);
}

TEST_OF(symbolizer_function_is_named_by_the_symbol_table_first, lookup, lookup, "_ZN3foo3barEi",
        true, true)
{
    const struct source_frames *frames = at(lookup, 0x12);

    assert_int_equal(frames->count, 2);
    assert_string_equal(frames->frames[1].function, "foo::bar(int)");
    assert_string_equal(frames->frames[1].raw_function, "_ZN3foo3barEi");
}

TEST_OF(symbolizer_function_without_symbol_is_named_by_dwarf, lookup, lookup, NULL, true, true)
{
    const struct source_frames *frames = at(lookup, 0xc4);

    assert_string_equal(frames->frames[0].function, "_split");
    assert_true(frames->has_function);
    assert_int_equal(frames->function_vaddr, FIXTURE_FIRST + 0x80);
}

TEST_OF(symbolizer_without_inlines_gives_the_function_at_the_running_line, lookup, lookup, "main",
        true, false)
{
    const struct source_frames *frames = at(lookup, 0x20);

    assert_int_equal(frames->count, 1);
    assert_string_equal(frames->frames[0].function, "main");
    assert_string_equal(frames->frames[0].file, "/src/inc/b.h");
    assert_int_equal(frames->frames[0].line, 30);
}

TEST_OF(symbolizer_without_lines_gives_inlined_functions_alone, lookup, lookup, "main", false, true)
{
    const struct source_frames *frames = at(lookup, 0x20);

    assert_int_equal(frames->count, 3);
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[] = {"h", "g", "main"};

        assert_string_equal(frames->frames[i].function, names[i]);
        assert_null(frames->frames[i].file);
        assert_int_equal(frames->frames[i].line, 0);
    }
}

TEST_OF(symbolizer_without_lines_and_inlines_reads_no_dwarf, lookup, lookup, "main", false, false)
{
    const struct source_frames *frames = at(lookup, 0x20);

    assert_int_equal(frames->count, 1);
    assert_string_equal(frames->frames[0].function, "main");
    assert_null(frames->frames[0].file);
    assert_int_equal(frames->frames[0].line, 0);
    assert_null(lookup->module->parts.lines);
}

TEST_OF(symbolizer_same_address_gives_the_same_answer, lookup, lookup, "main", true, true)
{
    const struct source_frames *frames = at(lookup, 0x20);

    for (uint64_t offset = 0; offset < 0x100; offset++)
        at(lookup, offset);
    assert_ptr_equal(at(lookup, 0x20), frames);
    assert_ptr_not_equal(at(lookup, 0x21), frames);
}

TEST_OF(symbolizer_of_the_unknown_has_one_empty_frame, lookup, lookup, "main", true, true)
{
    struct module *missing;
    const struct source_frames *frames = at(lookup, 0x5000);

    assert_int_equal(frames->count, 1);
    assert_null(frames->frames[0].function);
    assert_null(frames->frames[0].file);
    assert_false(frames->has_function);
    assert_int_equal(module_set_get(lookup->set, MODULE_FILE, "/no/such", NULL, 0, false, &missing),
                     STATUS_OK);
    assert_int_equal(symbolizer_lookup(lookup->symbolizer, missing, 0x20, &frames), STATUS_OK);
    assert_int_equal(frames->count, 1);
    assert_null(frames->frames[0].function);
}

TEST_OF(symbolizer_prepare_reads_the_module_and_changes_no_answer, lookup, lookup, "main", true,
        true)
{
    const uint64_t vaddrs[] = {FIXTURE_FIRST + 0x20, FIXTURE_FIRST + 0xc4};
    const struct source_frames *frames;
    struct module *kernel;

    assert_int_equal(module_set_get(lookup->set, MODULE_KERNEL, "[kernel]", NULL, 0, false,
                                    &kernel),
                     STATUS_OK);
    {
        const struct module_wanted wanted[] = {{lookup->module, vaddrs, 2}, {kernel, vaddrs, 1}};

        assert_int_equal(symbolizer_prepare(lookup->symbolizer, wanted, 2, 2), STATUS_OK);
    }
    assert_int_equal(lookup->module->parts.states[PART_SYMTAB], PART_THERE);
    assert_int_equal(lookup->module->parts.states[PART_LINES], PART_THERE);
    assert_int_not_equal(kernel->parts.states[PART_KALLSYMS], PART_UNTRIED);
    frames = at(lookup, 0x20);
    assert_int_equal(frames->count, 3);
    assert_string_equal(frames->frames[0].function, "h");
    assert_string_equal(frames->frames[1].file, "/src/inc/b.h");
    assert_string_equal(frames->frames[2].function, "main");
    assert_string_equal(at(lookup, 0xc4)->frames[0].function, "_split");
}

/* A stripped Go program; `symbol` of .dynsym, NULL: none, is at its beginning. */
static void lookup_init_go(struct lookup *lookup, const char *symbol, uint64_t size, bool lines,
                           bool inlines)
{
    const struct go_shape shape = {.version = GO_V1_20, .word = 8};
    struct module_options options = {0};
    struct symbol_fixture symbols;
    struct go_fixture go;

    go_fixture_init(&go, &shape);
    go_fixture_add(&go, go.size);
    symbols_init(&symbols);
    if (symbol)
        symbols_add(&symbols, symbol, STB_GLOBAL, STT_FUNC, FIXTURE_FIRST, size);
    fixture_symbols(go.elf, &symbols, true);
    fixture_finish(go.elf);
    assert_int_equal(module_set_create(&options, &lookup->set), STATUS_OK);
    lookup->module = fixture_module(lookup->set, go.elf);
    assert_int_equal(symbolizer_create(lookup->set, lines, inlines, &lookup->symbolizer),
                     STATUS_OK);
}

TEST_BETWEEN(symbolizer_stripped_go_program_has_names_lines_and_inlined_functions, lookup, lookup,
             lookup_init_go, lookup_deinit, NULL, 0, true, true)
{
    const struct source_frames *frames = at(lookup, 0x18);

    assert_int_equal(frames->count, 3);
    assert_string_equal(frames->frames[0].function, "main.leaf");
    assert_true(frames->frames[0].is_inline);
    assert_string_equal(frames->frames[0].file, "/b.go");
    assert_int_equal(frames->frames[0].line, 30);
    assert_string_equal(frames->frames[2].function, "main.main");
    assert_string_equal(frames->frames[2].file, "/a.go");
    assert_true(frames->has_function);
    assert_false(frames->is_unsized);
    assert_int_equal(frames->function_vaddr, FIXTURE_FIRST);
}

TEST(symbolizer_of_go_gives_no_more_than_is_asked_for)
{
    const struct source_frames *frames;
    struct lookup lookup;

    lookup_init_go(&lookup, NULL, 0, true, false);
    frames = at(&lookup, 0x18);
    assert_int_equal(frames->count, 1);
    assert_string_equal(frames->frames[0].function, "main.main");
    assert_string_equal(frames->frames[0].file, "/b.go");
    assert_int_equal(frames->frames[0].line, 30);
    lookup_deinit(&lookup);

    lookup_init_go(&lookup, NULL, 0, false, true);
    frames = at(&lookup, 0x18);
    assert_int_equal(frames->count, 3);
    assert_string_equal(frames->frames[1].function, "main.mid");
    assert_null(frames->frames[1].file);
    assert_int_equal(frames->frames[1].line, 0);
    lookup_deinit(&lookup);

    lookup_init_go(&lookup, NULL, 0, false, false);
    frames = at(&lookup, 0x18);
    assert_int_equal(frames->count, 1);
    assert_string_equal(frames->frames[0].function, "main.main");
    assert_null(frames->frames[0].file);
    lookup_deinit(&lookup);
}

TEST(symbolizer_of_go_names_by_symbol_first)
{
    const struct source_frames *frames;
    struct lookup lookup;

    lookup_init_go(&lookup, "main.main[int]", GO_MAIN_SIZE, true, true);
    frames = at(&lookup, 0x18);
    assert_int_equal(frames->count, 3);
    assert_string_equal(frames->frames[0].function, "main.leaf");
    assert_string_equal(frames->frames[2].function, "main.main[int]");
    lookup_deinit(&lookup);
    /* As in a stripped file: a convention is no part of the name. */
    lookup_init_go(&lookup, "main.main.abi0", GO_MAIN_SIZE, true, true);
    assert_string_equal(at(&lookup, 0x18)->frames[2].function, "main.main");
    lookup_deinit(&lookup);
}

TEST_BETWEEN(symbolizer_symbol_without_size_names_no_later_function_of_go, lookup, lookup,
             lookup_init_go, lookup_deinit, "crosscall1", 0, true, true)
{
    const struct source_frames *frames;

    assert_string_equal(at(lookup, 0x38)->frames[0].function, "crosscall1");
    frames = at(lookup, GO_MAIN_SIZE + 4);
    assert_string_equal(frames->frames[0].function, "main.asm");
    assert_int_equal(frames->function_vaddr, FIXTURE_FIRST + GO_MAIN_SIZE);
    assert_false(frames->is_unsized);
}

/* As outputs cut it, they must still see that there is more. */
TEST(symbolizer_name_that_no_output_shows_whole_is_cut)
{
    char name[TEXT_NAME_SEEN + 2];
    const char *function;
    struct lookup lookup;

    memset(name, 'a', sizeof(name));
    name[TEXT_NAME_SEEN] = '\0';
    lookup_init(&lookup, name, false, false);
    assert_string_equal(at(&lookup, 0x10)->frames[0].function, name);
    lookup_deinit(&lookup);

    name[TEXT_NAME_SEEN] = 'a';
    name[TEXT_NAME_SEEN + 1] = '\0';
    lookup_init(&lookup, name, false, false);
    function = at(&lookup, 0x10)->frames[0].function;
    assert_int_equal(strlen(function), TEXT_NAME_SEEN + 3);
    assert_memory_equal(function, name, TEXT_NAME_SEEN);
    assert_string_equal(function + TEXT_NAME_SEEN, "...");
    lookup_deinit(&lookup);
}
