/* SPDX-License-Identifier: MIT */
#include "die_fixture.h"

#include "symbol/dwarf/die.h"
#include "symbol/dwarf/unit_functions.h"

/* As functions are named. */
static const char *name_at(struct file *file, uint64_t off)
{
    struct declaration declaration;

    if (!die_declaration(file->dwarf, off, &declaration))
        return NULL;
    return declaration.linkage_name ? declaration.linkage_name : declaration.name;
}

struct named {
    unsigned version, form;
    const char *bytes;
    size_t size;
};

/* "one" is at 4 of .debug_str, "two" at 4 of .debug_line_str, "three" has index 2. */
static void check_name(const struct named *named, const char *want)
{
    static struct file file;
    const char *name;
    size_t unit, die;

    file = (struct file){.image = NULL};
    put(&file.str, "xxx\0one\0three", 14);
    put(&file.line_str, "yyy\0two", 8);
    put32(&file.str_offsets, 16); /* a header of 8 bytes, and 3 offsets */
    put32(&file.str_offsets, 5);
    put32(&file.str_offsets, 0);
    put32(&file.str_offsets, 4);
    put32(&file.str_offsets, 8);
    put(&file.abbrev,
        (const uint8_t[]){1, DW_TAG_compile_unit, 1, DW_AT_str_offsets_base, DW_FORM_data4, 0, 0},
        7);
    put_abbrev(&file.abbrev, 2, DW_TAG_subprogram, DW_AT_name, named->form);
    put8(&file.abbrev, 0);
    unit = begin_unit(&file.info, named->version);
    put8(&file.info, 1);
    put32(&file.info, 8);
    die = file.info.size;
    put8(&file.info, 2);
    put(&file.info, named->bytes, named->size);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, NULL);
    name = name_at(&file, die);
    if (want)
        assert_string_equal(name, want);
    else
        assert_null(name);
    close_file(&file);
}

TEST(die_names_of_every_form_are_read)
{
    for (unsigned version = 2; version <= 5; version++) {
        check_name(&(struct named){version, DW_FORM_string, "zero", 5}, "zero");
        check_name(&(struct named){version, DW_FORM_strp, "\4\0\0", 4}, "one");
        check_name(&(struct named){version, DW_FORM_indirect, "\x0e\4\0\0", 5}, "one");
    }
    check_name(&(struct named){5, DW_FORM_line_strp, "\4\0\0", 4}, "two");
    check_name(&(struct named){5, DW_FORM_strx, "\2", 1}, "three");
    check_name(&(struct named){5, DW_FORM_strx1, "\2", 1}, "three");
    check_name(&(struct named){5, DW_FORM_strx2, "\2", 2}, "three");
    check_name(&(struct named){5, DW_FORM_strx3, "\2\0", 3}, "three");
    check_name(&(struct named){5, DW_FORM_strx4, "\2\0\0", 4}, "three");
    check_name(&(struct named){5, DW_FORM_strx, "\x82\x80\0", 3}, "three");
}

TEST(die_names_that_are_not_there_are_none)
{
    check_name(&(struct named){4, DW_FORM_strp, "\xff\0\0", 4}, NULL);
    check_name(&(struct named){4, DW_FORM_strp, "\xff\xff\xff\xff", 4}, NULL);
    check_name(&(struct named){4, DW_FORM_string, "", 1}, NULL);
    check_name(&(struct named){5, DW_FORM_strx1, "\x7f", 1}, NULL);
    check_name(&(struct named){5, DW_FORM_strx, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10},
               NULL);
    check_name(&(struct named){4, DW_FORM_GNU_strp_alt, "\4\0\0", 4}, NULL); /* no other file */
    check_name(&(struct named){4, DW_FORM_data4, "\4\0\0", 4}, NULL);        /* a number */
    check_name(&(struct named){4, 0x7f, "\4\0\0", 4}, NULL);                 /* no known form */
    check_name(&(struct named){4, DW_FORM_indirect, "\x16", 1}, NULL);       /* of itself */
    check_name(&(struct named){4, DW_FORM_block1, "\xff", 1}, NULL);
}

/* A unit whose DIE 2 is called "target" and whose other DIE refers to it; `ref` is filled in. */
static void check_reference(unsigned version, unsigned form, unsigned size)
{
    static struct file file;
    size_t unit, target, die;
    uint64_t off;

    file = (struct file){.image = NULL};
    begin_abbrevs(&file.abbrev);
    put_abbrev(&file.abbrev, 2, DW_TAG_subprogram, DW_AT_name, DW_FORM_string);
    put_abbrev(&file.abbrev, 3, DW_TAG_inlined_subroutine, DW_AT_abstract_origin, form);
    put8(&file.abbrev, 0);
    unit = begin_unit(&file.info, version); /* one before it, so that offsets differ */
    put8(&file.info, 1);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    unit = begin_unit(&file.info, version);
    put8(&file.info, 1);
    target = file.info.size;
    put8(&file.info, 2);
    put_string(&file.info, "target");
    die = file.info.size;
    put8(&file.info, 3);
    off = form == DW_FORM_ref_addr ? target : target - unit;
    put(&file.info, &off, size);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, NULL);
    assert_string_equal(name_at(&file, die), "target");
    close_file(&file);
}

TEST(die_references_of_every_form_are_followed)
{
    for (unsigned version = 2; version <= 5; version++) {
        check_reference(version, DW_FORM_ref1, 1);
        check_reference(version, DW_FORM_ref2, 2);
        check_reference(version, DW_FORM_ref4, 4);
        check_reference(version, DW_FORM_ref8, 8);
        check_reference(version, DW_FORM_ref_udata, 1);
        check_reference(version, DW_FORM_ref_addr, version == 2 ? 8 : 4);
    }
}

/* What dwz moves out into another file: DIEs and strings. */
TEST(die_references_lead_to_the_shared_file)
{
    static struct file file, shared;
    size_t unit, target, die;

    shared = (struct file){.image = NULL};
    begin_abbrevs(&shared.abbrev);
    put_abbrev(&shared.abbrev, 2, DW_TAG_subprogram, DW_AT_name, DW_FORM_string);
    put8(&shared.abbrev, 0);
    put(&shared.str, "xxx\0elsewhere", 14);
    unit = begin_unit(&shared.info, 4);
    put8(&shared.info, 1);
    target = shared.info.size;
    put8(&shared.info, 2);
    put_string(&shared.info, "target");
    put8(&shared.info, 0);
    close_length(&shared.info, unit);
    open_file(&shared, NULL);

    file = (struct file){.image = NULL};
    begin_abbrevs(&file.abbrev);
    put_abbrev(&file.abbrev, 2, DW_TAG_subprogram, DW_AT_abstract_origin, DW_FORM_GNU_ref_alt);
    put_abbrev(&file.abbrev, 3, DW_TAG_subprogram, DW_AT_name, DW_FORM_GNU_strp_alt);
    put8(&file.abbrev, 0);
    unit = begin_unit(&file.info, 4);
    put8(&file.info, 1);
    die = file.info.size;
    put8(&file.info, 2);
    put32(&file.info, target);
    put8(&file.info, 3);
    put32(&file.info, 4);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, shared.dwarf);
    assert_string_equal(name_at(&file, die), "target");
    assert_string_equal(name_at(&file, die + 5), "elsewhere");
    close_file(&file);
    open_file(&file, NULL); /* and to nothing where that is not there */
    assert_null(name_at(&file, die));
    assert_null(name_at(&file, die + 5));
    close_file(&file);
    close_file(&shared);
}

/* Function `from` is said to be a copy of what is at `to`, another one of what is at `back`. */
static void check_no_name(uint32_t to, uint32_t back)
{
    static struct file file;
    size_t unit;

    file = (struct file){.image = NULL};
    begin_abbrevs(&file.abbrev);
    put_abbrev(&file.abbrev, 2, DW_TAG_subprogram, DW_AT_abstract_origin, DW_FORM_ref4);
    put8(&file.abbrev, 0);
    unit = begin_unit(&file.info, 4);
    put8(&file.info, 1);
    put8(&file.info, 2); /* at 12 */
    put32(&file.info, to);
    put8(&file.info, 2); /* at 17 */
    put32(&file.info, back);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, NULL);
    assert_null(name_at(&file, 12));
    close_file(&file);
}

TEST(die_references_in_circles_or_out_of_the_unit_end)
{
    check_no_name(12, 12);
    check_no_name(17, 12);
    check_no_name(17, 17);
    check_no_name(0, 0);  /* the header */
    check_no_name(10, 0); /* inside it */
    check_no_name(22, 0); /* the end of the children */
    check_no_name(23, 0); /* the end of the unit */
    check_no_name(UINT32_MAX, 0);
    check_no_name(11, 0); /* the unit, which has no name */
}

/* A function of address index 1 of .debug_addr, 0x20 long, by each form of index. */
TEST(die_addresses_by_index_are_found)
{
    static const struct {
        unsigned form, size;
    } forms[] = {{DW_FORM_addrx, 1},
                 {DW_FORM_addrx1, 1},
                 {DW_FORM_addrx2, 2},
                 {DW_FORM_addrx3, 3},
                 {DW_FORM_addrx4, 4}};

    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        static struct file file;
        struct unit_functions *functions;
        size_t unit;

        file = (struct file){.image = NULL};
        put64(&file.addr, 0);
        put64(&file.addr, 0);
        put64(&file.addr, FIXTURE_FIRST + 0x40);
        put(&file.abbrev,
            (const uint8_t[]){1, DW_TAG_compile_unit, 1, DW_AT_addr_base, DW_FORM_sec_offset, 0, 0,
                              2, DW_TAG_subprogram, 0, DW_AT_low_pc, (uint8_t)forms[i].form,
                              DW_AT_high_pc, DW_FORM_udata, 0, 0, 0},
            17);
        unit = begin_unit(&file.info, 5);
        put8(&file.info, 1);
        put32(&file.info, 8);
        put8(&file.info, 2);
        put(&file.info, "\1\0\0", forms[i].size);
        put8(&file.info, 0x20);
        put8(&file.info, 0);
        close_length(&file.info, unit);
        open_file(&file, NULL);
        assert_int_equal(unit_functions_create(file.dwarf, &file.dwarf->units[0], &functions),
                         STATUS_OK);
        assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x3f), FUNCTION_NONE);
        assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x40), 0);
        assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x5f), 0);
        assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x60), FUNCTION_NONE);
        unit_functions_destroy(functions);
        close_file(&file);
    }
}

/*
 * A type whose DW_AT_sibling is `sibling`, with a function inside that begins the code, and behind
 * it one at 0x80. Bit 0: the first was found, bit 1: the second.
 */
static unsigned found_with_sibling(uint32_t sibling)
{
    static const uint8_t abbrevs[] = {
        ABBREV(1, compile_unit, true, ATTR(language, data1)),
        ABBREV(2, structure_type, true, ATTR(sibling, ref4)),
        ABBREV(3, subprogram, false, ATTR(low_pc, addr), ATTR(high_pc, data1)),
        0,
    };
    static struct file file;
    struct unit_functions *functions;
    unsigned found = 0;
    size_t unit;

    file = (struct file){.image = NULL};
    put(&file.abbrev, abbrevs, sizeof(abbrevs));
    unit = begin_unit(&file.info, 4);
    put8(&file.info, 1);
    put8(&file.info, DW_LANG_C99);
    put8(&file.info, 2); /* at 13 */
    put32(&file.info, sibling);
    put8(&file.info, 3); /* at 18 */
    put64(&file.info, FIXTURE_FIRST);
    put8(&file.info, 8);
    put8(&file.info, 0);
    put8(&file.info, 3); /* at 29 */
    put64(&file.info, FIXTURE_FIRST + 0x80);
    put8(&file.info, 8);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    open_file(&file, NULL);
    assert_int_equal(unit_functions_create(file.dwarf, &file.dwarf->units[0], &functions),
                     STATUS_OK);
    found |= unit_functions_find(functions, FIXTURE_FIRST) != FUNCTION_NONE;
    found |= unit_functions_find(functions, FIXTURE_FIRST + 0x80) != FUNCTION_NONE ? 2 : 0;
    unit_functions_destroy(functions);
    close_file(&file);
    return found;
}

TEST(die_siblings_are_followed_forward_only)
{
    assert_int_equal(found_with_sibling(29), 2); /* C has no functions in its types */
    assert_int_equal(found_with_sibling(13), 3); /* itself: not followed */
    assert_int_equal(found_with_sibling(0), 3);
    assert_int_equal(found_with_sibling(17), 3);
    assert_int_equal(found_with_sibling(UINT32_MAX), 3);
    assert_int_equal(found_with_sibling(41), 3); /* behind the unit */
    assert_int_equal(found_with_sibling(40), 0); /* its end */
}

/* Units in 64-bit DWARF, type units in between; what is unsound ends the list. */
TEST(die_units_are_listed_up_to_an_unsound_header)
{
    static struct file file;
    size_t unit;

    file = (struct file){.image = NULL};
    begin_abbrevs(&file.abbrev);
    put_abbrev(&file.abbrev, 2, DW_TAG_subprogram, DW_AT_name, DW_FORM_strp);
    put8(&file.abbrev, 0);
    put(&file.str, "xxx\0one", 8);
    put32(&file.info, 0xffffffff); /* DWARF 64: offsets of 8 bytes */
    put64(&file.info, 2 + 8 + 1 + 1 + 9 + 1);
    put16(&file.info, 4);
    put64(&file.info, 0);
    put8(&file.info, 8);
    put8(&file.info, 1);
    put8(&file.info, 2); /* at 24 */
    put64(&file.info, 4);
    put8(&file.info, 0);
    unit = file.info.size; /* 34: a type unit */
    put32(&file.info, 0);
    put16(&file.info, 5);
    put16(&file.info, DW_UT_type | 8 << 8);
    put32(&file.info, 0);
    put64(&file.info, 0x1234);
    put32(&file.info, 24);
    put8(&file.info, 1);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    unit = begin_unit(&file.info, 5);
    put8(&file.info, 1);
    put8(&file.info, 0);
    close_length(&file.info, unit);
    unit = begin_unit(&file.info, 6); /* of the future */
    close_length(&file.info, unit);
    open_file(&file, NULL);
    assert_int_equal(file.dwarf->unit_count, 3);
    assert_true(file.dwarf->units[0].has_code);
    assert_false(file.dwarf->units[1].has_code);
    assert_true(file.dwarf->units[2].has_code);
    assert_string_equal(name_at(&file, 24), "one");
    assert_null(dwarf_unit_at(file.dwarf, 10)); /* in a header */
    assert_ptr_equal(dwarf_unit_at(file.dwarf, 24), &file.dwarf->units[0]);
    assert_ptr_equal(dwarf_unit_at(file.dwarf, 34 + 24), &file.dwarf->units[1]);
    assert_null(dwarf_unit_at(file.dwarf, unit));
    assert_null(dwarf_unit_at(file.dwarf, UINT64_MAX));
    close_file(&file);
}

/* A function inside 300 blocks, which are more than are gone into, and one after them. */
TEST(die_tree_that_is_too_deep_loses_no_function_after_it)
{
    static const uint8_t abbrevs[] = {
        ABBREV(1, compile_unit, true),
        ABBREV(2, subprogram, true, ATTR(low_pc, addr), ATTR(high_pc, implicit_const), 8),
        ABBREV(3, lexical_block, true),
        0,
    };
    static struct file file;
    struct unit_functions *functions;
    size_t unit;

    file = (struct file){.image = NULL};
    put(&file.abbrev, abbrevs, sizeof(abbrevs));
    unit = begin_unit(&file.info, 5);
    put8(&file.info, 1);
    put8(&file.info, 2);
    put64(&file.info, FIXTURE_FIRST);
    for (int i = 0; i < 300; i++)
        put8(&file.info, 3);
    put8(&file.info, 2);
    put64(&file.info, FIXTURE_FIRST + 0x80);
    for (int i = 0; i < 302; i++)
        put8(&file.info, 0);
    put8(&file.info, 2);
    put64(&file.info, FIXTURE_FIRST + 0x40);
    close_length(&file.info, unit);
    open_file(&file, NULL);
    assert_int_equal(unit_functions_create(file.dwarf, &file.dwarf->units[0], &functions),
                     STATUS_OK);
    assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST), 0);
    assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x80), FUNCTION_NONE);
    assert_int_equal(unit_functions_find(functions, FIXTURE_FIRST + 0x40), 1);
    unit_functions_destroy(functions);
    close_file(&file);
}

/* Two units of one table, and one of what follows its first entry. */
TEST(die_abbreviations_are_read_as_often_as_the_section_is_large)
{
    const struct abbrev_table *table;
    struct file file = {.image = NULL};
    struct dwarf_file *dwarf;
    uint64_t left;

    put(&file.abbrev, (const uint8_t[]){1, DW_TAG_compile_unit, 0, 0, 0}, 5);
    put(&file.abbrev, (const uint8_t[]){1, DW_TAG_compile_unit, 0, 0, 0, 0}, 6);
    for (unsigned i = 0; i < 3; i++) {
        const size_t unit = begin_unit(&file.info, 4);

        file.info.data[unit + 6] = i == 2 ? 5 : 0;
        put8(&file.info, 1);
        close_length(&file.info, unit);
    }
    open_file(&file, NULL);
    dwarf = file.dwarf;
    table = dwarf_abbrevs(dwarf, &dwarf->units[0]);
    left = dwarf->abbrev_budget;
    assert_int_equal(left, DWARF_ABBREV_BUDGET + DWARF_ABBREV_FACTOR * 11 - 11);
    dwarf->abbrev_bytes = DWARF_ABBREV_CACHE + 1; /* as of a table that is as large */
    assert_ptr_equal(dwarf_abbrevs(dwarf, &dwarf->units[1]), table);
    assert_int_equal(dwarf->abbrev_budget, left);
    assert_non_null(dwarf_abbrevs(dwarf, &dwarf->units[2])); /* in place of the other */
    assert_int_equal(dwarf->abbrev_budget, left - 6);
    dwarf->abbrev_budget = 0;
    assert_null(dwarf_abbrevs(dwarf, &dwarf->units[0]));
    assert_true(dwarf->cut_short);
    close_file(&file);
}
