/* SPDX-License-Identifier: MIT */
/*
 * Thumb-1 code (ARMv6-M) jumps over more than 2 KiB by BL. Such a jump is no call, and where it
 * leads no function begins; in code that has other long jumps it is a call.
 */
#include "unwind/functions/callees.h"

#include "prologue_fixture.h"

#define HALVES 2048
#define FAR    1600 /* halfwords from the BL to where it leads */

static uint16_t halves[HALVES];
static unsigned asked;

static const uint8_t *halves_at(const void *context, uint64_t vaddr, uint64_t *avail)
{
    (void)context;
    asked++;
    if (vaddr < START || vaddr - START >= sizeof(halves))
        return NULL;
    *avail = sizeof(halves) - (vaddr - START);
    return (const uint8_t *)halves + (vaddr - START);
}

static uint64_t vaddr_of(unsigned half)
{
    return START + 2 * half;
}

static void fill(uint16_t first, uint16_t second)
{
    for (unsigned i = 0; i < HALVES; i += 2) {
        halves[i] = first;
        halves[i + 1] = second;
    }
}

/* ARM ARM, A7.7.18, T1 */
static void put_bl(unsigned at, unsigned to)
{
    const uint32_t off = (uint32_t)((int32_t)(to - at) * 2 - 4);
    const uint32_t s = off >> 24 & 1, j1 = !((off >> 23 & 1) ^ s), j2 = !((off >> 22 & 1) ^ s);

    halves[at] = (uint16_t)(0xf000 | s << 10 | (off >> 12 & 0x3ff));
    halves[at + 1] = (uint16_t)(0xd000 | j1 << 13 | j2 << 11 | (off >> 1 & 0x7ff));
}

/* push {r4, lr}; bl: far, to pop {r4, pc} */
static void put_function(void)
{
    halves[0] = 0xb510;
    put_bl(1, 1 + FAR);
    halves[3] = 0xe7fe;       /* b . */
    halves[1 + FAR] = 0x2001; /* movs r0, #1 */
    halves[2 + FAR] = 0xbd10;
}

static struct code *make_code(void)
{
    struct code *code;

    assert_int_equal(code_create(arch_get(ARCH_ARM), halves_at, halves_at, NULL, &code), STATUS_OK);
    return code;
}

static void expect_row(const struct row_table *rows, uint64_t vaddr, int32_t cfa_off)
{
    struct row row;

    assert_non_null(row_table_find(rows, vaddr, &row));
    assert_int_equal(row.cfa.kind, CFA_REG);
    assert_int_equal(row.cfa.off, cfa_off);
}

static struct callee callee_at(struct code *code, unsigned half)
{
    struct callees *callees;
    struct callee out;

    assert_int_equal(callees_create(code, NULL, NULL, UINT64_MAX, &callees), STATUS_OK);
    callees_find(callees, vaddr_of(half), CODE_T32, &out);
    callees_destroy(callees);
    return out;
}

TEST(far_jump_keeps_the_frame)
{
    struct row_table rows;
    struct code *code;
    struct prologue_input input = {.start_vaddr = START,
                                   .end_vaddr = START + sizeof(halves),
                                   .mode = CODE_T32,
                                   .reached_only = true};

    fill(0xbf00, 0xbf00); /* nop */
    put_function();
    input.code = code = make_code();
    assert_int_equal(analyse_rows(&input, &rows), STATUS_OK);
    expect_row(&rows, vaddr_of(1), 8);
    expect_row(&rows, vaddr_of(2 + FAR), 8);
    row_table_deinit(&rows);
    code_destroy(code);
}

/* With an end that is not known what it leads to has to tell that it is amid the function. */
TEST(far_jump_leads_amid_a_function)
{
    struct code *code;

    fill(0xbf00, 0xbf00);
    put_function();
    code = make_code();
    assert_true(callee_at(code, 1 + FAR).is_amid);
    assert_false(callee_at(code, 0).is_amid);
    code_destroy(code);
}

TEST(calls_without_a_saved_lr_are_made_amid_a_function)
{
    struct code *code;

    fill(0xbf00, 0xbf00);
    halves[0] = 0x4770; /* bx lr */
    put_bl(101, 0);
    halves[103] = 0x4770;
    halves[200] = 0x4674; /* mov r4, lr */
    put_bl(201, 0);
    halves[203] = 0x4720; /* bx r4 */
    halves[300] = 0xb002; /* add sp, #8 */
    halves[301] = 0x4770;
    halves[400] = 0xb407; /* push {r0, r1, r2} */
    halves[401] = 0x9002; /* str r0, [sp, #8] */
    halves[402] = 0xbd03; /* pop {r0, r1, pc}: where it has put there */
    halves[500] = 0xb403; /* push {r0, r1} */
    halves[501] = 0xbd03;
    code = make_code();
    assert_false(callee_at(code, 0).is_amid);
    assert_true(callee_at(code, 100).is_amid);
    assert_false(callee_at(code, 200).is_amid);
    assert_true(callee_at(code, 300).is_amid);
    assert_false(callee_at(code, 400).is_amid);
    assert_true(callee_at(code, 500).is_amid);
    code_destroy(code);
}

/* mov.w r0, r0: such code has B.W to jump with. */
TEST(code_with_wide_instructions_calls)
{
    struct code *code;

    fill(0xea4f, 0x0000);
    halves[300] = 0xb002;
    halves[301] = 0x4770;
    code = make_code();
    assert_int_equal(code_far_jump(code, START, CODE_T32), 0);
    assert_false(callee_at(code, 300).is_amid);
    code_destroy(code);
}

TEST(kind_of_code_is_found_out_once_for_a_block)
{
    struct code *code;

    fill(0xbf00, 0xbf00);
    code = make_code();
    assert_int_not_equal(code_far_jump(code, START + 2, CODE_T32), 0);
    asked = 0;
    assert_int_not_equal(code_far_jump(code, START + 2 * FAR, CODE_T32), 0);
    assert_int_equal(asked, 0);
    code_destroy(code);
}
