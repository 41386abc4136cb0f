/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include "symbol/dwarf/line_header.h"

TEST(line_header_tables_of_every_version_are_read)
{
    for (unsigned version = 2; version <= 5; version++) {
        struct line_strings strings = {cursor_init("", 0), cursor_init("", 0)};
        struct line_header header;
        struct line_files files;
        struct bytes section;

        make_line_section(&section, version);
        assert_int_equal(line_header_read(section.data, section.size, 0, &header), STATUS_OK);
        assert_int_equal(header.version, version);
        assert_int_equal(header.line_base, -5);
        assert_int_equal(header.line_range, 14);
        assert_int_equal(header.opcode_base, 13);
        assert_int_equal(line_files_read(&header, &strings, &files), STATUS_OK);
        assert_int_equal(files.file_count, 3);
        assert_int_equal(files.dir_count, 2);
        if (version < 5)
            assert_null(files.files[0].name);
        else
            assert_string_equal(files.dirs[0].name, "/src");
        assert_string_equal(files.files[1].name, "a.c");
        assert_int_equal(files.files[1].dir, 0);
        assert_string_equal(files.files[2].name, "b.h");
        assert_string_equal(files.dirs[files.files[2].dir].name, "inc");
        line_files_deinit(&files);
    }
}

/* Strings elsewhere, an MD5 sum, and a kind of content that nobody knows. */
TEST(line_header_version_5_reads_forms_of_clang)
{
#define ENTRY(content, form) DW_LNCT_##content, DW_FORM_##form
#define WORD(value)          value, 0, 0, 0
#define SUM                  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    static const uint8_t tables[] = {1,
                                     ENTRY(path, line_strp),
                                     1,
                                     WORD(4), /* one directory, at offset 4 */
                                     4,
                                     ENTRY(path, strp),
                                     ENTRY(directory_index, data2),
                                     ENTRY(MD5, data16),
                                     0x7f,
                                     DW_FORM_block,
                                     1, /* one file */
                                     WORD(2),
                                     0,
                                     0,
                                     SUM,
                                     2,
                                     9,
                                     9};
    struct line_header header = {.version = 5,
                                 .off_size = 4,
                                 .tables = cursor_init(tables, sizeof(tables))};
    struct line_strings strings = {.str = cursor_init("\0\0file.c", 9),
                                   .line_str = cursor_init("xxx\0/dir", 9)};
    struct line_files files;

    assert_int_equal(line_files_read(&header, &strings, &files), STATUS_OK);
    assert_int_equal(files.dir_count, 1);
    assert_string_equal(files.dirs[0].name, "/dir");
    assert_int_equal(files.file_count, 1);
    assert_string_equal(files.files[0].name, "file.c");
    line_files_deinit(&files);
}

TEST(line_header_entries_without_bytes_are_refused)
{
    static const uint8_t tables[] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    struct line_header header = {.version = 5,
                                 .off_size = 4,
                                 .tables = cursor_init(tables, sizeof(tables))};
    struct line_strings strings = {cursor_init("", 0), cursor_init("", 0)};
    struct line_files files;

    assert_int_equal(line_files_read(&header, &strings, &files), STATUS_OK);
    assert_int_equal(files.dir_count, 0);
    line_files_deinit(&files);
}

TEST(line_header_string_outside_its_section_ends_the_table)
{
    static const uint8_t tables[] = {
        1, DW_LNCT_path, DW_FORM_line_strp, 2, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0};
    struct line_header header = {.version = 5,
                                 .off_size = 4,
                                 .tables = cursor_init(tables, sizeof(tables))};
    struct line_strings strings = {cursor_init("", 0), cursor_init("/dir", 5)};
    struct line_files files;

    assert_int_equal(line_files_read(&header, &strings, &files), STATUS_OK);
    assert_int_equal(files.dir_count, 1);
    assert_int_equal(files.file_count, 0);
    line_files_deinit(&files);
}

TEST(line_header_damaged_anywhere_stays_in_bounds)
{
    for (unsigned version = 2; version <= 5; version++) {
        struct bytes section;

        make_line_section(&section, version);
        for (size_t i = 0; i < section.size; i++) {
            for (unsigned value = 0; value < 256; value += 51) {
                struct line_strings strings = {cursor_init("", 0), cursor_init("", 0)};
                struct line_header header;
                struct line_files files;
                uint8_t kept = section.data[i];

                section.data[i] = (uint8_t)value;
                if (line_header_read(section.data, section.size, 0, &header) == STATUS_OK) {
                    assert_int_equal(line_files_read(&header, &strings, &files), STATUS_OK);
                    assert_true(files.file_count <= section.size + 1);
                    line_files_deinit(&files);
                }
                section.data[i] = kept;
            }
        }
    }
}

TEST(line_header_outside_the_section_is_bad_data)
{
    struct line_header header;
    struct bytes section;

    make_line_section(&section, 5);
    assert_int_equal(line_header_read(section.data, section.size, section.size, &header),
                     STATUS_BAD_DATA);
    assert_int_equal(line_header_read(section.data, section.size, UINT64_MAX, &header),
                     STATUS_BAD_DATA);
    assert_int_equal(line_header_read(section.data, section.size - 1, 0, &header), STATUS_BAD_DATA);
    assert_int_equal(line_header_read(NULL, 0, 0, &header), STATUS_BAD_DATA);
}

TEST(line_header_of_a_longer_program_than_is_read_is_unsupported)
{
    static uint8_t section[LINE_PROGRAM_MAX + 100];
    struct line_header header;
    struct bytes small;
    uint32_t length = LINE_PROGRAM_MAX;

    make_line_section(&small, 4);
    memcpy(section, small.data, small.size);
    memcpy(section, &length, sizeof(length));
    assert_int_equal(line_header_read(section, sizeof(section), 0, &header), STATUS_OK);
    length++;
    memcpy(section, &length, sizeof(length));
    assert_int_equal(line_header_read(section, sizeof(section), 0, &header), STATUS_UNSUPPORTED);
}
