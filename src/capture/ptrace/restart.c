/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/restart.h"

#include <errno.h>
#include <sys/uio.h>

#include "base/hash.h"

/* The kernel's internal errors with which a call is made again: */
#define ERESTART_FIRST 512
#define ERESTART_LAST  516
/* made again, or EINTR if a signal handler runs */
#define ERESTARTNOHAND 514

static bool returns_eintr(const struct arch *arch, uint64_t nr)
{
    return syscall_flags(syscall_find(arch->syscalls, (int64_t)nr)) & CALL_EINTR;
}

/* Words of the regset. */
static unsigned pc_word(const struct arch *arch)
{
    return arch->regset_order[arch->pc];
}

static unsigned result_word(const struct arch *arch)
{
    return arch->regset_order[arch->syscall_result];
}

static bool is_eintr(const struct arch_capture *backend, const struct regset *regset)
{
    struct regset eintr;

    regset_set_word(&eintr, backend->arch->word_size, 0, (uint64_t)-EINTR);
    return regset_word(regset, backend->arch->word_size, result_word(backend->arch)) ==
           regset_word(&eintr, backend->arch->word_size, 0);
}

/*
 * The register with the call's number is -1 after a fault or interrupt, and the result is no error
 * once a handler's frame was set up.
 */
static void leave_to_kernel(const struct arch_capture *backend, pid_t tid, struct regset *regset)
{
    const struct arch *arch = backend->arch;
    const unsigned word_size = arch->word_size;

    if (!returns_eintr(arch, regset_word(regset, word_size, regset_call_word(arch))) ||
        !is_eintr(backend, regset))
        return;
    regset_set_word(regset, word_size, result_word(arch), (uint64_t)-ERESTARTNOHAND);
    /* The words up to the result are enough. */
    regset->size = (result_word(arch) + 1u) * word_size;
    (void)!regset_write(tid, regset);
}

/* Is the instruction before PC one that makes a system call? */
static bool is_behind_call(const struct arch_capture *backend, pid_t tid,
                           const struct regset *regset, uint64_t pc)
{
    unsigned size;
    uint32_t wanted = backend->call_insn(regset, &size), insn = 0;
    struct iovec local = {.iov_base = &insn, .iov_len = size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)(pc - size), .iov_len = size};

    return process_vm_readv(tid, &local, 1, &remote, 1, 0) == (ssize_t)size && insn == wanted;
}

/* FNV-1a of the general registers and the PC; not 0. */
static uint64_t hash_regs(const struct arch_capture *backend, const struct regset *regset)
{
    const size_t size = (size_t)regset_general_words(backend->arch) * backend->arch->word_size;
    uint64_t hash = hash_bytes(HASH_BYTES, regset->bytes, size);

    return hash ? hash : 1;
}

static uint64_t set_back(const struct arch_capture *backend, pid_t tid, struct regset *regset)
{
    const struct arch *arch = backend->arch;
    const unsigned word_size = arch->word_size;
    uint64_t pc = regset_word(regset, word_size, pc_word(arch));
    uint64_t nr = regset_word(regset, word_size, regset_call_word(arch)), arg;
    unsigned size;

    if (!returns_eintr(arch, nr) || !is_eintr(backend, regset))
        return 0;
    if (!is_behind_call(backend, tid, regset, pc) ||
        !backend->first_argument(tid, regset, nr, &arg))
        return 0;
    backend->call_insn(regset, &size);
    regset_set_word(regset, word_size, result_word(arch), arg);
    regset_set_word(regset, word_size, pc_word(arch), pc - size);
    return regset_write(tid, regset) == STATUS_OK ? hash_regs(backend, regset) : 0;
}

uint64_t restart_interrupted(const struct arch_capture *backend, pid_t tid,
                             const struct regset *regset, bool handles)
{
    struct regset regs;

    if (handles && backend->call_insn)
        return 0;
    if (regset)
        regs = *regset;
    else if (regset_read(tid, &regs) != STATUS_OK)
        return 0;
    if (regs.size != regset_size(backend->arch))
        return 0;
    if (backend->call_insn)
        return set_back(backend, tid, &regs);
    leave_to_kernel(backend, tid, &regs);
    return 0;
}

void restart_fail(const struct arch_capture *backend, pid_t tid, uint64_t hash)
{
    const struct arch *arch = backend->arch;
    const unsigned word_size = arch->word_size;
    struct regset regs;
    unsigned size;

    if (regset_read(tid, &regs) != STATUS_OK || regs.size != regset_size(backend->arch) ||
        hash_regs(backend, &regs) != hash)
        return;
    backend->call_insn(&regs, &size);
    regset_set_word(&regs, word_size, result_word(arch), (uint64_t)-EINTR);
    regset_set_word(&regs, word_size, pc_word(arch),
                    regset_word(&regs, word_size, pc_word(arch)) + size);
    (void)!regset_write(tid, &regs);
}

bool restart_same_place(const struct arch_capture *backend, const struct regset *regset,
                        const struct proc_syscall *call, uint64_t pc)
{
    unsigned size = 0;

    if (backend->call_insn)
        backend->call_insn(regset, &size);
    return pc == call->pc || pc + size == call->pc;
}

bool restart_is_due(const struct arch_capture *backend, const struct regset *regset,
                    const struct proc_syscall *call, uint64_t pc)
{
    const struct arch *arch = backend->arch;
    const unsigned word_size = arch->word_size;

    for (unsigned i = 0; i < 2; i++)
        if (regset_word(regset, word_size, arch->regset_order[arch->syscall_args[i]]) !=
            call->args[i])
            return false;
    if (regset_word(regset, word_size, regset_call_word(arch)) != (uint64_t)call->nr)
        return false;
    if (backend->call_insn) /* made again if the kernel has put the thread back to it */
        return pc != call->pc;
    for (unsigned error = ERESTART_FIRST; error <= ERESTART_LAST; error++) {
        struct regset wanted;

        regset_set_word(&wanted, word_size, 0, -(uint64_t)error);
        if (regset_word(regset, word_size, result_word(arch)) == regset_word(&wanted, word_size, 0))
            return true;
    }
    return false;
}
