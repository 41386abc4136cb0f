/* SPDX-License-Identifier: MIT */
/*
 * Hand-written code that keeps its return address in a register that calls may change, across calls
 * of its own helpers. The bytes are GNU as's; see prologue_fixture.h.
 */
#include "prologue_fixture.h"

static const struct line A32[] = {
    FUNCTION(A32_HELPER_LEAVES_IP),
    {"\x0e\xc0\xa0\xe1", 4, "sp+0"},        /* mov ip, lr */
    {"\x01\x00\x00\xeb", 4, "sp+0"},        /* bl +16 */
    {"\x01\x00\x80\xe0", 4, "sp+0 ra=r12"}, /* add r0, r0, r1 */
    {"\x1c\xff\x2f\xe1", 4, "sp+0 ra=r12"}, /* bx ip */
    {"\x01\x10\x51\xe2", 4, "sp+0"},        /* +16 subs r1, r1, #1 */
    {"\x02\x00\x80\x10", 4, "sp+0"},        /* addne r0, r0, r2 */
    {"\xfc\xff\xff\x1a", 4, "sp+0"},        /* bne +16 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"},        /* bx lr */
    FUNCTION(A32_HELPER_CHANGES_IP),
    {"\x0e\xc0\xa0\xe1", 4, "sp+0"}, /* mov ip, lr */
    {"\x01\x00\x00\xeb", 4, "sp+0"}, /* bl +16 */
    {"\x01\x00\x80\xe0", 4, "u"},    /* add r0, r0, r1 */
    {"\x1c\xff\x2f\xe1", 4, "u"},    /* bx ip */
    {"\x01\x10\x51\xe2", 4, "sp+0"}, /* +16 subs r1, r1, #1 */
    {"\x02\xc0\x80\x10", 4, "sp+0"}, /* addne ip, r0, r2 */
    {"\xfc\xff\xff\x1a", 4, "sp+0"}, /* bne +16 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"}, /* bx lr */
    /* Who knows what that one changes. */
    FUNCTION(A32_HELPER_CALLS),
    {"\x0e\xc0\xa0\xe1", 4, "sp+0"},        /* mov ip, lr */
    {"\x01\x00\x00\xeb", 4, "sp+0"},        /* bl +16 */
    {"\x01\x00\x80\xe0", 4, "u"},           /* add r0, r0, r1 */
    {"\x1c\xff\x2f\xe1", 4, "u"},           /* bx ip */
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* +16 push {r4, lr} */
    {"\xf9\xfb\x07\xeb", 4, "sp+8 ra=c-4"}, /* bl OTHER */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    FUNCTION(A32_CALL_THROUGH_A_REGISTER),
    {"\x0e\xc0\xa0\xe1", 4, "sp+0"}, /* mov ip, lr */
    {"\x33\xff\x2f\xe1", 4, "sp+0"}, /* blx r3 */
    {"\x01\x00\x80\xe0", 4, "u"},    /* add r0, r0, r1 */
    {"\x1c\xff\x2f\xe1", 4, "u"},    /* bx ip */
    /* Twice, in a frame. */
    FUNCTION(A32_IN_A_FRAME),
    {"\x0e\xc0\xa0\xe1", 4, "sp+0"},         /* mov ip, lr */
    {"\x10\xd0\x4d\xe2", 4, "sp+0"},         /* sub sp, sp, #16 */
    {"\x02\x00\x00\xeb", 4, "sp+16"},        /* bl +24 */
    {"\x01\x00\x00\xeb", 4, "sp+16 ra=r12"}, /* bl +24 */
    {"\x10\xd0\x8d\xe2", 4, "sp+16 ra=r12"}, /* add sp, sp, #16 */
    {"\x1c\xff\x2f\xe1", 4, "sp+0 ra=r12"},  /* bx ip */
    {"\x01\x10\x81\xe2", 4, "sp+0"},         /* +24 add r1, r1, #1 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"},         /* bx lr */
};

TEST(prologue_a32_return_address_stays_where_a_leaf_leaves_it)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_DEFAULT, A32);
}

static const struct line A64_HELPER_LEAVES_X15[] = {
    {"\xef\x03\x1e\xaa", 4, "sp+0"},        /* mov x15, x30 */
    {"\x03\x00\x00\x94", 4, "sp+0"},        /* bl +16 */
    {"\x00\x00\x01\x8b", 4, "sp+0 ra=x15"}, /* add x0, x0, x1 */
    {"\xe0\x01\x5f\xd6", 4, "sp+0 ra=x15"}, /* ret x15 */
    {"\x21\x04\x00\x91", 4, "sp+0"},        /* +16 add x1, x1, #1 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},        /* ret */
};

static const struct line A64_HELPER_CHANGES_X15[] = {
    {"\xef\x03\x1e\xaa", 4, "sp+0"}, /* mov x15, x30 */
    {"\x03\x00\x00\x94", 4, "sp+0"}, /* bl +16 */
    {"\x00\x00\x01\x8b", 4, "u"},    /* add x0, x0, x1 */
    {"\xe0\x01\x5f\xd6", 4, "u"},    /* ret x15 */
    {"\x2f\x04\x00\x91", 4, "sp+0"}, /* +16 add x15, x1, #1 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
};

TEST(prologue_a64_return_address_stays_where_a_leaf_leaves_it)
{
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, A64_HELPER_LEAVES_X15);
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, A64_HELPER_CHANGES_X15);
}
