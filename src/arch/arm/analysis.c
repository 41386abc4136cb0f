/* SPDX-License-Identifier: MIT */
/* arm: the table for the analysis of programs. See arch/analysis/analysis.h. */
#include "arch/analysis/analysis.h"

#include <elf.h>

#include "arch/arm/board.h"
#include "arch/arm/exception.h"
#include "arch/arm/insn.h"

static const char *const machines[] = {"arm", "arm[!6]*", "arm6[!4]*", "arm64?*", NULL};

const struct arch_analysis arm_analysis = {
    .arch = &arch_arm,
    .insn_sets = {[CODE_DEFAULT] = &insn_set_a32, [CODE_T32] = &insn_set_t32},
    .syscall_insns = {{4, {0x00, 0x00, 0x00, 0xef}}, {2, {0x00, 0xdf}}}, /* svc 0 */
    .result_checks = NULL,
    .plt = {plt_arm_decode, 4, 4, 16},
    .relocs = {R_ARM_RELATIVE, R_ARM_IRELATIVE, R_ARM_ABS32, R_ARM_GLOB_DAT, R_ARM_JUMP_SLOT},
    .table_relocs = {R_ARM_ABS32, R_ARM_REL32, R_ARM_NONE, R_ARM_NONE},
    .map_code = 'a',
    .map_other = 't',
    .map_data = 'd',
    .exidx_section = ".ARM.exidx",
    .exidx_segment = PT_ARM_EXIDX,
    .signs_return_address = false,
    .core = {CORE_STATUS_32, CORE_INFO_32, .special_addr = 0xffff0000, .special_name = "[vectors]",
             .syscall = CORE_SYSCALL_ORIG_ARGUMENT, .pointer_word = CORE_WORD_NONE,
             .pointer_note = 0},
    .perf = {.machines = machines, .own_mask = 0},
    .glibc_tid_off = 0x68,
    .musl_words_before_tid = 4,
    .exception = &arm_exception,
    .board = &arm_board,
    .virtual_in_adjustment = true,
    .x87_long_double = false,
};
