/*
 * Registers of a stopped thread, one table entry per architecture that capture can handle.
 *
 * To add an architecture: regs_<arch>.c with one struct regs_backend, guarded by #if on the host's
 * architecture, and a row in regs.c.
 */
#ifndef CAPTURE_REGS_H
#define CAPTURE_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arch.h"
#include "base/status.h"

#define REGSET_SIZE_MAX 512

/* What PTRACE_GETREGSET with NT_PRSTATUS gave; `size` tells the tracee's architecture. */
struct regset {
    size_t size;
    uint64_t bytes[REGSET_SIZE_MAX / sizeof(uint64_t)];
};

struct regs_backend {
    enum arch_id arch;
    size_t regset_size;
    int64_t restart_syscall; /* the call that continues an interrupted one: __NR_restart_syscall */
    /*
     * Where a signal frame keeps the alternate stack's address, relative to where it keeps the
     * interrupted stack pointer; the size is two words further (struct ucontext: uc_stack.ss_sp,
     * ss_flags, ss_size; uc_mcontext).
     */
    int frame_stack_off;
    unsigned red_zone; /* bytes below SP that the ABI lets code keep data in without moving SP */
    /* Register values in the order of base/arch.h. */
    void (*decode)(const struct regset *regset, uint64_t *values);
    /* The thread pointer (where thread-local storage is found); 0 when there is none. */
    uint64_t (*thread_pointer)(pid_t tid, const struct regset *regset);
    /*
     * The stopped thread `tid` is about to return EINTR from a system call that was interrupted by
     * nothing but the stop (some do, see regs_x86_64.c): make the kernel restart it. Does nothing
     * in every other case. `regset`: its registers if they were read, or NULL.
     */
    void (*restart_interrupted)(pid_t tid, const struct regset *regset);
};

/* The backend whose NT_PRSTATUS has this size; NULL: an architecture this build cannot capture. */
const struct regs_backend *regs_backend_by_size(size_t regset_size);
/* The backend of the architecture with this ELF machine; NULL as above. */
const struct regs_backend *regs_backend_by_machine(uint16_t elf_machine);

/* The backend of the programs that are like this one. */
const struct regs_backend *regs_backend_host(void);

/* Reads the registers of a stopped thread. NOT_FOUND: it is gone. */
MUST_CHECK enum status regset_read(pid_t tid, struct regset *out);

extern const struct regs_backend regs_x86_64;

#endif
