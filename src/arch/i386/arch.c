/* SPDX-License-Identifier: MIT */
/* i386: registers, calls, system calls. See arch/arch.h. */
#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))

/* ebx ecx edx esi edi ebp eax ds es fs gs orig_eax eip cs eflags esp ss */
static const uint8_t regset_order[] = {6, 1, 2, 0, 15, 5, 3, 4, 12};

/* asm/perf_regs.h */
static const uint8_t perf_regs[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};

const struct arch arch_i386 = {
    .id = ARCH_I386,
    .name = "i386",
    .elf_machine = EM_386,
    .word_size = 4,
    .reg_count = 9,
    .all_regs = 9,
    .dwarf_regs = 9,
    .pc = 8,
    .sp = 4,
    .fp = 5,
    .lr = REG_NONE,
    .outline_link = REG_NONE,
    .trap_pc = REG_NONE,
    .first_arg = REG_NONE,
    .goroutine = REG_NONE,
    .goroutine_thread_off = -4,
    .ra_column = 8,
    .pac_mask = 0,
    .isa_bit = 0,
    .spans_registers = false,
    .red_zone = 0,
    .cfa_entry_off = 4,
    .frame_cfa_off = 8,
    .record_off = 0,
    .syscall_size = 2,
    .syscall_number = REG_NONE,
    .syscall_result = 0,
    .syscall_args = {3, 1, 2, 6, 7, 5},
    .regset_words = 17,
    .orig_word = 11,
    .regset_order = regset_order,
    .perf_regs = perf_regs,
    .perf_reg_count = sizeof(perf_regs),
    .u64_align = 4,
    .callee_saved = BIT(3) | BIT(5) | BIT(6) | BIT(7),
    .syscalls = &i386_syscalls,
};
