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
    {"\xd1\xf8", 2, "none"},        /* 1: ldr.w r0, [r1], the half of it */
    {"\x00\x00", 2, "none"},        /* the other; also movs r0, r0 */
    {"\x00\xbf", 2, "none"},        /* nop */
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* 9: pop {r4, pc} */
};

TEST(table_case_behind_literals_that_are_no_instructions_is_one)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, CASE_BEHIND_A_POOL);
}

TEST(table_case_amid_an_instruction_is_none)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, CASE_AMID_AN_INSTRUCTION);
}
