/* SPDX-License-Identifier: MIT */
/* What mcause, mtval and mepc tell of a trap. */
#include "arch/riscv/fault.h"

#include "unit_test.h"

static void expect(uint64_t cause, uint64_t value, uint64_t epc, uint64_t active,
                   const char *expected)
{
    const struct snap_system system[] = {{0x341, epc}, {0x342, cause}, {0x343, value}};
    char text[80];

    assert_int_equal(riscv_exception.fault(system, 3, active, text, sizeof(text)),
                     expected[0] != '\0');
    assert_string_equal(text, expected);
}

TEST(fault_is_told_by_its_cause_and_address)
{
    expect(5, 0x40000000, 0x80000100, 1, "load access fault at 0x40000000");
    expect(2, 0xffffffff, 0x80000100, 1, "illegal instruction");
    expect(13, UINT64_C(0xffffffff80000000), 0x80000100, 0,
           "earlier: load page fault at 0xffffffff80000000");
}

/* Processors may leave mtval 0. */
TEST(fault_without_an_address_tells_none)
{
    expect(5, 0, 0x80000100, 1, "load access fault, mtval is 0");
    expect(1, 0, 0x5000000, 1, "instruction access fault at 0x05000000");
    expect(12, 0, 0x5000000, 0, "earlier: instruction page fault at 0x05000000");
    expect(0, 0, 0x80000100, 1, "instruction address misaligned, mtval is 0");
}

TEST(fault_is_no_interrupt_and_no_call)
{
    expect(0x80000007, 0, 0x80000100, 1, "");
    expect(UINT64_C(0x8000000000000007), 0, 0x80000100, 1, "");
    expect(11, 0, 0x80000100, 1, "");
    expect(16, 0, 0x80000100, 1, "");
    expect(20, 0, 0x80000100, 1, "");
    expect(0, 0, 0, 1, ""); /* before any */
}

/* mtvec is nowhere, or a function pointer was: the jump traps again and again. */
TEST(fault_of_a_jump_to_nothing_is_at_0)
{
    expect(1, 0, 0, 1, "instruction access fault at 0x00000000");
    expect(12, 0, 0, 0, "earlier: instruction page fault at 0x00000000");
}

/* mcause of a CLIC: minhv, mpp, mpie, mpil above the code. */
TEST(fault_of_a_clic_is_told_by_the_code)
{
    expect(0x38000005, 0x10, 0x80000100, 1, "load access fault at 0x00000010");
    expect(0xb8000007, 0, 0x80000100, 1, "");
}

static void expect_trap(uint64_t cause, uint64_t pc_addr, unsigned code, const char *expected)
{
    const struct snap_system system[] = {{0x341, 0x80000100}, {0x342, cause}};
    unsigned number = riscv_exception.trap(system, 2, pc_addr);
    char text[80] = "";

    if (number) {
        riscv_exception.name(number, text, sizeof(text));
        assert_int_equal(number & EXCEPTION_NUMBER_MASK, code);
    }
    assert_string_equal(text, expected);
}

TEST(trap_is_named_where_it_was_taken)
{
    expect_trap(0x80000007, 0x80000100, 7, "machine timer interrupt");
    expect_trap(UINT64_C(1) << 63 | 11, 0x80000100, 11, "machine external interrupt");
    expect_trap(0x80000012, 0x80000100, 18, "interrupt 18");
    expect_trap(5, 0x80000100, 5, "load access fault");
    expect_trap(0, 0x80000100, 0, "instruction address misaligned");
    expect_trap(11, 0x80000100, 11, "environment call");
    expect_trap(24, 0x80000100, 24, "exception 24");
    expect_trap(0xb8000013, 0x80000100, 19, "interrupt 19");
}

TEST(trap_elsewhere_is_another)
{
    expect_trap(0x80000007, 0x80000102, 0, "");
    expect_trap(5, 0x80000104, 0, "");
    expect_trap(11, 0x80000104, 11, "environment call"); /* it returns behind it */
    assert_int_equal(riscv_exception.trap(NULL, 0, 0x80000100), 0);
}

TEST(fault_needs_the_registers)
{
    const struct snap_system system[] = {{0x342, 5}, {0x341, 0x80000100}};
    char text[80];

    assert_false(riscv_exception.fault(system, 1, 1, text, sizeof(text)));
    assert_true(riscv_exception.fault(system, 2, 1, text, sizeof(text)));
    assert_string_equal(text, "load access fault");
}
