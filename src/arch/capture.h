/*
 * Registers of a stopped thread, one table entry per architecture that capture can handle.
 *
 * A 64-bit build also captures the 32-bit programs that its kernel runs. What NT_PRSTATUS holds is
 * an array of words of the tracee's size, the same for every tracer, so that the tables know it by
 * index and need no header of the kernel's.
 *
 * To add an architecture: regs_<arch>.c with one struct regs_backend, and a row in regs.c.
 */
#ifndef ARCH_CAPTURE_H
#define ARCH_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/arch.h"
#include "base/procfs.h"
#include "base/status.h"

#define REGSET_SIZE_MAX 512

/* What PTRACE_GETREGSET with NT_PRSTATUS gave; `size` tells the tracee's architecture. */
struct regset {
    size_t size;
    uint64_t bytes[REGSET_SIZE_MAX / sizeof(uint64_t)];
};

/* How an interrupted system call is made again; see restart.h. */
struct restart_facts {
    const uint16_t *calls; /* numbers of those that return EINTR after a mere stop */
    size_t call_count;
    uint8_t result, call, pc; /* where the registers hold these: indexes of words of the regset */
    uint8_t args[2];          /* the first two arguments */
    /*
     * The kernel has decided, before a tracer sees the stop, whether the call is made again: then
     * the instruction that makes one, and its size. NULL: it decides afterwards, and the next is
     * not needed.
     */
    uint32_t (*call_insn)(const struct regset *regset, unsigned *size);
    /* The first argument of call `nr`, which its result has replaced; false: nothing tells. */
    bool (*first_argument)(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out);
};

/* What a thread waits for that is blocked in a system call, as the call's arguments tell it. */
enum wait_form {
    WAIT_FOR_FUTEX,      /* the first is the lock word's address, the second the operation */
    WAIT_FOR_FD,         /* the first is a file descriptor */
    WAIT_FOR_POLL,       /* a list of struct pollfd, and its length */
    WAIT_FOR_SELECT,     /* how many descriptors, and three sets of them */
    WAIT_FOR_SOCKETCALL, /* the second is the address of arguments, the first a descriptor */
};

struct wait_syscall {
    uint16_t nr;
    uint8_t form; /* enum wait_form */
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
    unsigned word_size;
    unsigned red_zone;  /* bytes below SP that the ABI lets code keep data in without moving SP */
    uint64_t addr_mask; /* of a pointer, what is address; the rest is a tag */
    /* Register values in the order of arch/arch.h. */
    void (*decode)(const struct regset *regset, uint64_t *values);
    /* The thread pointer (where thread-local storage is found); 0 when there is none. */
    uint64_t (*thread_pointer)(pid_t tid, const struct regset *regset);
    /* Bits of a signed return address that are no address; NULL: there are none. */
    uint64_t (*pac_mask)(void);
    struct restart_facts restart;
    const struct wait_syscall *wait_calls;
    size_t wait_call_count;
};

/*
 * The backend for a program with this ELF machine and word size in bytes; NULL: this build cannot
 * capture it.
 */
const struct regs_backend *regs_backend_find(uint16_t elf_machine, unsigned word_size);

/* The backend for programs of this word size, as far as this build has one; or NULL. */
const struct regs_backend *regs_backend_of_size(unsigned word_size);

/* The backend of the programs that are like this one. */
const struct regs_backend *regs_backend_host(void);

/* Reads the registers of a stopped thread. NOT_FOUND: it is gone. */
MUST_CHECK enum status regset_read(pid_t tid, struct regset *out);
/* Gives it these registers. */
MUST_CHECK enum status regset_write(pid_t tid, const struct regset *regset);

/* Words of a regset, `word_size` bytes each. */
uint64_t regset_word(const struct regset *regset, unsigned word_size, unsigned index);
void regset_set_word(struct regset *regset, unsigned word_size, unsigned index, uint64_t value);

/* Values of `count` words, in the order of `from`. */
void regset_pick(const struct regset *regset, unsigned word_size, const uint8_t *from, size_t count,
                 uint64_t *values);

extern const struct regs_backend regs_x86_64, regs_i386, regs_aarch64, regs_arm;

#endif
