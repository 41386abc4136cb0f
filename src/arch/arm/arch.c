/* SPDX-License-Identifier: MIT */
/* arm: registers, calls, system calls. See arch/arch.h. */
#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))

/* struct pt_regs of the kernel's <asm/ptrace.h>: r0 to r15, cpsr, orig_r0 */
static const uint8_t regset_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* asm/perf_regs.h */
static const uint8_t perf_regs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

const struct arch arch_arm = {
    .id = ARCH_ARM,
    .name = "arm",
    .elf_machine = EM_ARM,
    .word_size = 4,
    .reg_count = 17,
    .all_regs = 19,
    .dwarf_regs = 16,
    .pc = 15,
    .sp = 13,
    .fp = 11,
    .lr = 14,
    .outline_link = REG_NONE,
    .trap_pc = REG_NONE,
    .first_arg = 0,
    .goroutine = 10,
    .goroutine_thread_off = 8,
    .ra_column = 14,
    .pac_mask = 0,
    .isa_bit = 1,
    .spans_registers = true,
    .red_zone = 0,
    .cfa_entry_off = 0,
    .frame_cfa_off = 4,
    .record_off = 0,
    .syscall_size = 2,
    .syscall_number = 7,
    .syscall_result = 0,
    .syscall_args = {0, 1, 2, 3, 4, 5},
    .regset_words = 18,
    .orig_word = 17,
    .regset_order = regset_order,
    .perf_regs = perf_regs,
    .perf_reg_count = sizeof(perf_regs),
    .u64_align = 8,
    .callee_saved = BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(8) | BIT(9) | BIT(10) | BIT(11),
    .syscalls = &arm_syscalls,
};
