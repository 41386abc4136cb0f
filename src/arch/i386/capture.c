/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

#include <sys/ptrace.h>

/* The words of NT_PRSTATUS: struct user_regs_struct of <sys/user.h>. */
enum {
    EBX,
    ECX,
    EDX,
    ESI,
    EDI,
    EBP,
    EAX,
    DS,
    ES,
    FS,
    GS,
    ORIG_EAX,
    EIP,
    CS,
    EFLAGS,
    ESP,
    SS,
    WORDS
};

/* A ptrace request of i386, which a 64-bit kernel accepts from tracers of either kind. */
#define GET_THREAD_AREA 25

/* GS selects a segment of the thread, whose base is the thread pointer (set_thread_area). */
static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint64_t selector = regset_word(regset, 4, GS) & 0xffff;
    uint32_t area[4] = {0}; /* struct user_desc: number, base, limit, flags */

    if (!selector || ptrace(GET_THREAD_AREA, tid, (void *)(uintptr_t)(selector >> 3), area) != 0)
        return 0;
    return area[1];
}

const struct arch_capture i386_capture = {
    .arch = &arch_i386,
    .frame_stack_off = -40,
    .addr_mask = UINT32_MAX,
    .thread_pointer = thread_pointer,
    .pac_mask = NULL,
    .call_insn = NULL,
    .first_argument = NULL,
};
