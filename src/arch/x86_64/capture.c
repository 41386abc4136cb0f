/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

/* The words of NT_PRSTATUS: struct user_regs_struct of <sys/user.h>. */
enum {
    R15,
    R14,
    R13,
    R12,
    RBP,
    RBX,
    R11,
    R10,
    R9,
    R8,
    RAX,
    RCX,
    RDX,
    RSI,
    RDI,
    ORIG_RAX,
    RIP,
    CS,
    EFLAGS,
    RSP,
    SS,
    FS_BASE,
    GS_BASE,
    DS,
    ES,
    FS,
    GS,
    WORDS
};

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    (void)tid;
    return regset_word(regset, 8, FS_BASE);
}

const struct arch_capture x86_64_capture = {
    .arch = &arch_x86_64,
    .frame_stack_off = -144,
    .addr_mask = UINT64_MAX,
    .thread_pointer = thread_pointer,
    .pac_mask = NULL,
    .call_insn = NULL,
    .first_argument = NULL,
};
