/* SPDX-License-Identifier: MIT */
/* x86_64: registers, calls, system calls. See arch/arch.h. */
#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))
#define NONE   REG_NONE

/*
 * struct user_regs_struct of <sys/user.h>: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi
 * rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs.
 */
static const uint8_t regset_order[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};

/* asm/perf_regs.h; flags and segment registers have no number of ours. */
static const uint8_t perf_regs[] = {0,    3,    2,    1,    4, 5, 6,  7,  16, NONE, NONE, NONE,
                                    NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,   14,   15};

const struct arch arch_x86_64 = {
    .id = ARCH_X86_64,
    .name = "x86_64",
    .elf_machine = EM_X86_64,
    .word_size = 8,
    .reg_count = 17,
    .all_regs = 17,
    .dwarf_regs = 17,
    .pc = 16,
    .sp = 7,
    .fp = 6,
    .lr = REG_NONE,
    .outline_link = REG_NONE,
    .trap_pc = REG_NONE,
    .first_arg = 5,
    .goroutine = 14,
    .goroutine_thread_off = -8,
    .ra_column = 16,
    .pac_mask = 0,
    .isa_bit = 0,
    .spans_registers = false,
    .red_zone = 128,
    .cfa_entry_off = 8,
    .frame_cfa_off = 16,
    .record_off = 0,
    .syscall_size = 2,
    .syscall_number = REG_NONE,
    .syscall_result = 0,
    .syscall_args = {5, 4, 1, 10, 8, 9},
    .regset_words = 27,
    .orig_word = 15,
    .regset_order = regset_order,
    .perf_regs = perf_regs,
    .perf_reg_count = sizeof(perf_regs),
    .u64_align = 8,
    .callee_saved = BIT(3) | BIT(6) | BIT(12) | BIT(13) | BIT(14) | BIT(15),
    .syscalls = &x86_64_syscalls,
};
