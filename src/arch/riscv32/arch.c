/* SPDX-License-Identifier: MIT */
/* riscv32: registers, calls, system calls. See arch/arch.h. */
#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))

/* struct user_regs_struct of the kernel's <asm/ptrace.h>: pc, x1 to x31; x0 is always 0 */
static const uint8_t regset_order[] = {REG_NONE, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11,       12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22,       23, 24, 25, 26, 27, 28, 29, 30, 31, 0};

/* asm/perf_regs.h: pc, x1 to x31 */
static const uint8_t perf_regs[] = {32, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

const struct arch arch_riscv32 = {
    .id = ARCH_RISCV32,
    .name = "riscv32",
    .elf_machine = EM_RISCV,
    .word_size = 4,
    .reg_count = 33,
    .all_regs = 34,
    .dwarf_regs = 32,
    .pc = 32,
    .sp = 2,
    .fp = 8,
    .lr = 1,
    .outline_link = 5,
    .trap_pc = 33,
    .first_arg = 10,
    .goroutine = REG_NONE,
    .goroutine_thread_off = 0,
    .ra_column = 1,
    .pac_mask = 0,
    .isa_bit = 0,
    .spans_registers = true,
    .red_zone = 0,
    .cfa_entry_off = 0,
    .frame_cfa_off = 0,
    .record_off = -8,
    .syscall_size = 4,
    .syscall_number = 17,
    .syscall_result = 10,
    .syscall_args = {10, 11, 12, 13, 14, 15},
    .regset_words = 32,
    .orig_word = 32,
    .regset_order = regset_order,
    .perf_regs = perf_regs,
    .perf_reg_count = sizeof(perf_regs),
    .u64_align = 8,
    .callee_saved = BIT(8) | BIT(9) | BIT(18) | BIT(19) | BIT(20) | BIT(21) | BIT(22) | BIT(23) |
                    BIT(24) | BIT(25) | BIT(26) | BIT(27),
    .syscalls = &riscv32_syscalls,
};
