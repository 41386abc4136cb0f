/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "base/procfs.h"

#ifndef NT_ARM_TLS
#define NT_ARM_TLS 0x401
#endif

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif

/* The words of NT_PRSTATUS: struct user_pt_regs; x0 to x30 come first. */
enum { X0 = 0, X8 = 8, SP = 31, PC, PSTATE, WORDS };

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    uint64_t tls[2] = {0}; /* TPIDR_EL0, and TPIDR2_EL0 where there is one */
    struct iovec iov = {.iov_base = tls, .iov_len = sizeof(tls)};

    (void)regset;
    return ptrace(PTRACE_GETREGSET, tid, (void *)NT_ARM_TLS, &iov) == 0 ? tls[0] : 0;
}

#ifdef __aarch64__
/*
 * Returns what NT_ARM_PAC_MASK says of a stopped thread. The mask depends only on the size of the
 * kernel's user address space, so it is found by having the CPU strip an address of our own.
 * XPACLRI is a hint, which CPUs without pointer authentication ignore.
 */
static uint64_t pac_mask(void)
{
    const uint64_t ones = UINT64_MAX >> 9; /* bit 55: the kernel's half of the address space */
    register uint64_t lr __asm__("x30") = ones;

    __asm__ volatile("hint #7" : "+r"(lr));
    return ones ^ lr;
}
#endif

static uint32_t call_insn(const struct regset *regset, unsigned *size)
{
    (void)regset;
    *size = 4;
    return 0xd4000001; /* svc #0 */
}

static bool set_call(pid_t tid, int nr)
{
    struct iovec iov = {.iov_base = &nr, .iov_len = sizeof(nr)};

    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_ARM_SYSTEM_CALL, &iov) == 0;
}

/*
 * Reads the x0 that the kernel keeps. It is shown only in /proc/PID/syscall, and only while the
 * thread is in a call. The kernel has forgotten the call's number by now, so we set it, look, and
 * take it back.
 */
static bool ask_kernel(pid_t tid, uint64_t nr, uint64_t *out)
{
    struct proc_syscall call = {.nr = -1};
    char text[256];
    ssize_t n;
    bool ok;

    if (!set_call(tid, (int)nr))
        return false;
    n = proc_readf(text, sizeof(text), "/proc/%d/syscall", (int)tid);
    ok = n > 0 && proc_parse_syscall(text, (size_t)n, &call) && call.nr == (int64_t)nr;
    *out = call.args[0];
    return set_call(tid, -1) && ok;
}

/* Kernels of 2026 (Debian's 6.1.192, say) show the present x0, the result: then it is lost. */
static bool first_argument(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out)
{
    return ask_kernel(tid, nr, out) && *out != regset_word(regset, 8, X0);
}

const struct arch_capture aarch64_capture = {
    .arch = &arch_aarch64,
    .frame_stack_off = -416,
    .addr_mask = UINT64_MAX >> 8, /* the top byte is ignored; MTE keeps its tags there */
    .thread_pointer = thread_pointer,
#ifdef __aarch64__
    .pac_mask = pac_mask,
#else
    .pac_mask = NULL, /* this CPU is not the one that runs the program */
#endif
    .call_insn = call_insn,
    .first_argument = first_argument,
};
