/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include "symbol/dwarf/line_program.h"

struct rows {
    char text[2048]; /* "address:file:line …", the end of a sequence as "address:end" */
    size_t len, count, most;
};

static enum status note_row(void *context, const struct line_row *row)
{
    struct rows *rows = context;

    if (rows->most && rows->count == rows->most)
        return STATUS_NO_MEMORY;
    rows->count++;
    rows->len += (size_t)snprintf(rows->text + rows->len, sizeof(rows->text) - rows->len, "%s%llx",
                                  rows->len ? " " : "", (unsigned long long)row->addr);
    if (row->ends)
        rows->len +=
            (size_t)snprintf(rows->text + rows->len, sizeof(rows->text) - rows->len, ":end");
    else
        rows->len += (size_t)snprintf(rows->text + rows->len, sizeof(rows->text) - rows->len,
                                      ":%llu:%u", (unsigned long long)row->file, row->line);
    return STATUS_OK;
}

/* Runs a program of the given bytes, with line base -5, line range 14, opcode base 13. */
static const char *run(unsigned version, uint8_t max_ops, const void *program, size_t size)
{
    static const uint8_t counts[12] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    static struct rows rows;
    struct line_header header = {.version = (uint16_t)version,
                                 .off_size = 4,
                                 .min_length = 1,
                                 .max_ops = max_ops,
                                 .line_range = 14,
                                 .opcode_base = 13,
                                 .line_base = -5,
                                 .operand_counts = counts,
                                 .program = cursor_init(program, size)};

    rows = (struct rows){0};
    assert_int_equal(line_program_run(&header, note_row, &rows), STATUS_OK);
    return rows.text;
}

#define RUN(version, ops, program) run(version, ops, program, sizeof(program) - 1)

TEST(line_program_first_row_is_of_file_1_and_line_1_in_every_version)
{
    for (unsigned version = 2; version <= 5; version++)
        assert_string_equal(RUN(version, 1, "\1"), "0:1:1");
}

TEST(line_program_standard_opcodes_move_the_registers)
{
    /* advance_pc 300, advance_line 20, set_file 3, copy */
    assert_string_equal(RUN(4, 1, "\2\xac\2\3\x14\4\3\1"), "12c:3:21");
    /* advance_line -1, copy */
    assert_string_equal(RUN(4, 1, "\3\x7f\1"), "0:1:0");
    /* const_add_pc adds (255 - 13) / 14 = 17; fixed_advance_pc 0x1234; copy */
    assert_string_equal(RUN(4, 1, "\x08\x09\x34\x12\1"), "1245:1:1");
    /*
     * set_column 7, negate_stmt, set_basic_block, set_prologue_end, set_epilogue_begin, set_isa 1,
     * copy
     */
    assert_string_equal(RUN(4, 1, "\5\7\6\7\x0a\x0b\x0c\1\1"), "0:1:1");
}

TEST(line_program_special_opcode_moves_and_appends)
{
    /*
     * 0x4b = 75: 62 after the base: address + 4, line + -5 + 6; then 13: address + 0, line - 5 (of
     * 2: wraps to none)
     */
    assert_string_equal(RUN(4, 1, "\x4b"), "4:1:2");
    assert_string_equal(RUN(4, 1, "\x4b\x0d"), "4:1:2 4:1:0");
}

TEST(line_program_end_of_sequence_resets_the_registers)
{
    /* set_address 0x1000, set_file 2, copy, advance_pc 8, end_sequence, copy */
    assert_string_equal(RUN(5, 1, "\0\x09\2\x00\x10\0\0\0\0\0\0\4\2\1\2\x08\0\1\1\1"),
                        "1000:2:1 1008:end 0:1:1");
}

TEST(line_program_vliw_counts_operations)
{
    /*
     * Three operations an instruction: advance 4 is one instruction and one operation; 2 more
     * complete the next.
     */
    assert_string_equal(RUN(4, 3, "\2\4\1\2\2\1"), "1:1:1 2:1:1");
}

TEST(line_program_unknown_opcodes_are_skipped)
{
    /* extended 0x80 with two bytes, define_file, copy */
    assert_string_equal(RUN(4, 1, "\0\3\x80\xff\xff\0\6\3x\0\0\0\0\1"), "0:1:1");
}

TEST(line_program_damage_ends_it)
{
    assert_string_equal(RUN(4, 1, "\1\2\xff"), "0:1:1");       /* half a number */
    assert_string_equal(RUN(4, 1, "\1\0\0\1"), "0:1:1");       /* an extended opcode of no bytes */
    assert_string_equal(RUN(4, 1, "\1\0\x7f\1\1"), "0:1:1");   /* longer than the program */
    assert_string_equal(RUN(4, 1, "\1\0\4\2\1\2\3"), "0:1:1"); /* an address of three bytes */
}

TEST(line_program_status_of_the_report_is_passed_on)
{
    static const uint8_t counts[12] = {0}, program[] = {1, 1, 1};
    struct line_header header = {.version = 4,
                                 .min_length = 1,
                                 .max_ops = 1,
                                 .line_range = 14,
                                 .opcode_base = 13,
                                 .operand_counts = counts,
                                 .program = cursor_init(program, sizeof(program))};
    struct rows rows = {.most = 2};

    assert_int_equal(line_program_run(&header, note_row, &rows), STATUS_NO_MEMORY);
    assert_int_equal(rows.count, 2);
}
