/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include "symbol/dwarf/die.h"
#include "symbol/dwarf/lines.h"
#include "symbol/dwarf/unit_functions.h"
#include "symbol/dwarf/unit_index.h"
#include "symbol/dwarf/unit_lines.h"

/* The frames of an address, as text: "function@file:line function@file:line", innermost first. */
static const char *frames_at(struct debug_lines *lines, uint64_t offset, uint64_t *start)
{
    static char text[1024];
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    size_t count, len = 0;

    text[0] = '\0';
    *start = 0;
    if (debug_lines_find(lines, LINES_PLACES | LINES_FUNCTIONS, FIXTURE_FIRST + offset, frames,
                         &count, start) != STATUS_OK)
        return "nothing";
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s@%s:%u", i ? " " : "",
                                frames[i].function ? frames[i].function : "?",
                                frames[i].file ? frames[i].file : "?", frames[i].line);
    return text;
}

static struct debug_lines *lines_of(struct elf_image *image)
{
    struct debug_lines *lines;

    assert_int_equal(debug_lines_create(&(struct lines_files){.image = image}, &lines), STATUS_OK);
    return lines;
}

static void check_unit(unsigned version)
{
    struct dwarf_sections dwarf;
    struct elf_image *image;
    struct debug_lines *lines;
    uint64_t start;

    make_dwarf(&dwarf, version);
    image = dwarf_image(&dwarf);
    lines = lines_of(image);
    assert_string_equal(frames_at(lines, 0, &start), "main@/src/a.c:10");
    assert_int_equal(start, FIXTURE_FIRST);
    assert_string_equal(frames_at(lines, 0x10, &start), "g@/src/inc/b.h:20 main@/src/a.c:7");
    assert_string_equal(frames_at(lines, 0x2f, &start),
                        "h@/src/inc/b.h:30 g@/src/inc/b.h:25 main@/src/a.c:7");
    assert_int_equal(start, FIXTURE_FIRST);
    assert_string_equal(frames_at(lines, 0x30, &start), "g@/src/inc/b.h:20 main@/src/a.c:7");
    assert_string_equal(frames_at(lines, 0x40, &start), "main@/src/a.c:10");
    assert_string_equal(frames_at(lines, 0x80, &start), "_split@/src/a.c:50");
    assert_int_equal(start, FIXTURE_FIRST + 0x80);
    assert_string_equal(frames_at(lines, 0xb0, &start), "?@/src/a.c:50");
    assert_string_equal(frames_at(lines, 0xdf, &start), "_split@/src/a.c:50");
    assert_int_equal(start, FIXTURE_FIRST + 0x80);
    assert_string_equal(frames_at(lines, 0x100, &start), "nothing");
    assert_string_equal(frames_at(lines, (uint64_t)-1, &start), "nothing");
    assert_null(debug_lines_cut_short(lines));
    debug_lines_destroy(lines);
    elf_image_close(image);
}

TEST(lines_of_dwarf_4_have_inlined_frames)
{
    check_unit(4);
}

TEST(lines_of_dwarf_5_have_inlined_frames)
{
    check_unit(5);
}

TEST(lines_without_line_table_still_name_functions)
{
    struct dwarf_sections dwarf;
    struct elf_image *image;
    struct debug_lines *lines;
    uint64_t start;

    make_dwarf(&dwarf, 4);
    dwarf.line.data[4] = 77; /* the version */
    image = dwarf_image(&dwarf);
    lines = lines_of(image);
    assert_string_equal(frames_at(lines, 0x10, &start), "g@?:0 main@?:7");
    debug_lines_destroy(lines);
    elf_image_close(image);
}

TEST(lines_without_functions_still_tell_the_line)
{
    struct dwarf_sections dwarf;
    struct elf_image *image;
    struct debug_lines *lines;
    uint64_t start;
    size_t at;

    make_dwarf(&dwarf, 4);
    for (at = 0; dwarf.abbrev.data[at] != 3 || dwarf.abbrev.data[at + 1] != DW_TAG_subprogram;)
        at++;
    dwarf.abbrev.data[at + 1] = DW_TAG_variable;
    image = dwarf_image(&dwarf);
    lines = lines_of(image);
    assert_string_equal(frames_at(lines, 0x50, &start), "?@/src/a.c:10");
    debug_lines_destroy(lines);
    elf_image_close(image);
}

/*
 * A unit without ranges of its own is found through .debug_aranges, also behind the pair of zeros
 * that is left of a dropped function without a size.
 */
TEST(lines_unit_without_ranges_is_found_by_aranges)
{
    struct dwarf_sections dwarf;
    struct bytes aranges = {.size = 0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct debug_lines *lines;
    uint64_t start;

    make_dwarf(&dwarf, 4);
    for (size_t i = 3; i < 15; i++) /* the unit's low and high pc become attributes of no meaning */
        if (dwarf.abbrev.data[i] == DW_AT_low_pc || dwarf.abbrev.data[i] == DW_AT_high_pc)
            dwarf.abbrev.data[i] = DW_AT_segment;
    put32(&aranges, 0);
    put16(&aranges, 2);
    put32(&aranges, 0);
    put16(&aranges, 8);
    put32(&aranges, 0); /* padding to a multiple of 16 */
    put64(&aranges, 0);
    put64(&aranges, 0);
    put64(&aranges, FIXTURE_FIRST);
    put64(&aranges, 0x100);
    put64(&aranges, 0);
    put64(&aranges, 0);
    close_length(&aranges, 0);
    fixture_text(elf, 0x100);
    fixture_debug(elf, ".debug_info", &dwarf.info);
    fixture_debug(elf, ".debug_abbrev", &dwarf.abbrev);
    fixture_debug(elf, ".debug_line", &dwarf.line);
    fixture_debug(elf, ".debug_aranges", &aranges);
    fixture_finish(elf);
    image = fixture_open(elf);
    lines = lines_of(image);
    assert_string_equal(frames_at(lines, 0x20, &start),
                        "h@/src/inc/b.h:30 g@/src/inc/b.h:25 main@/src/a.c:7");
    debug_lines_destroy(lines);
    elf_image_close(image);
}

static void insert(struct bytes *to, size_t at, const void *data, size_t size)
{
    struct bytes rest = {.size = 0};

    put(&rest, to->data + at, to->size - at);
    to->size = at;
    put(to, data, size);
    put(to, rest.data, rest.size);
}

static void expect_main(const struct dwarf_sections *dwarf)
{
    struct elf_image *image = dwarf_image(dwarf);
    struct debug_lines *lines = lines_of(image);
    uint64_t start;

    assert_string_equal(frames_at(lines, 0, &start), "main@/src/a.c:10");
    assert_string_equal(frames_at(lines, 0x10, &start), "g@/src/inc/b.h:20 main@/src/a.c:7");
    debug_lines_destroy(lines);
    elf_image_close(image);
}

/* A sequence that begins in what was dropped, at 0, and then sets an address that is there. */
TEST(lines_after_dropped_code_in_a_sequence_are_kept)
{
    static const uint8_t dropped[] = {0, 9, DW_LNE_set_address, 0, 0, 0, 0, 0, 0,
                                      0, 0, DW_LNS_copy};
    struct dwarf_sections dwarf;
    size_t at = 0;

    make_dwarf(&dwarf, 4);
    while (memcmp(dwarf.line.data + at, dropped, 3) != 0)
        at++;
    insert(&dwarf.line, at, dropped, sizeof(dropped));
    close_length(&dwarf.line, 0);
    expect_main(&dwarf);
}

TEST(lines_after_a_unit_of_unknown_version_are_found)
{
    static const uint8_t unknown[] = {3, 0, 0, 0, 77, 0, 0};
    struct dwarf_sections dwarf;

    make_dwarf(&dwarf, 4);
    insert(&dwarf.info, 0, unknown, sizeof(unknown));
    expect_main(&dwarf);
}

/* Two units, without a directory, with one line table. */
TEST(lines_of_units_with_one_table_are_read_once)
{
    struct dwarf_sections dwarf;
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    const char *paths[2];
    struct elf_image *image;
    struct debug_lines *lines;
    struct bytes second;
    uint64_t start;
    uint32_t size;
    size_t count;

    make_dwarf(&dwarf, 4);
    for (size_t i = 3; i < 15; i++)
        if (dwarf.abbrev.data[i] == DW_AT_comp_dir)
            dwarf.abbrev.data[i] = DW_AT_producer;
    second = dwarf.info;
    size = 0x40; /* of the first unit's code, which ends with the address and size of all code */
    memcpy(dwarf.info.data + 11 + 1 + 4 + 5 + 4 + 8, &size, 4);
    put(&dwarf.info, second.data, second.size);
    image = dwarf_image(&dwarf);
    lines = lines_of(image);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(debug_lines_find(lines, LINES_PLACES, FIXTURE_FIRST + i * 0x80, frames,
                                          &count, &start),
                         STATUS_OK);
        paths[i] = frames[0].file;
        assert_string_equal(paths[i], "a.c");
        assert_int_equal(frames[0].line, i ? 50 : 10);
    }
    assert_ptr_equal(paths[0], paths[1]);
    debug_lines_destroy(lines);
    elf_image_close(image);
}

TEST(lines_of_an_image_without_dwarf_are_not_found)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct debug_lines *lines;

    fixture_text(elf, 0x100);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(debug_lines_create(&(struct lines_files){.image = image}, &lines),
                     STATUS_NOT_FOUND);
    elf_image_close(image);
}

/* Every budget: with one that does not last the file says that something was left out. */
static void check_budget(size_t budget_at, uint64_t left, bool cut_short)
{
    struct dwarf_sections dwarf;
    struct unit_functions *functions = NULL;
    struct interval_set *ranges = NULL;
    struct unit_lines *lines = NULL;
    struct dwarf_file *file;
    struct elf_image *image;
    struct die die;

    make_dwarf(&dwarf, 4);
    image = dwarf_image(&dwarf);
    assert_int_equal(dwarf_file_open(image, NULL, &file), STATUS_OK);
    for (enum dwarf_section section = 0; section < DWARF_SECTION_COUNT; section++)
        dwarf_section_at(file, section, 0); /* which adds to budgets */
    memcpy((char *)file + budget_at, &left, sizeof(left));
    assert_int_equal(unit_index_create(file, &ranges), STATUS_OK);
    if (die_read_unit(file, &file->units[0], &die)) {
        assert_int_not_equal(unit_lines_create(&die, &lines), STATUS_NO_MEMORY);
        assert_int_equal(unit_functions_create(file, &file->units[0], &functions), STATUS_OK);
    }
    assert_int_equal(file->cut_short, cut_short);
    interval_set_destroy(ranges);
    unit_lines_destroy(lines);
    unit_functions_destroy(functions);
    dwarf_file_close(file);
    elf_image_close(image);
}

TEST(lines_that_a_limit_leaves_out_are_told)
{
    check_budget(offsetof(struct dwarf_file, abbrev_budget), 0, true);
    check_budget(offsetof(struct dwarf_file, abbrev_budget), 1000, false);
    check_budget(offsetof(struct dwarf_file, range_budget), 2, true); /* of 3 with the end */
    check_budget(offsetof(struct dwarf_file, range_budget), 3, false);
    check_budget(offsetof(struct dwarf_file, function_budget), 3, true);
    check_budget(offsetof(struct dwarf_file, function_budget), 4, false);
    check_budget(offsetof(struct dwarf_file, line_budget), 10, true);
    check_budget(offsetof(struct dwarf_file, line_budget), 1000, false);
}

static void look_up_everything(const struct dwarf_sections *dwarf)
{
    struct elf_image *image = dwarf_image(dwarf);
    struct debug_lines *lines;
    uint64_t start;

    if (debug_lines_create(&(struct lines_files){.image = image}, &lines) == STATUS_OK) {
        for (uint64_t offset = 0; offset < 0x100; offset += 8)
            assert_non_null(frames_at(lines, offset, &start));
        debug_lines_destroy(lines);
    }
    elf_image_close(image);
}

/* Whatever byte is damaged, and however: an answer, or none. */
TEST(lines_damaged_anywhere_give_an_answer_or_none)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xff};

    for (unsigned version = 4; version <= 5; version++) {
        struct dwarf_sections dwarf;
        struct bytes *const parts[] = {&dwarf.info, &dwarf.abbrev, &dwarf.line, &dwarf.ranges};

        make_dwarf(&dwarf, version);
        for (size_t part = 0; part < 4; part++) {
            for (size_t i = 0; i < parts[part]->size * 3; i++) {
                parts[part]->data[i / 3] ^= masks[i % 3];
                look_up_everything(&dwarf);
                parts[part]->data[i / 3] ^= masks[i % 3];
            }
            while (parts[part]->size > 0) {
                parts[part]->size--;
                look_up_everything(&dwarf);
            }
            make_dwarf(&dwarf, version);
        }
    }
}
