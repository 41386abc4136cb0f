/* SPDX-License-Identifier: MIT */
/* aarch64: the table for the analysis of programs. See arch/analysis/analysis.h. */
#include "arch/analysis/analysis.h"

#include "arch/aarch64/insn.h"
#include "arch/reloc_numbers.h"

static const char *const machines[] = {"aarch64", "arm64", NULL};

const struct arch_analysis aarch64_analysis = {
    .arch = &arch_aarch64,
    .insn_sets = {[CODE_DEFAULT] = &insn_set_a64, [CODE_T32] = NULL},
    .syscall_insns = {{4, {0x01, 0x00, 0x00, 0xd4}}, {0, {0}}}, /* svc #0 */
    .result_checks = NULL,
    .plt = {plt_aarch64_decode, 4, 4, 32},
    .relocs = {R_AARCH64_RELATIVE, R_AARCH64_IRELATIVE, R_AARCH64_ABS64, R_AARCH64_GLOB_DAT,
               R_AARCH64_JUMP_SLOT},
    .table_relocs = {R_AARCH64_ABS64, R_AARCH64_PREL64, R_AARCH64_ABS32, R_AARCH64_PREL32},
    .map_code = 'x',
    .map_other = 0,
    .map_data = 'd',
    .exidx_section = NULL,
    .exidx_segment = 0,
    .signs_return_address = true,
    .core = {CORE_STATUS_64, CORE_INFO_64, .special_addr = 0, .special_name = NULL,
             .syscall = CORE_SYSCALL_INSN, .pointer_word = CORE_WORD_NONE,
             .pointer_note = 0x401 /* NT_ARM_TLS */},
    .perf = {.machines = machines, .own_mask = UINT64_C(0x1ffffffff)},
    .glibc_tid_off = 0xd0,
    .musl_words_before_tid = 4,
    .exception = NULL,
    .board = NULL,
    .virtual_in_adjustment = true,
    .x87_long_double = false,
};
