/* SPDX-License-Identifier: MIT */
/* x86_64: the table for the analysis of programs. See arch/analysis/analysis.h. */
#include "arch/analysis/analysis.h"

#include <elf.h>
#include <string.h>

#include "arch/x86/insn.h"

/* Returns the size of a `test %rax,%rax` at the end, with a jl and je behind it; 0: other code. */
static unsigned result_checks(const uint8_t *bytes, uint64_t size)
{
    static const uint8_t test[] = {0x48, 0x85, 0xc0};
    uint64_t at = size;

    for (unsigned i = 0; i < 2 && at >= 2 && (bytes[at - 2] == 0x7c || bytes[at - 2] == 0x74); i++)
        at -= 2;
    if (at < sizeof(test) || memcmp(bytes + at - sizeof(test), test, sizeof(test)) != 0)
        return 0;
    return (unsigned)(size - at + sizeof(test));
}

static const char *const machines[] = {"x86_64", NULL};

const struct arch_analysis x86_64_analysis = {
    .arch = &arch_x86_64,
    .insn_sets = {[CODE_DEFAULT] = &insn_set_x86_64, [CODE_T32] = NULL},
    .syscall_insns = {{2, {0x0f, 0x05}}, {0, {0}}}, /* syscall */
    .result_checks = result_checks,
    .plt = {plt_x86_64_decode, 16, 8, 16},
    .relocs = {R_X86_64_RELATIVE, R_X86_64_IRELATIVE, R_X86_64_64, R_X86_64_GLOB_DAT,
               R_X86_64_JUMP_SLOT},
    .table_relocs = {R_X86_64_64, R_X86_64_PC64, R_X86_64_32, R_X86_64_PC32},
    .map_code = 0,
    .map_other = 0,
    .map_data = 0,
    .exidx_section = NULL,
    .exidx_segment = 0,
    .signs_return_address = false,
    .core = {CORE_STATUS_64, CORE_INFO_64, .special_addr = UINT64_C(0xffffffffff600000),
             .special_name = "[vsyscall]", .syscall = CORE_SYSCALL_ORIG_NUMBER,
             .pointer_word = 21 /* fs_base */, .pointer_note = 0},
    .perf = {.machines = machines, .own_mask = 0xff0fff},
    .glibc_tid_off = 0x2d0,
    .musl_words_before_tid = 6,
    .exception = NULL,
    .board = NULL,
    .virtual_in_adjustment = false,
    .x87_long_double = true,
};
