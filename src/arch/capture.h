/* SPDX-License-Identifier: MIT */
/*
 * The table of an architecture for capture on the target (struct arch_capture).
 *
 * A 64-bit build also captures the 32-bit programs that its kernel runs. NT_PRSTATUS is an array of
 * words of the tracee's size, the same for every tracer. So the tables address words by index, and
 * no kernel header is needed.
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

/* The result of PTRACE_GETREGSET with NT_PRSTATUS; `size`, in bytes, tells the architecture. */
struct regset {
    size_t size;
    uint64_t bytes[REGSET_SIZE_MAX / sizeof(uint64_t)];
};

/*
 * An architecture's ways to find a stopped thread's stacks and thread-local storage, and to make an
 * interrupted system call again (capture/ptrace/restart.h).
 */
struct arch_capture {
    const struct arch *arch;
    /*
     * Bytes in a signal frame (struct ucontext) from the word with the interrupted SP (in
     * uc_mcontext) to the word with the alternate stack's address (uc_stack.ss_sp), negative; that
     * stack's size is two words behind its address.
     */
    int frame_stack_off;
    uint64_t addr_mask; /* the bits of a pointer that are address; the others are a tag */
    /* Returns a stopped thread's thread pointer, by which thread-local data is found; 0: none. */
    uint64_t (*thread_pointer)(pid_t tid, const struct regset *regset);
    /*
     * Returns the mask of the bits of a signed return address that are no address. NULL: addresses
     * are never signed, or this build's own CPU is not the tracee's.
     */
    uint64_t (*pac_mask)(void);
    /*
     * Returns the instruction that makes a system call in the tracee's present instruction set, and
     * sets *size to its bytes. NULL: the kernel decides only after the tracer saw the stop whether
     * it makes an interrupted call again, so that neither this nor first_argument is needed.
     */
    uint32_t (*call_insn)(const struct regset *regset, unsigned *size);
    /*
     * Sets *out to the first argument of system call `nr`, whose register already has the result.
     * False: not known.
     */
    bool (*first_argument)(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out);
};

/*
 * Returns the table for a program with this ELF machine and word size in bytes. NULL: this build
 * cannot capture such a program.
 */
const struct arch_capture *arch_capture_find(uint16_t elf_machine, unsigned word_size);

/* Returns this build's first table for programs of this word size in bytes. NULL: there is none. */
const struct arch_capture *arch_capture_of_size(unsigned word_size);

/* Returns the table for programs of the architecture that this program is built for. */
const struct arch_capture *arch_capture_host(void);

/* Reads the registers of a stopped tracee. NOT_FOUND: ptrace(2) failed, as the thread is gone. */
MUST_CHECK enum status regset_read(pid_t tid, struct regset *out);
/* Writes the registers of a stopped tracee. NOT_FOUND: ptrace(2) failed, as the thread is gone. */
MUST_CHECK enum status regset_write(pid_t tid, const struct regset *regset);

/* Get and set word `index` of a regset whose words have `word_size` bytes. */
uint64_t regset_word(const struct regset *regset, unsigned word_size, unsigned index);
void regset_set_word(struct regset *regset, unsigned word_size, unsigned index, uint64_t value);

/*
 * Sets values[0] to values[arch->reg_count - 1] to the registers, by their numbers; a register
 * without a word in the regset is 0.
 */
void regset_decode(const struct regset *regset, const struct arch *arch, uint64_t *values);

/* Returns the size of a complete regset in bytes. */
static inline size_t regset_size(const struct arch *arch)
{
    return (size_t)arch->regset_words * arch->word_size;
}

/*
 * Returns the number of words at the regset's start that have the general registers and the PC: up
 * to the PC's; on RISC-V, where the PC comes first, all words.
 */
static inline unsigned regset_general_words(const struct arch *arch)
{
    /* RISC-V's x0 has no word. */
    return arch->regset_order[0] != REG_NONE ? arch->regset_order[arch->pc] + 1u
                                             : arch->regset_words;
}

/* Returns the index of the regset's word with the number of the thread's system call. */
static inline unsigned regset_call_word(const struct arch *arch)
{
    return arch->syscall_number == REG_NONE ? arch->orig_word
                                            : arch->regset_order[arch->syscall_number];
}

/* Declares each architecture's table: x86_64_capture ... */
#define ARCH_CAPTURE_DECLARE(id, name) extern const struct arch_capture name##_capture;
ARCH_LIST(ARCH_CAPTURE_DECLARE)
#undef ARCH_CAPTURE_DECLARE

#endif
