/* SPDX-License-Identifier: MIT */
/*
 * Jump tables of T32 code whose cases lie behind literals of other cases. By known paths alone; the
 * bytes are GNU as's; see prologue_fixture.h.
 */
#include "prologue_fixture.h"

static const struct line CASE_BEHIND_A_POOL[] = {
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x15\xd8", 2, "sp+8 ra=c-4"},                /* bhi 9f */
    {"\x0f\xf2\x0c\x03", 4, "sp+8 ra=c-4"},        /* addw r3, pc, #12 */
    {"\x53\xf8\x20\x20", 4, "sp+8 ra=c-4"},        /* ldr.w r2, [r3, r0, lsl #2] */
    {"\x13\x44", 2, "sp+8 ra=c-4"},                /* add r3, r2 */
    {"\x18\x47", 2, "sp+8 ra=c-4"},                /* bx r3 */
    {"\x00\xbf", 2, NULL},                         /* nop */
    {"\x09\x00\x00\x00\x19\x00\x00\x00", 8, NULL}, /* table: 0f + 1, 1f + 1 */
    {"\x01\x48", 2, "sp+8 ra=c-4"},                /* 0: ldr r0, 8f */
    {"\x02\x49", 2, "sp+8 ra=c-4"},                /* ldr r1, 8f + 4 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x00\xbf", 2, NULL},                         /* nop */
    {"\xef\x47\xef\x47", 4, NULL},                 /* 8: halves that are no instructions */
    {"\x78\x56\x34\x12", 4, NULL},
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* 1: mov r4, r0 */
    {"\xfe\xf1\xe7\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl OTHER */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* 9: pop {r4, pc} */
};

/* In the midst of an instruction no case is, literals or not: there the table ends. */
static const struct line CASE_AMID_AN_INSTRUCTION[] = {
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x15\xd8", 2, "sp+8 ra=c-4"},                /* bhi 9f */
    {"\x0f\xf2\x0c\x03", 4, "sp+8 ra=c-4"},        /* addw r3, pc, #12 */
    {"\x53\xf8\x20\x20", 4, "sp+8 ra=c-4"},        /* ldr.w r2, [r3, r0, lsl #2] */
    {"\x13\x44", 2, "sp+8 ra=c-4"},                /* add r3, r2 */
    {"\x18\x47", 2, "sp+8 ra=c-4"},                /* bx r3 */
    {"\x00\xbf", 2, NULL},                         /* nop */
    {"\x09\x00\x00\x00\x1b\x00\x00\x00", 8, NULL}, /* table: 0f + 1, 1f + 3 */
    {"\x01\x48", 2, "sp+8 ra=c-4"},                /* 0: ldr r0, 8f */
    {"\x02\x49", 2, "sp+8 ra=c-4"},                /* ldr r1, 8f + 4 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x00\xbf", 2, NULL},                         /* nop */
    {"\xef\x47\xef\x47", 4, NULL},                 /* 8: halves that are no instructions */
    {"\x78\x56\x34\x12", 4, NULL},
    {"\xd1\xf8", 2, "u"},           /* 1: ldr.w r0, [r1], the half of it */
    {"\x00\x00", 2, "u"},           /* the other; also movs r0, r0 */
    {"\x00\xbf", 2, "u"},           /* nop */
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* 9: pop {r4, pc} */
};

static void check_paths(const struct line *lines, size_t count)
{
    struct function f;
    uint64_t vaddr = START;

    begin(&f, ARCH_ARM, CODE_T32);
    f.input.reached_only = true;
    for (size_t i = 0; i < count; i++)
        add(&f, lines[i].bytes, lines[i].size);
    for (size_t i = 0; i < count; vaddr += lines[i++].size)
        if (lines[i].row)
            EXPECT_ROWS(&f, {vaddr, strcmp(lines[i].row, "u") == 0 ? NULL : lines[i].row});
    end(&f);
}

static void table_case_behind_literals_that_are_no_instructions_is_one(void **state)
{
    (void)state;
    check_paths(CASE_BEHIND_A_POOL, sizeof(CASE_BEHIND_A_POOL) / sizeof(CASE_BEHIND_A_POOL[0]));
}

static void table_case_amid_an_instruction_is_none(void **state)
{
    (void)state;
    check_paths(CASE_AMID_AN_INSTRUCTION,
                sizeof(CASE_AMID_AN_INSTRUCTION) / sizeof(CASE_AMID_AN_INSTRUCTION[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_case_behind_literals_that_are_no_instructions_is_one),
        cmocka_unit_test(table_case_amid_an_instruction_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
