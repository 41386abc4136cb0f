/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

#include "base/procfs.h"

/* The words of NT_PRSTATUS: struct user_regs_struct of the kernel's <asm/ptrace.h>. */
enum { TP = 4, A0 = 10 };

static uint64_t thread_pointer(pid_t tid, const struct regset *regset)
{
    (void)tid;
    return regset_word(regset, 4, TP);
}

static uint32_t call_insn(const struct regset *regset, unsigned *size)
{
    (void)regset;
    *size = 4;
    return 0x00000073; /* ecall */
}

/* The kernel keeps a0 (orig_a0), and shows it in /proc/PID/syscall, also for a stopped thread. */
static bool first_argument(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out)
{
    struct proc_syscall call = {.nr = -1};
    char text[256];
    ssize_t n = proc_readf(text, sizeof(text), "/proc/%d/syscall", (int)tid);

    if (n <= 0 || !proc_parse_syscall(text, (size_t)n, &call) || call.nr != (int64_t)nr)
        return false;
    *out = call.args[0];
    return *out != regset_word(regset, 4, A0);
}

const struct arch_capture riscv32_capture = {
    .arch = &arch_riscv32,
    .frame_stack_off = -160,
    .addr_mask = UINT32_MAX,
    .thread_pointer = thread_pointer,
    .pac_mask = NULL,
    .call_insn = call_insn,
    .first_argument = first_argument,
};
