/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "unit_test.h"
#include "output/paint.h"

/* The parts that are painted, with a letter for how. */
static void assert_painted(const char *line, const char *caveats, const char *want)
{
    static const char letters[] = {
        [PAINT_DIM] = 'd', [PAINT_BOLD] = 'b', [PAINT_CAUTION] = 'y', [PAINT_ALARM] = 'r'};
    struct paint_span spans[PAINT_SPANS_MAX];
    const size_t count = paint_line(line, strlen(line), caveats, spans);
    char got[512] = "";
    size_t used = 0, before = 0;

    for (size_t i = 0; i < count; i++) {
        assert_true(before <= spans[i].begin && spans[i].begin < spans[i].end);
        assert_true(spans[i].end <= strlen(line));
        before = spans[i].end;
        used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%c:%.*s", used ? "|" : "",
                                 letters[spans[i].paint], (int)(spans[i].end - spans[i].begin),
                                 line + spans[i].begin);
    }
    assert_string_equal(got, want);
}

TEST(paint_shares_by_their_heat)
{
    assert_painted("  60.00%    0.99%         120  |-- f [prog]", NULL,
                   "b:60.00%|d:0.99%|d:[prog]");
    assert_painted("   9.99%    1.00%          20  f", NULL, "");
    assert_painted(" 100.00%   +0.10%~", NULL, "b:100.00%|d:+0.10%");
}

TEST(paint_numbers_and_operators_are_no_shares)
{
    assert_painted("12 % of 100, operator%(int), x86.64%, -, +, 12., 99999.0% 3.%x", NULL, "");
    assert_painted("", NULL, "");
    assert_painted("-", NULL, "");
    assert_painted("[", NULL, "");
    assert_painted("#", NULL, "");
}

TEST(paint_only_the_last_brackets_are_a_module)
{
    assert_painted("operator new [] (int [3]) [libc.so.6]", NULL, "d:[libc.so.6]");
    assert_painted("to_string[abi:cxx11](int)", NULL, "");
    assert_painted("  T1 [inferred], waits for x [kind inferred]", NULL,
                   "y:[inferred]|y:[kind inferred]");
    assert_painted("`-- worker  \"old\"  [creation not seen]", NULL, "y:[creation not seen]");
}

TEST(paint_frames_by_their_trust)
{
    assert_painted("#0  0x00007f12 f(int)+0x4 - /usr/bin/prog x.c:3 [eh_frame]", NULL,
                   "d:0x00007f12|d:- /usr/bin/prog|d:[eh_frame]");
    assert_painted("#12 0x00007f12 f+0x4 - /usr/bin/prog [fp]", NULL,
                   "d:0x00007f12|d:- /usr/bin/prog|y:[fp]");
    assert_painted("#1  0x00007f12 f - /x", NULL, "d:0x00007f12|d:- /x");
    assert_painted("#a6219681 - /x", NULL, "");
}

TEST(paint_ends_of_chains_that_are_incomplete)
{
    assert_painted("stop: thread-start", NULL, "");
    assert_painted("stop: truncated", NULL, "y:stop: truncated");
}

TEST(paint_caveats_as_whole_lines)
{
    static const char caveats[] = "lost: 12 %\n  and more\n";

    assert_painted("lost: 12 %", caveats, "y:lost: 12 %");
    assert_painted("  and more", caveats, "y:  and more");
    assert_painted("lost: 12", caveats, "");
    assert_painted("", caveats, "");
}

TEST(paint_deadlocks)
{
    assert_painted("Likely deadlock: 2 threads", NULL, "r:Likely deadlock: 2 threads");
    assert_painted("No deadlock was found.", NULL, "");
}

TEST(paint_more_parts_than_there_is_room_for)
{
    struct paint_span spans[PAINT_SPANS_MAX];
    char line[1024] = "";

    for (unsigned i = 0; i < 2 * PAINT_SPANS_MAX; i++)
        strcat(line, " 50.00%");
    assert_int_equal(paint_line(line, strlen(line), NULL, spans), PAINT_SPANS_MAX);
}
