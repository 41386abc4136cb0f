/* SPDX-License-Identifier: MIT */
/* The search for functions: what the code that begins a program jumps to. */
#include "function_search_fixture.h"

/* What sets SP; b 20; the code at 20 then. */
static void check_new_stack(const char *set_sp, const char *code, const char *expected)
{
    struct text text = {.size = 0};

    add(&text, set_sp, 4);          /* 00 */
    ADD(&text, "\x05\x00\x00\xea"); /* 04 b 20 */
    ADD(&text, "\x01\x00\xa0\xe3"); /* 08 mov r0, #1 */
    ADD(&text, "\x1e\xff\x2f\xe1"); /* 0c bx lr */
    ADD(&text, "\x00\x00\x02\x00"); /* 10 a literal */
    while (text.size < 0x20)
        ADD(&text, "\x00\xf0\x20\xe3"); /* nop */
    add(&text, code, 4);                /* 20 */
    ADD(&text, "\xf7\xff\xff\xeb");     /* 24 bl 08 */
    ADD(&text, "\xfd\xff\xff\xea");     /* 28 b 24 */
    check(&text, EM_ARM, false, expected);
}

TEST(search_jump_on_a_new_stack_to_what_begins_like_a_function_starts_one)
{
    static const char literal[] = "\x08\xd0\x9f\xe5";  /* ldr sp, 10 */
    static const char variable[] = "\x00\xd0\x90\xe5"; /* ldr sp, [r0] */
    static const char push[] = "\x10\x40\x2d\xe9";     /* push {r4, lr} */
    static const char move[] = "\x00\x40\xa0\xe1";     /* mov r4, r0 */

    check_new_stack(literal, push, "0 entry, 8 call, 20 jump");
    check_new_stack(variable, push, "0 entry, 8 call, 20 jump");
    check_new_stack(literal, move, "0 entry, 8 call, 20 fragment");
}
