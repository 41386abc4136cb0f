/* SPDX-License-Identifier: MIT */
/* The search for functions: RISC-V's code that nothing leads to. */
#include "function_search_fixture.h"

/* `t1` is what a PLT's stub hands to _dl_runtime_resolve, and nobody else to a function. */
static void
search_code_that_saves_the_return_address_may_be_handed_registers_by_a_stub(void **state)
{
    struct text resolver = {.size = 0}, block = {.size = 0};

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            search_code_that_saves_the_return_address_may_be_handed_registers_by_a_stub),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
