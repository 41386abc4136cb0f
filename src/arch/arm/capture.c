/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#ifndef NT_ARM_TLS
#define NT_ARM_TLS 0x401
#endif

/* The words of NT_PRSTATUS: struct pt_regs of the kernel's <asm/ptrace.h>; r0 to r12 come first. */
enum { R0 = 0, R7 = 7, SP = 13, LR, PC, CPSR, ORIG_R0, WORDS };

#define CPSR_T 0x20u /* set in T32 code */

/* A ptrace request of 32-bit ARM tracers only; 64-bit ones read NT_ARM_TLS, which these lack. */
#define GET_THREAD_AREA 22

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint32_t tls = 0;

    (void)regset;
#ifdef __arm__
    if (ptrace(GET_THREAD_AREA, tid, NULL, &tls) != 0)
        return 0;
#else
    struct iovec iov = {.iov_base = &tls, .iov_len = sizeof(tls)};
    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_ARM_TLS, &iov) != 0)
        return 0;
#endif
    return tls;
}

static uint32_t call_insn(const struct regset *regset, unsigned *size)
{
    bool t32 = regset_word(regset, 4, CPSR) & CPSR_T;

    *size = t32 ? 2 : 4;
    return t32 ? 0xdf00 : 0xef000000; /* svc #0 */
}

/* The kernel keeps r0 in orig_r0; -1: the thread did not enter the kernel by a call. */
static bool first_argument(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out)
{
    (void)tid, (void)nr;
    *out = regset_word(regset, 4, ORIG_R0);
    return *out != UINT32_MAX;
}

const struct arch_capture arm_capture = {
    .arch = &arch_arm,
    .frame_stack_off = -76,
    .addr_mask = UINT32_MAX,
    .thread_pointer = thread_pointer,
    .pac_mask = NULL,
    .call_insn = call_insn,
    .first_argument = first_argument,
};
