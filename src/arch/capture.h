/* SPDX-License-Identifier: MIT */
/*
 * The table of an architecture for capture on the target; see arch/arch.h.
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

/* The result of PTRACE_GETREGSET with NT_PRSTATUS; `size` (bytes) tells the architecture. */
struct regset {
    size_t size;
    uint64_t bytes[REGSET_SIZE_MAX / sizeof(uint64_t)];
};

/*
 * Besides struct arch: how to find a stopped thread's stacks and thread-local storage, and how an
 * interrupted system call is made again (capture/ptrace/restart.h).
 */
struct arch_capture {
    const struct arch *arch;
    /*
     * In a signal frame: from the word with the interrupted SP to the word with the alternate
     * stack's address, in bytes; its size is two words further (struct ucontext: uc_stack.ss_sp,
     * ss_flags, ss_size; uc_mcontext).
     */
    int frame_stack_off;
    uint64_t addr_mask; /* the bits of a pointer that are address; the others are a tag */
    /* Returns the thread pointer (where thread-local storage is found); 0: there is none. */
    uint64_t (*thread_pointer)(pid_t tid, const struct regset *regset);
    /*
     * Returns the bits of a signed return address that are no address. NULL: there are none, or
     * this CPU does not run the program.
     */
    uint64_t (*pac_mask)(void);
    /*
     * Returns the instruction that makes a system call in the tracee's instruction set, and its
     * size in bytes. Set where the kernel decides before the tracer sees the stop whether it makes
     * the call again; NULL: it decides afterwards, and first_argument is not needed.
     */
    uint32_t (*call_insn)(const struct regset *regset, unsigned *size);
    /* Finds the first argument of call `nr`, which the result has replaced. False: not known. */
    bool (*first_argument)(pid_t tid, const struct regset *regset, uint64_t nr, uint64_t *out);
};

/*
 * Returns the table for a program with this ELF machine and word size in bytes. NULL: this build
 * cannot capture such a program.
 */
const struct arch_capture *arch_capture_find(uint16_t elf_machine, unsigned word_size);

/* Returns this build's first table for programs of this word size in bytes. NULL: it has none. */
const struct arch_capture *arch_capture_of_size(unsigned word_size);

/* Returns the table for programs of the architecture that this program is built for. */
const struct arch_capture *arch_capture_host(void);

/* Reads the registers of a stopped tracee. NOT_FOUND: ptrace(2) failed; the thread is gone. */
MUST_CHECK enum status regset_read(pid_t tid, struct regset *out);
/* Writes the registers of a stopped tracee. NOT_FOUND as above. */
MUST_CHECK enum status regset_write(pid_t tid, const struct regset *regset);

/* Access the word `index` of a regset; words have `word_size` bytes. */
uint64_t regset_word(const struct regset *regset, unsigned word_size, unsigned index);
void regset_set_word(struct regset *regset, unsigned word_size, unsigned index, uint64_t value);

/* Fills values[0] to values[reg_count - 1], by register number; a register without a word is 0. */
void regset_decode(const struct regset *regset, const struct arch *arch, uint64_t *values);

/* Returns the size of a complete regset in bytes. */
static inline size_t regset_size(const struct arch *arch)
{
    return (size_t)arch->regset_words * arch->word_size;
}

/*
 * Returns how many words, from the first on, have the general registers and the PC. The PC is the
 * last of them; on RISC-V it is the first, and all words count.
 */
static inline unsigned regset_general_words(const struct arch *arch)
{
    /* RISC-V's x0 has no word. */
    return arch->regset_order[0] != REG_NONE ? arch->regset_order[arch->pc] + 1u
                                             : arch->regset_words;
}

/* Returns the index of the word with the number of the system call that the thread is in. */
static inline unsigned regset_call_word(const struct arch *arch)
{
    return arch->syscall_number == REG_NONE ? arch->orig_word
                                            : arch->regset_order[arch->syscall_number];
}

/* x86_64_capture ... */
#define ARCH_CAPTURE_DECLARE(id, name) extern const struct arch_capture name##_capture;
ARCH_LIST(ARCH_CAPTURE_DECLARE)
#undef ARCH_CAPTURE_DECLARE

#endif
