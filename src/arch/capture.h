/* SPDX-License-Identifier: MIT */
/*
 * What capture on the target needs of an architecture; see arch/arch.h.
 *
 * A 64-bit build also captures the 32-bit programs that its kernel runs. What NT_PRSTATUS holds is
 * an array of words of the tracee's size, the same for every tracer, so that the tables know it by
 * index and need no header of the kernel's.
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

/*
 * Of an architecture, what capture needs besides struct arch: how a stopped thread's registers tell
 * where its stacks and thread-local storage are, and how an interrupted system call is made again
 * (capture/ptrace/restart.h).
 */
struct arch_capture {
    const struct arch *arch;
    /*
     * Where a signal frame keeps the alternate stack's address, relative to where it keeps the
     * interrupted stack pointer; the size is two words further (struct ucontext: uc_stack.ss_sp,
     * ss_flags, ss_size; uc_mcontext).
     */
    int frame_stack_off;
    uint64_t addr_mask; /* of a pointer, what is address; the rest is a tag */
    /* The thread pointer (where thread-local storage is found); 0 when there is none. */
    uint64_t (*thread_pointer)(pid_t tid, const struct regset *regset);
    /* Bits of a signed return address that are no address; NULL: there are none. */
    uint64_t (*pac_mask)(void);
    /*
     * The kernel has decided, before a tracer sees the stop, whether the call is made again: then
     * the instruction that makes one, and its size. NULL: it decides afterwards, and the next is
     * not needed.
     */
    uint32_t (*call_insn)(const struct regset *regset, unsigned *size);
    /* The first argument of call `nr`, which its result has replaced; false: nothing tells. */
    bool (*first_argument)(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out);
};

/*
 * The table for a program with this ELF machine and word size in bytes; NULL: this build cannot
 * capture it.
 */
const struct arch_capture *arch_capture_find(uint16_t elf_machine, unsigned word_size);

/* The table for programs of this word size, as far as this build has one; or NULL. */
const struct arch_capture *arch_capture_of_size(unsigned word_size);

/* The table of the programs that are like this one. */
const struct arch_capture *arch_capture_host(void);

/* Reads the registers of a stopped thread. NOT_FOUND: it is gone. */
MUST_CHECK enum status regset_read(pid_t tid, struct regset *out);
/* Gives it these registers. */
MUST_CHECK enum status regset_write(pid_t tid, const struct regset *regset);

/* Words of a regset, `word_size` bytes each. */
uint64_t regset_word(const struct regset *regset, unsigned word_size, unsigned index);
void regset_set_word(struct regset *regset, unsigned word_size, unsigned index, uint64_t value);

/* Register values, by their number. */
void regset_decode(const struct regset *regset, const struct arch *arch, uint64_t *values);

/* Bytes of a whole one. */
static inline size_t regset_size(const struct arch *arch)
{
    return (size_t)arch->regset_words * arch->word_size;
}

/*
 * How many words, from the first on, are the general registers and the PC: it is the last of them;
 * or, of RISC-V alone, the first of all.
 */
static inline unsigned regset_general_words(const struct arch *arch)
{
    /* RISC-V's x0 has no word. */
    return arch->regset_order[0] != REG_NONE ? arch->regset_order[arch->pc] + 1u
                                             : arch->regset_words;
}

/* Which word has the number of the system call that the thread is in, or was interrupted in. */
static inline unsigned regset_call_word(const struct arch *arch)
{
    return arch->syscall_number == REG_NONE ? arch->orig_word
                                            : arch->regset_order[arch->syscall_number];
}

/* x86_64_capture … */
#define ARCH_CAPTURE_DECLARE(id, name) extern const struct arch_capture name##_capture;
ARCH_LIST(ARCH_CAPTURE_DECLARE)
#undef ARCH_CAPTURE_DECLARE

#endif
