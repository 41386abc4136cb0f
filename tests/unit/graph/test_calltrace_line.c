/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "graph/calltrace_line.h"

static const struct {
    const char *line;
    enum calltrace_kind kind;
    uint64_t callee, site;
} LINES[] = {
    {"E0x401136", CALLTRACE_ENTRY, 0x401136, 0},
    {"X0x401136", CALLTRACE_EXIT, 0x401136, 0},
    {"E 0xABCdef\r", CALLTRACE_ENTRY, 0xabcdef, 0},
    {" \tX\t0Xff ", CALLTRACE_EXIT, 0xff, 0},
    {"E0xffffffffffffffff", CALLTRACE_ENTRY, UINT64_MAX, 0},
    {"0x401136 0x401182", CALLTRACE_PAIR, 0x401136, 0x401182},
    {"401136 401182", CALLTRACE_PAIR, 0x401136, 0x401182},
    {"  7fFF\t 0X12  ", CALLTRACE_PAIR, 0x7fff, 0x12},
    {"E1 E2", CALLTRACE_PAIR, 0xe1, 0xe2},
    {"E 12", CALLTRACE_PAIR, 0xe, 0x12},
    {"0x00000000000000000000401136 1", CALLTRACE_PAIR, 0x401136, 1},
    {"", CALLTRACE_NONE, 0, 0},
    {"E", CALLTRACE_NONE, 0, 0},
    {"E0x", CALLTRACE_NONE, 0, 0},
    {"E401136", CALLTRACE_NONE, 0, 0},
    {"E0x401136 0x401182", CALLTRACE_NONE, 0, 0},
    {"E0x401136E0x401182", CALLTRACE_NONE, 0, 0},
    {"E0x4011g6", CALLTRACE_NONE, 0, 0},
    {"E0x10000000000000000", CALLTRACE_NONE, 0, 0},
    {"e0x401136", CALLTRACE_NONE, 0, 0},
    {"E(nil)", CALLTRACE_NONE, 0, 0},
    {"(nil) 0x401182", CALLTRACE_NONE, 0, 0},
    {"X0x-1", CALLTRACE_NONE, 0, 0},
    {"401136", CALLTRACE_NONE, 0, 0},
    {"401136 401182 401190", CALLTRACE_NONE, 0, 0},
    {"401136,401182", CALLTRACE_NONE, 0, 0},
    {"main f", CALLTRACE_NONE, 0, 0},
};

TEST(calltrace_line_is_a_record_or_none)
{
    for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++) {
        struct calltrace_record got = calltrace_parse(LINES[i].line, strlen(LINES[i].line));

        if (got.kind != LINES[i].kind)
            fail_msg("'%s' is of kind %d", LINES[i].line, got.kind);
        if (got.kind == CALLTRACE_NONE)
            continue;
        assert_int_equal(got.callee_addr, LINES[i].callee);
        assert_int_equal(got.site_addr, LINES[i].site);
    }
    /* A line ends where its size says. */
    assert_int_equal(calltrace_parse("E0x12345", 5).callee_addr, 0x12);
    assert_int_equal(calltrace_parse("1 2\0", 4).kind, CALLTRACE_NONE);
    assert_true(calltrace_is_empty(" \t\r", 3));
    assert_false(calltrace_is_empty(" x", 2));
}

static bool begins(const char *text)
{
    return calltrace_begins((const uint8_t *)text, strlen(text));
}

TEST(calltrace_is_told_by_its_first_lines)
{
    assert_true(begins("E0x1\nX0x1\n"));
    assert_true(begins("\n0x55d4c0de1234 0x55d4c0de5678\n0x55d4"));
    assert_true(begins("tail of a line\nE0x1\n")); /* as by tail -c */
    assert_false(begins("E0x1"));                  /* it may go on as anything */
    assert_false(begins(""));
    assert_false(begins("\x7f"
                        "ELF 12 34\n12 34\n"));
    assert_false(begins("PERFILE2"));
    assert_false(begins("\x89"
                        "CGSNAP\n1 2\n"));
    assert_false(begins("some words\nof text\n"));
    assert_false(calltrace_begins((const uint8_t *)"1 2\n\0\0", 6));
}
