/* SPDX-License-Identifier: MIT */
/* The search for functions: RISC-V's code that nothing leads to. */
#include "function_search_fixture.h"

/* `t1` is what a PLT's stub hands to _dl_runtime_resolve, and nobody else to a function. */
TEST(search_code_that_saves_the_return_address_may_be_handed_registers_by_a_stub)
{
    struct text resolver = {.size = 0}, block = {.size = 0};

    ADD(&resolver, "\x82\x80");         /* 0 ret */
    ADD(&resolver, "\x41\x11\x06\xc6"); /* 2 addi sp, sp, -16; sw ra, 12(sp) */
    ADD(&resolver, "\x93\x15\x13\x00"); /* 6 slli a1, t1, 1 */
    ADD(&resolver, "\xef\xf0\x7f\xff"); /* a jal ra, 0 */
    ADD(&resolver, "\xb2\x40\x41\x01"); /* e lw ra, 12(sp); addi sp, sp, 16 */
    ADD(&resolver, "\x02\x83");         /* 12 jr t1 */
    check(&resolver, EM_RISCV, false, "0 entry, 2 gap");
    ADD(&block, "\x82\x80");         /* 0 ret */
    ADD(&block, "\x93\x15\x13\x00"); /* 2 slli a1, t1, 1 */
    ADD(&block, "\x82\x80");         /* 6 ret */
    check(&block, EM_RISCV, false, "0 entry");
}

/* -msave-restore: what makes room for more behind the call of __riscv_save_1 begins no function. */
TEST_OF(search_outlined_prologue_is_no_function_of_its_own, text, text)
{
    ADD(text, "\x82\x80");         /* 0 ret */
    ADD(text, "\xef\x02\x00\x01"); /* 2 jal t0, 12 */
    ADD(text, "\x41\x11");         /* 6 add sp,sp,-16 */
    ADD(text, "\x22\xc4");         /* 8 sw s0,8(sp) */
    ADD(text, "\xef\x00\x60\x01"); /* a jal ra, 20 */
    ADD(text, "\x41\x01");         /* e add sp,sp,16 */
    ADD(text, "\x29\xa0");         /* 10 j 1a */
    ADD(text, "\x41\x11");         /* 12 add sp,sp,-16 */
    ADD(text, "\x06\xc6");         /* 14 sw ra,12(sp) */
    ADD(text, "\x22\xc4");         /* 16 sw s0,8(sp) */
    ADD(text, "\x82\x82");         /* 18 jr t0 */
    ADD(text, "\x22\x44");         /* 1a lw s0,8(sp) */
    ADD(text, "\xb2\x40");         /* 1c lw ra,12(sp) */
    ADD(text, "\x41\x01");         /* 1e add sp,sp,16 */
    ADD(text, "\x82\x80");         /* 20 ret */
    check(text, EM_RISCV, false, "0 entry, 2 gap, 12 call, 1a fragment, 20 call");
}
