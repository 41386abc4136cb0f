/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <string.h>

#include "unit_test.h"
#include "arch/arch.h"

TEST(arch_table_is_consistent)
{
    for (int id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);

        assert_int_equal(arch->id, id);
        assert_ptr_equal(arch_by_elf(arch->elf_machine, arch->word_size), arch);
        assert_true(arch->reg_count <= ARCH_REG_MAX);
        assert_true(arch->pc < arch->reg_count && arch->sp < arch->reg_count);
        assert_true(arch->fp < arch->reg_count && arch->ra_column < ARCH_REG_MAX);
        assert_true(arch->lr == REG_NONE || arch->lr < arch->reg_count);
        assert_int_equal(arch->callee_saved >> arch->reg_count, 0);
        assert_int_equal(arch->callee_saved >> arch->sp & 1, 0);
        assert_int_equal(arch->callee_saved >> arch->pc & 1, 0);
        assert_int_equal(arch->callee_saved >> arch->fp & 1, 1);
        /* Calls push the return address, or leave it in a register. */
        assert_int_equal(arch->cfa_entry_off, arch->lr == REG_NONE ? arch->word_size : 0);
    }
}

TEST(arch_unknown_machine_is_null)
{
    assert_null(arch_by_elf(EM_NONE, 4));
    assert_null(arch_by_elf(EM_SPARCV9, 8));
}

TEST(arch_register_names_follow_the_psabi)
{
    const struct arch *x86_64 = arch_get(ARCH_X86_64);
    const struct arch *aarch64 = arch_get(ARCH_AARCH64);

    assert_string_equal(arch_reg_names(x86_64)[1], "rdx");
    assert_string_equal(arch_reg_names(x86_64)[x86_64->fp], "rbp");
    assert_string_equal(arch_reg_names(x86_64)[x86_64->sp], "rsp");
    assert_string_equal(arch_reg_names(x86_64)[x86_64->pc], "rip");
    assert_string_equal(arch_reg_names(arch_get(ARCH_I386))[arch_get(ARCH_I386)->sp], "esp");
    assert_string_equal(arch_reg_names(arch_get(ARCH_ARM))[arch_get(ARCH_ARM)->fp], "r11");
    assert_string_equal(arch_reg_names(aarch64)[aarch64->lr], "x30");
    for (int id = ARCH_RISCV64; id <= ARCH_RISCV32; id++) {
        const struct arch *riscv = arch_get((enum arch_id)id);

        assert_string_equal(arch_reg_names(riscv)[riscv->sp], "sp");
        assert_string_equal(arch_reg_names(riscv)[riscv->fp], "s0");
        assert_string_equal(arch_reg_names(riscv)[riscv->lr], "ra");
        assert_string_equal(arch_reg_names(riscv)[riscv->pc], "pc");
        assert_string_equal(arch_reg_names(riscv)[riscv->syscall_number], "a7");
        assert_string_equal(arch_reg_names(riscv)[27], "s11");
    }
}

TEST(regs_unknown_registers_are_told_apart)
{
    struct regs regs = {.known = 0};

    assert_false(regs_has(&regs, 3));
    regs_set(&regs, 3, 0);
    regs_set(&regs, ARCH_REG_MAX - 1, 9);
    assert_true(regs_has(&regs, 3));
    assert_true(regs_has(&regs, ARCH_REG_MAX - 1));
    regs_forget(&regs, 3);
    assert_false(regs_has(&regs, 3));
    assert_false(regs_has(&regs, ARCH_REG_MAX));
    assert_false(regs_has(&regs, REG_NONE));
}
