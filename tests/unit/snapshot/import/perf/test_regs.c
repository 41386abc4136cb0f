/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/ptrace.h>

#include "unit_test.h"
#include "capture/ptrace/restart.h"

/* Word i of the regset holds 0x1000 + i. */
static struct regset numbered(const struct arch_capture *backend)
{
    struct regset regset = {.size = regset_size(backend->arch)};

    for (unsigned i = 0; i < regset_size(backend->arch) / backend->arch->word_size; i++)
        regset_set_word(&regset, backend->arch->word_size, i, 0x1000 + i);
    return regset;
}

/* The words of the regset, in the order in which the registers of arch/arch.h come. */
static void expect_order(const struct arch_capture *backend, const uint8_t *order, size_t count)
{
    struct regset regset = numbered(backend);
    uint64_t values[ARCH_REG_MAX] = {0};

    assert_int_equal(count, backend->arch->reg_count);
    regset_decode(&regset, backend->arch, values);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(values[i], 0x1000 + order[i]);
}

TEST(regs_sizes_are_those_the_kernel_returns)
{
    assert_int_equal((int)regset_size(&arch_x86_64), 216);
    assert_int_equal((int)regset_size(&arch_i386), 68);
    assert_int_equal((int)regset_size(&arch_aarch64), 272);
    assert_int_equal((int)regset_size(&arch_arm), 72);
    assert_int_equal((int)regset_size(&arch_riscv64), 256);
    assert_int_equal((int)regset_size(&arch_riscv32), 128);
}

/*
 * rax rdx rcx rbx rsi rdi rbp rsp r8-r15 rip in: r15-r12 rbp rbx r11-r8 rax rcx rdx rsi rdi orig
 * rip cs flags rsp
 */
TEST(regs_of_x86_64_are_in_dwarf_order)
{
    static const uint8_t order[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};

    expect_order(&x86_64_capture, order, sizeof(order));
}

/*
 * eax ecx edx ebx esp ebp esi edi eip in: ebx ecx edx esi edi ebp eax ds es fs gs orig eip cs flags
 * esp ss
 */
TEST(regs_of_i386_are_in_dwarf_order)
{
    static const uint8_t order[] = {6, 1, 2, 0, 15, 5, 3, 4, 12};

    expect_order(&i386_capture, order, sizeof(order));
}

TEST(regs_of_arm_and_aarch64_are_in_the_kernels_order)
{
    uint8_t order[ARCH_REG_MAX];

    for (uint8_t i = 0; i < ARCH_REG_MAX; i++)
        order[i] = i;
    expect_order(&arm_capture, order, 17);
    expect_order(&aarch64_capture, order, 33);
}

/* pc, x1 to x31; x0 has no word, for it is always 0. */
TEST(regs_of_riscv_begin_with_the_pc)
{
    const struct arch_capture *const backends[] = {&riscv64_capture, &riscv32_capture};

    for (size_t b = 0; b < 2; b++) {
        struct regset regset = numbered(backends[b]);
        uint64_t values[ARCH_REG_MAX];

        regset_decode(&regset, backends[b]->arch, values);
        assert_int_equal(values[0], 0);
        for (unsigned i = 1; i < 32; i++)
            assert_int_equal(values[i], 0x1000 + i);
        assert_int_equal(values[32], 0x1000);
        assert_int_equal(backends[b]->thread_pointer(0, &regset), 0x1004);
    }
}

TEST(regs_general_words_end_before_what_the_kernel_adds)
{
    assert_int_equal(regset_general_words(&arch_arm), 16);
    assert_int_equal(regset_general_words(&arch_aarch64), 33);
    assert_int_equal(regset_general_words(&arch_riscv64), 32);
}

TEST(regs_of_32_bits_do_not_keep_the_neighbour)
{
    struct regset regset = numbered(&i386_capture);
    uint64_t values[ARCH_REG_MAX];

    regset_set_word(&regset, 4, 15, 0xffffd000);
    regset_set_word(&regset, 4, 16, 0x2b);
    regset_decode(&regset, &arch_i386, values);
    assert_int_equal(values[4], 0xffffd000);
}

TEST(arch_capture_is_found_by_machine_and_word_size)
{
#if defined(__x86_64__)
    assert_ptr_equal(arch_capture_find(62, 8), &x86_64_capture);
    assert_ptr_equal(arch_capture_find(3, 4), &i386_capture);
    assert_null(arch_capture_find(62, 4)); /* x32 */
    assert_null(arch_capture_find(40, 4));
#endif
    assert_null(arch_capture_find(8, 4)); /* MIPS */
    assert_non_null(arch_capture_host());
}

TEST(restart_place_on_x86_is_the_pc_alone)
{
    struct regset regset = numbered(&x86_64_capture);
    const struct proc_syscall call = {.nr = 232, .pc = 0x401002};

    assert_true(restart_same_place(&x86_64_capture, &regset, &call, 0x401002));
    assert_false(restart_same_place(&x86_64_capture, &regset, &call, 0x401000));
}

/* A call 202 of 0x7000 and 128 as the arguments, which has given `result` and stopped at `pc`. */
static struct regset stopped_in_call(const struct arch_capture *backend, uint64_t result)
{
    struct regset regset = numbered(backend);
    const struct arch *arch = backend->arch;

    regset_set_word(&regset, arch->word_size, arch->regset_order[arch->syscall_result], result);
    regset_set_word(&regset, arch->word_size, regset_call_word(arch), 202);
    regset_set_word(&regset, arch->word_size, arch->regset_order[arch->syscall_args[0]], 0x7000);
    regset_set_word(&regset, arch->word_size, arch->regset_order[arch->syscall_args[1]], 128);
    return regset;
}

TEST(restart_of_an_interrupted_call_is_due_on_x86)
{
    const struct arch_capture *const backends[] = {&x86_64_capture, &i386_capture};
    const struct proc_syscall call = {.nr = 202, .args = {0x7000, 128}, .pc = 0x401002};

    for (size_t i = 0; i < 2; i++) {
        const struct arch_capture *b = backends[i];
        struct regset regset = stopped_in_call(b, (uint64_t)-512);

        assert_true(restart_is_due(b, &regset, &call, call.pc));
        regset = stopped_in_call(b, (uint64_t)-516);
        assert_true(restart_is_due(b, &regset, &call, call.pc));
        regset = stopped_in_call(b, (uint64_t)-110); /* ETIMEDOUT */
        assert_false(restart_is_due(b, &regset, &call, call.pc));
        regset = stopped_in_call(b, 0); /* woken */
        assert_false(restart_is_due(b, &regset, &call, call.pc));
    }
}

TEST(restart_on_arm_and_riscv_is_due_at_the_instruction)
{
    const struct arch_capture *const backends[] = {&arm_capture, &aarch64_capture, &riscv64_capture,
                                                   &riscv32_capture};
    const struct proc_syscall call = {.nr = 202, .args = {0x7000, 128}, .pc = 0x10404};

    for (size_t i = 0; i < 4; i++) {
        struct regset regset = stopped_in_call(backends[i], 0);

        /* Behind it the first argument is the result. */
        regset_set_word(&regset, backends[i]->arch->word_size,
                        backends[i]->arch->regset_order[backends[i]->arch->syscall_args[0]],
                        0x7000);
        assert_true(restart_is_due(backends[i], &regset, &call, 0x10400));
        assert_false(restart_is_due(backends[i], &regset, &call, 0x10404));
    }
}

TEST(restart_is_due_of_the_same_call_only)
{
    const struct proc_syscall call = {.nr = 202, .args = {0x7000, 128}, .pc = 0x401002};
    struct proc_syscall other = call;
    struct regset regset = stopped_in_call(&x86_64_capture, (uint64_t)-512);

    other.args[0] = 0x7004;
    assert_false(restart_is_due(&x86_64_capture, &regset, &other, call.pc));
    other = call;
    other.args[1] = 129;
    assert_false(restart_is_due(&x86_64_capture, &regset, &other, call.pc));
    other = call;
    other.nr = 203;
    assert_false(restart_is_due(&x86_64_capture, &regset, &other, call.pc));
}

TEST(restart_place_on_arm_may_be_the_instruction_itself)
{
    struct regset a32 = numbered(&arm_capture), t32 = a32, a64 = numbered(&aarch64_capture);
    const struct proc_syscall call = {.nr = 252, .pc = 0x10404};

    regset_set_word(&a32, 4, 16, 0x60000010);
    regset_set_word(&t32, 4, 16, 0x60000030); /* the T bit */
    assert_true(restart_same_place(&arm_capture, &a32, &call, 0x10404));
    assert_true(restart_same_place(&arm_capture, &a32, &call, 0x10400));
    assert_false(restart_same_place(&arm_capture, &a32, &call, 0x10402));
    assert_true(restart_same_place(&arm_capture, &t32, &call, 0x10402));
    assert_false(restart_same_place(&arm_capture, &t32, &call, 0x10400));
    assert_true(restart_same_place(&aarch64_capture, &a64, &call, 0x10400));
    assert_false(restart_same_place(&aarch64_capture, &a64, &call, 0x103fc));
}

TEST(regs_tag_of_an_aarch64_pointer_is_no_address)
{
    assert_int_equal(UINT64_C(0xab00ffff12345678) & aarch64_capture.addr_mask,
                     UINT64_C(0x0000ffff12345678));
    assert_int_equal(UINT64_C(0x00007fff12345678) & x86_64_capture.addr_mask,
                     UINT64_C(0x00007fff12345678));
}
