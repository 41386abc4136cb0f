/* SPDX-License-Identifier: MIT */
/* riscv64: the table for the analysis of programs. See arch/analysis/analysis.h. */
#include "arch/analysis/analysis.h"

#include "arch/riscv/fault.h"
#include "arch/riscv/board.h"
#include "arch/riscv/insn.h"
#include "arch/reloc_numbers.h"

static const char *const machines[] = {"riscv64", NULL};

const struct arch_analysis riscv64_analysis = {
    .arch = &arch_riscv64,
    .insn_sets = {[CODE_DEFAULT] = &insn_set_rv64, [CODE_T32] = NULL},
    .syscall_insns = {{4, {0x73, 0x00, 0x00, 0x00}}, {0, {0}}}, /* ecall */
    .result_checks = NULL,
    .plt = {plt_riscv64_decode, 4, 4, 32},
    .relocs = {R_RISCV_RELATIVE, R_RISCV_IRELATIVE, R_RISCV_64, R_RISCV_64, R_RISCV_JUMP_SLOT},
    .table_relocs = {R_RISCV_64, R_RISCV_NONE, R_RISCV_32, R_RISCV_32_PCREL},
    .map_code = 'x',
    .map_other = 0,
    .map_data = 'd',
    .exidx_section = NULL,
    .exidx_segment = 0,
    .signs_return_address = false,
    .core = {CORE_STATUS_64, CORE_INFO_64, .special_addr = 0, .special_name = NULL,
             .syscall = CORE_SYSCALL_INSN, .pointer_word = 4 /* tp */, .pointer_note = 0},
    .perf = {.machines = machines, .own_mask = 0},
    .glibc_tid_off = 0xd0,
    .musl_words_before_tid = 4,
    .exception = &riscv_exception,
    .board = &riscv64_board,
    .virtual_in_adjustment = false,
    .x87_long_double = false,
};
