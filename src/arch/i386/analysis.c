/* SPDX-License-Identifier: MIT */
/* i386: the table for the analysis of programs. See arch/analysis/analysis.h. */
#include "arch/analysis/analysis.h"

#include <elf.h>

#include "arch/x86/insn.h"

static const char *const machines[] = {"i?86", NULL};

const struct arch_analysis i386_analysis = {
    .arch = &arch_i386,
    .insn_sets = {[CODE_DEFAULT] = &insn_set_i386, [CODE_T32] = NULL},
    .syscall_insns = {{2, {0xcd, 0x80}}, {0, {0}}}, /* int $0x80 */
    .result_checks = NULL,
    .plt = {plt_i386_decode, 16, 8, 16},
    .relocs = {R_386_RELATIVE, R_386_IRELATIVE, R_386_32, R_386_GLOB_DAT, R_386_JMP_SLOT},
    .table_relocs = {R_386_32, R_386_PC32, R_386_NONE, R_386_NONE},
    .map_code = 0,
    .map_other = 0,
    .map_data = 0,
    .exidx_section = NULL,
    .exidx_segment = 0,
    .signs_return_address = false,
    .core = {CORE_STATUS_32, CORE_INFO_32, .special_addr = 0, .special_name = NULL,
             .syscall = CORE_SYSCALL_ORIG_NUMBER, .pointer_word = 10 /* gs */,
             .pointer_note = 0x200 /* NT_386_TLS */},
    .perf = {.machines = machines, .own_mask = 0},
    .glibc_tid_off = 0x68,
    .musl_words_before_tid = 6,
    .exception = NULL,
    .board = NULL,
    .virtual_in_adjustment = false,
    .x87_long_double = true,
};
