/* SPDX-License-Identifier: MIT */
/*
 * Jump tables of A32 code: which comparisons bound them. By known paths alone; the bytes are GNU
 * as's; see prologue_fixture.h.
 */
#include "prologue_fixture.h"

/* As LLVM's: that r0 is not 0 says nothing of r2. */
static const struct line BEHIND_EQUALITY[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\x00\x00\x50\xe3", 4, "sp+8 ra=c-4"}, /* cmp r0, #0 */
    {"\x0d\x00\x00\x0a", 4, "sp+8 ra=c-4"}, /* beq 9f */
    {"\x01\x10\x40\xe2", 4, "sp+8 ra=c-4"}, /* sub r1, r0, #1 */
    {"\x08\x20\xd1\xe5", 4, "sp+8 ra=c-4"}, /* ldrb r2, [r1, #8] */
    {"\x04\x30\x8f\xe2", 4, "sp+8 ra=c-4"}, /* add r3, pc, #4 */
    {"\x02\x21\x93\xe7", 4, "sp+8 ra=c-4"}, /* ldr r2, [r3, r2, lsl #2] */
    {"\x02\xf0\x83\xe0", 4, "sp+8 ra=c-4"}, /* add pc, r3, r2 */
    {"\x0c\x00\x00\x00\x14\x00\x00\x00\x1c\x00\x00\x00", 12, NULL},
    {"\x01\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* 0: mov r0, #1 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    {"\x02\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* 1: mov r0, #2 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    {"\x03\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* 2: mov r0, #3 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* 9: pop {r4, pc} */
};

/* What is compared once may be told apart twice. */
static const struct line BEHIND_EQUALITY_AND_A_BOUND[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\x01\x00\x50\xe3", 4, "sp+8 ra=c-4"}, /* cmp r0, #1 */
    {"\x0c\x00\x00\x0a", 4, "sp+8 ra=c-4"}, /* beq 9f */
    {"\x0b\x00\x00\x8a", 4, "sp+8 ra=c-4"}, /* bhi 9f */
    {"\x04\x30\x8f\xe2", 4, "sp+8 ra=c-4"}, /* add r3, pc, #4 */
    {"\x00\x21\x93\xe7", 4, "sp+8 ra=c-4"}, /* ldr r2, [r3, r0, lsl #2] */
    {"\x02\xf0\x83\xe0", 4, "sp+8 ra=c-4"}, /* add pc, r3, r2 */
    {"\x0c\x00\x00\x00\x14\x00\x00\x00\x1c\x00\x00\x00", 12, NULL},
    {"\x01\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* 0: mov r0, #1 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    {"\x02\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* 1: mov r0, #2 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    {"\x03\x00\xa0\xe3", 4, "none"},        /* no case: mov r0, #3 */
    {"\x10\x80\xbd\xe8", 4, "none"},        /* pop {r4, pc} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* 9: pop {r4, pc} */
};

TEST(table_is_not_bounded_by_a_comparison_for_equality)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, BEHIND_EQUALITY);
}

TEST(table_is_bounded_where_the_comparison_is_for_more_besides)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, BEHIND_EQUALITY_AND_A_BOUND);
}
