/* SPDX-License-Identifier: MIT */
/* What functions are called of which gcc keeps the linkage name to itself. */
#include "die_fixture.h"
#include "module_fixture.h"

#include "symbol/dwarf/lines.h"
#include "symbol/dwarf/qualified.h"
#include "symbol/dwarf/unit_scopes.h"
#include "symbol/symbolize.h"

enum { /* abbreviations */
       UNIT = 1,
       SPACE,
       NAMELESS_SPACE,
       RECORD,
       NAMELESS_RECORD,
       NAMED,
       DEFINITION,
       REAL,
       INLINED,
       COPY,
       LINKED,
       LONG_SPACE,
       CIRCLE,
};

static void put_abbrevs(struct bytes *to)
{
    static const uint8_t list[] = {
        ABBREV(UNIT, compile_unit, true, ATTR(language, data1), ATTR(low_pc, addr),
               ATTR(high_pc, data4)),
        ABBREV(SPACE, namespace, true, ATTR(name, string)),
        ABBREV(NAMELESS_SPACE, namespace, true),
        ABBREV(RECORD, class_type, true, ATTR(name, string)),
        ABBREV(NAMELESS_RECORD, structure_type, true, ATTR(decl_line, data1),
               ATTR(decl_column, data1)),
        ABBREV(NAMED, subprogram, false, ATTR(name, string)),
        ABBREV(DEFINITION, subprogram, false, ATTR(specification, ref4)),
        ABBREV(REAL, subprogram, true, ATTR(name, string), ATTR(low_pc, addr),
               ATTR(high_pc, data4)),
        ABBREV(INLINED, inlined_subroutine, false, ATTR(abstract_origin, ref4), ATTR(low_pc, addr),
               ATTR(high_pc, data4)),
        ABBREV(COPY, subprogram, false, ATTR(abstract_origin, ref_addr), ATTR(low_pc, addr),
               ATTR(high_pc, data4)),
        ABBREV(LINKED, subprogram, false, ATTR(name, string), ATTR(linkage_name, string)),
        ABBREV(LONG_SPACE, namespace, true, ATTR(name, strp)),
        ABBREV(CIRCLE, subprogram, true, ATTR(specification, ref4)),
        0,
    };

    put(to, list, sizeof(list));
}

static size_t put_named(struct bytes *to, unsigned abbrev, const char *name)
{
    size_t at = to->size;

    put8(to, abbrev);
    put_string(to, name);
    return at;
}

static void put_nameless(struct bytes *to, unsigned line, unsigned column)
{
    put8(to, NAMELESS_RECORD);
    put8(to, line);
    put8(to, column);
}

/* A copy of the function at `origin`. */
static void put_copy(struct bytes *to, unsigned abbrev, size_t origin, uint64_t start,
                     uint32_t size)
{
    put8(to, abbrev);
    put32(to, origin);
    put_range(to, start, size);
}

static size_t begin_program(struct file *file, unsigned language)
{
    size_t unit;

    *file = (struct file){.image = NULL};
    put_abbrevs(&file->abbrev);
    unit = begin_unit(&file->info, 4);
    put8(&file->info, UNIT);
    put8(&file->info, language);
    put_range(&file->info, 0, 0x100);
    return unit;
}

/*
 *     space::(anonymous namespace)::Class::f    only inlined, at 0x10 of main
 *     the lambda in line 8 of main              only inlined, at 0x20
 *     a::l()                                    has a linkage name, inlined at 0x30
 *     g                                         inlined at 0x40, and real at [0x80, 0xc0)
 */
static void make_program(struct file *file, unsigned language)
{
    struct bytes *info = &file->info;
    size_t unit = begin_program(file, language), declared, f, call, linked, g;

    put_named(info, SPACE, "space");
    put8(info, NAMELESS_SPACE);
    put_named(info, RECORD, "Class");
    declared = put_named(info, NAMED, "f");
    put(info, "\0\0\0", 3); /* ends Class and the namespaces */
    f = info->size;
    put8(info, DEFINITION);
    put32(info, declared);
    linked = put_named(info, LINKED, "l");
    put_string(info, "_ZN1a1lEv");
    g = put_named(info, NAMED, "g");
    put_named(info, REAL, "main");
    put_range(info, 0, 0x80);
    put_nameless(info, 7, 5);
    put_named(info, NAMED, "operator()");
    put8(info, 0);
    put_nameless(info, 8, 3);
    call = put_named(info, NAMED, "operator()");
    put8(info, 0);
    put_copy(info, INLINED, f, 0x10, 0x10);
    put_copy(info, INLINED, call, 0x20, 0x10);
    put_copy(info, INLINED, linked, 0x30, 0x10);
    put_copy(info, INLINED, g, 0x40, 0x10);
    put8(info, 0);
    put_copy(info, COPY, g, 0x80, 0x40);
    put8(info, 0);
    close_length(info, unit);
}

/* A unit whose one function is `depth` namespaces deep, inlined at 0x10 of main. */
static void make_deep(struct file *file, unsigned depth, size_t name_length)
{
    struct bytes *info = &file->info;
    size_t unit = begin_program(file, DW_LANG_C_plus_plus), f;

    memset(file->str.data, 'n', name_length);
    file->str.size = name_length + 1;
    for (unsigned i = 0; i < depth; i++) {
        put8(info, LONG_SPACE);
        put32(info, 0);
    }
    f = put_named(info, NAMED, "f");
    for (unsigned i = 0; i < depth; i++)
        put8(info, 0);
    put_named(info, REAL, "main");
    put_range(info, 0, 0x80);
    put_copy(info, INLINED, f, 0x10, 0x10);
    put8(info, 0);
    put8(info, 0);
    close_length(info, unit);
}

static struct debug_lines *lines_of(const struct file *file, struct elf_image **image)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct debug_lines *lines;

    put_sections(elf, file);
    fixture_finish(elf);
    *image = fixture_open(elf);
    if (debug_lines_create(&(struct lines_files){.image = *image}, &lines) == STATUS_OK)
        return lines;
    elf_image_close(*image);
    return NULL;
}

static void check_name(const struct file *file, uint64_t offset, const char *want)
{
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    struct elf_image *image;
    struct debug_lines *lines = lines_of(file, &image);
    uint64_t start;
    size_t count;

    assert_non_null(lines);
    assert_int_equal(debug_lines_find(lines, LINES_FUNCTIONS, FIXTURE_FIRST + offset, frames,
                                      &count, &start),
                     STATUS_OK);
    assert_string_equal(frames[0].function, want);
    assert_string_equal(frames[count - 1].function, offset < 0x80 ? "main" : "g");
    debug_lines_destroy(lines);
    elf_image_close(image);
}

TEST(qualified_name_tells_what_the_function_is_in)
{
    static const uint8_t languages[] = {DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_14, 0x2a, 0x2b,
                                        DW_LANG_Rust};
    static struct file file;

    for (size_t i = 0; i < sizeof(languages); i++) {
        make_program(&file, languages[i]);
        check_name(&file, 0x10, "space::(anonymous namespace)::Class::f");
        check_name(&file, 0x20, "main::{lambda at 8:3}::operator()");
        check_name(&file, 0x30, "_ZN1a1lEv");
        check_name(&file, 0x40, "g");
        check_name(&file, 0x80, "g");
    }
}

/* By the place of the record, as far as that is known; generic lambdas are some, too. */
TEST(qualified_name_of_a_lambda_is_its_place)
{
    static const struct {
        unsigned line, column;
        const char *function, *want;
    } list[] = {
        {18, 12, "operator()", "{lambda at 18:12}::operator()"},
        {18, 0, "operator()", "{lambda at 18}::operator()"},
        {0, 12, "operator()", "{lambda}::operator()"},
        {18, 12, "operator()<int>", "{lambda at 18:12}::operator()<int>"},
        {18, 12, "f", "{unnamed at 18:12}::f"},
    };
    static struct file file;

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        size_t unit = begin_program(&file, DW_LANG_C_plus_plus), f;

        put_nameless(&file.info, list[i].line, list[i].column);
        f = put_named(&file.info, NAMED, list[i].function);
        put8(&file.info, 0);
        put_named(&file.info, REAL, "main");
        put_range(&file.info, 0, 0x80);
        put_copy(&file.info, INLINED, f, 0x10, 0x10);
        put(&file.info, "\0\0", 2);
        close_length(&file.info, unit);
        check_name(&file, 0x10, list[i].want);
    }
}

TEST(qualified_name_is_not_made_in_c)
{
    static struct file file;

    make_program(&file, DW_LANG_C99);
    check_name(&file, 0x10, "f");
    check_name(&file, 0x30, "_ZN1a1lEv");
    check_name(&file, 0x40, "g");
}

TEST(qualified_name_of_too_much_is_the_declared_one)
{
    static struct file file;
    char want[3 * QUALIFIERS_MAX + 2] = "";

    for (unsigned i = 0; i < QUALIFIERS_MAX; i++)
        strcat(want, "n::");
    strcat(want, "f");
    make_deep(&file, QUALIFIERS_MAX, 1);
    check_name(&file, 0x10, want);
    make_deep(&file, QUALIFIERS_MAX + 1, 1);
    check_name(&file, 0x10, "f");
    make_deep(&file, 30, QUALIFIED_NAME_MAX / 30);
    check_name(&file, 0x10, "f");
}

/* What dwz moved out into another file is in the namespaces of that file. */
TEST(qualified_name_is_found_in_the_shared_file)
{
    static struct file file, shared;
    struct declaration declaration;
    struct qualifier *qualifier;
    const char *name;
    size_t unit, f;

    unit = begin_program(&shared, DW_LANG_C_plus_plus);
    put_named(&shared.info, SPACE, "space");
    f = put_named(&shared.info, NAMED, "f");
    put(&shared.info, "\0\0", 2);
    close_length(&shared.info, unit);
    open_file(&shared, NULL);
    unit = begin_program(&file, DW_LANG_C_plus_plus);
    file.abbrev.size--; /* one more */
    put_abbrev(&file.abbrev, 0x20, DW_TAG_subprogram, DW_AT_specification, DW_FORM_GNU_ref_alt);
    put8(&file.abbrev, 0);
    put8(&file.info, 0x20);
    put32(&file.info, f);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, shared.dwarf);
    assert_int_equal(qualifier_create(&qualifier), STATUS_OK);
    assert_true(die_declaration(file.dwarf, file.info.size - 6, &declaration));
    assert_ptr_equal(declaration.file, shared.dwarf);
    assert_int_equal(qualifier_name(qualifier, &declaration, &name), STATUS_OK);
    assert_string_equal(name, "space::f");
    qualifier_destroy(qualifier);
    close_file(&file);
    close_file(&shared);
}

/* A function that is said to be the definition of one inside itself. */
TEST(qualified_name_in_a_circle_is_the_declared_one)
{
    static struct file file;
    size_t unit, circle, f;

    unit = begin_program(&file, DW_LANG_C_plus_plus);
    circle = file.info.size;
    put8(&file.info, CIRCLE);
    put32(&file.info, circle + 5);
    f = put_named(&file.info, NAMED, "f");
    put8(&file.info, 0);
    put_named(&file.info, REAL, "main");
    put_range(&file.info, 0, 0x80);
    put_copy(&file.info, INLINED, f, 0x10, 0x10);
    put8(&file.info, 0);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    check_name(&file, 0x10, "f");
}

/* Cut short anywhere, and with each byte another: some name, or none. */
TEST(qualified_names_of_damaged_units_are_survived)
{
    static struct file file, whole;
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    struct elf_image *image;
    uint64_t start;
    size_t count;

    make_program(&whole, DW_LANG_C_plus_plus);
    for (size_t i = 12; i < 2 * whole.info.size; i++) {
        struct debug_lines *lines;

        file = whole;
        if (i < whole.info.size)
            file.info.size = i;
        else
            file.info.data[i - whole.info.size] ^= 0x0f;
        if (i < whole.info.size)
            close_length(&file.info, 0);
        lines = lines_of(&file, &image);
        if (!lines)
            continue;
        for (uint64_t offset = 0; offset < 0x100; offset += 0x10)
            (void)!debug_lines_find(lines, LINES_FUNCTIONS, FIXTURE_FIRST + offset, frames, &count,
                                    &start);
        debug_lines_destroy(lines);
        elf_image_close(image);
    }
}

TEST(scopes_are_read_up_to_the_limit)
{
    static struct file file;
    struct unit_scopes *scopes;
    const struct scope *scope;
    const size_t inner = 11 + 1 + 1 + 12; /* header, the unit's DIE: the first namespace */

    make_deep(&file, 3, 1);
    open_file(&file, NULL);
    assert_int_equal(unit_scopes_create(file.dwarf, &file.dwarf->units[0], 3, &scopes), STATUS_OK);
    assert_int_equal(unit_scopes_count(scopes), 3);
    scope = unit_scopes_around(scopes, inner + 15);
    assert_non_null(scope);
    assert_int_equal(scope->off, inner + 5);
    assert_int_equal(scope->end_off, inner + 15 + 3 + 2);
    assert_null(unit_scopes_around(scopes, inner));
    assert_null(unit_scopes_around(scopes, inner + 15 + 3 + 3));
    unit_scopes_destroy(scopes);
    close_file(&file);
}

struct copy_case {
    const char *symbol; /* of g's code, from `start` on */
    uint64_t start;
    const char *inlined, *real;
    bool is_real; /* the copy is told to be the real function */
};

static void check_copy(const struct copy_case *want)
{
    static struct file file;
    struct module_options options = {0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    const struct source_frames *frames;
    struct symbol_fixture symbols;
    struct symbolizer *symbolizer;
    struct module_set *set;
    struct module *module;

    make_program(&file, DW_LANG_C_plus_plus);
    put_sections(elf, &file);
    symbols_init(&symbols);
    symbols_add(&symbols, want->symbol, STB_LOCAL, STT_FUNC, FIXTURE_FIRST + want->start,
                0xc0 - want->start);
    fixture_symbols(elf, &symbols, false);
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    module = fixture_module(set, elf);
    assert_int_equal(symbolizer_create(set, false, true, &symbolizer), STATUS_OK);
    assert_int_equal(symbolizer_lookup(symbolizer, module, FIXTURE_FIRST + 0x90, &frames),
                     STATUS_OK);
    assert_int_equal(frames->count, 1);
    assert_string_equal(frames->frames[0].function, want->real);
    assert_int_equal(frames->frames[0].real_vaddr, 0);
    assert_int_equal(symbolizer_lookup(symbolizer, module, FIXTURE_FIRST + 0x40, &frames),
                     STATUS_OK);
    assert_int_equal(frames->count, 2);
    assert_string_equal(frames->frames[0].function, want->inlined);
    assert_int_equal(frames->frames[0].real_vaddr, want->is_real ? FIXTURE_FIRST + 0x80 : 0);
    symbolizer_destroy(symbolizer);
    module_set_destroy(set);
}

TEST(symbolizer_inlined_copy_is_named_by_the_symbol_of_its_declaration)
{
    check_copy(&(struct copy_case){"_ZL1gi", 0x80, "g(int)", "g(int)", true});
    check_copy(&(struct copy_case){"_ZL1gi.isra.0", 0x80, "g(int)", "g(int).isra.0", false});
    check_copy(&(struct copy_case){"_ZL1gi", 0x84, "g", "g(int)", false});
}
