/* SPDX-License-Identifier: MIT */
/* aarch64: registers, calls, system calls. See arch/arch.h. */
#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))

/* struct user_pt_regs: x0 to x30, sp, pc, pstate */
static const uint8_t regset_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

/* asm/perf_regs.h */
static const uint8_t perf_regs[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

const struct arch arch_aarch64 = {
    .id = ARCH_AARCH64,
    .name = "aarch64",
    .elf_machine = EM_AARCH64,
    .word_size = 8,
    .reg_count = 33,
    .all_regs = 33,
    .dwarf_regs = 33,
    .pc = 32,
    .sp = 31,
    .fp = 29,
    .lr = 30,
    .outline_link = REG_NONE,
    .trap_pc = REG_NONE,
    .first_arg = 0,
    .goroutine = 28,
    .goroutine_thread_off = 16,
    .ra_column = 30,
    .pac_mask = UINT64_C(0x007f000000000000), /* user space of 48 bits */
    .isa_bit = 0,
    .spans_registers = true,
    .red_zone = 0,
    .cfa_entry_off = 0,
    .frame_cfa_off = FRAME_CFA_VARIES,
    .record_off = 0,
    .syscall_size = 4,
    .syscall_number = 8,
    .syscall_result = 0,
    .syscall_args = {0, 1, 2, 3, 4, 5},
    .regset_words = 34,
    .orig_word = 34,
    .regset_order = regset_order,
    .perf_regs = perf_regs,
    .perf_reg_count = sizeof(perf_regs),
    .u64_align = 8,
    .callee_saved = BIT(19) | BIT(20) | BIT(21) | BIT(22) | BIT(23) | BIT(24) | BIT(25) | BIT(26) |
                    BIT(27) | BIT(28) | BIT(29),
    .syscalls = &aarch64_syscalls,
};
