/* SPDX-License-Identifier: MIT */
/*
 * The differences between architectures. This comment is the porting manual; docs/dev/porting.md
 * walks through a port.
 *
 * An architecture is a folder, arch/<name>/, a line in ARCH_LIST and one in arch/capture.c. Its
 * folder fills three constant tables. Each names every member, also those that are 0 (a test
 * demands it of the sources):
 *
 *     arch.c       struct arch (below): registers, calls, system calls. For all programs.
 *     capture.c    struct arch_capture (arch/capture.h): registers of a stopped thread, restarts of
 *                  system calls. For the program on the target: libc only.
 *     analysis.c   struct arch_analysis (arch/analysis/analysis.h): instruction sets, PLT stubs,
 *                  relocations, cores, perf.data, C libraries. For the programs that unwind.
 *
 * syscalls.c has the numbers of the system calls, reg_names.c the names of registers. Instruction
 * sets have files of their own; code that two architectures share is in a folder that neither owns
 * (arch/x86). Code outside arch/ reads these tables and never asks which architecture it is; a test
 * checks that, too.
 *
 * Registers have DWARF's numbers:
 *
 *     x86-64   0 rax 1 rdx 2 rcx 3 rbx 4 rsi 5 rdi 6 rbp 7 rsp 8-15 r8-r15 16 rip
 *                                                                        (psABI, figure 3.36)
 *     i386     0 eax 1 ecx 2 edx 3 ebx 4 esp 5 ebp 6 esi 7 edi 8 eip     (psABI, figure 2.14)
 *     arm      0-12 r0-r12 13 sp 14 lr 15 pc 16 cpsr (ours; xPSR of M-profile)
 *              17 msp 18 psp (ours; of M-profile)                        (AADWARF32, 4.1)
 *     aarch64  0-30 x0-x30 31 sp 32 pc 33 ra_sign_state (ours; DWARF says 34)
 *                                                                        (AADWARF64, 4.1)
 *     riscv64, riscv32
 *              0-31 x0-x31 (zero ra sp gp tp t0-t2 s0 s1 a0-a7 s2-s11 t3-t6)
 *              32 pc 33 mepc (both ours: DWARF's 32 to 63 are f0-f31)    (psABI, DWARF Register
 *                                                                         Numbers)
 *
 * Their order and number are part of the snapshot's format: SAMPLE records have them in this order.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall.h"
#include "base/status.h"

/*
 * Calls X(NAME, name) for each architecture: ARCH_NAME is its enumerator, `name` the prefix of its
 * tables. The order is part of the snapshot format.
 */
#define ARCH_LIST(X)                                                                               \
    X(X86_64, x86_64)                                                                              \
    X(I386, i386) X(ARM, arm) X(AARCH64, aarch64) X(RISCV64, riscv64) X(RISCV32, riscv32)

#define ARCH_ID(id, name) ARCH_##id,
enum arch_id { ARCH_LIST(ARCH_ID) ARCH_COUNT };
#undef ARCH_ID

#define ARCH_REG_MAX 34
#define REG_NONE     0xff

#define FRAME_CFA_VARIES 0xff

struct arch {
    enum arch_id id;
    const char *name;     /* as printed by `uname -m`, where that is one name */
    uint16_t elf_machine; /* EM_... */
    uint8_t word_size;    /* bytes */
    uint8_t reg_count;    /* number of registers of a thread of Linux */
    uint8_t all_regs;     /* reg_count and the additional ones of boards without Linux */
    /* register numbers below this mean the same in DWARF; higher ones may not */
    uint8_t dwarf_regs;
    uint8_t pc, sp, fp; /* register numbers; fp is the ABI's usual frame pointer */
    uint8_t lr;         /* REG_NONE where calls push the return address */
    /*
     * The link register of calls to outlined parts of prologues, functions that several functions
     * share (RISC-V's -msave-restore). REG_NONE: there are none.
     */
    uint8_t outline_link;
    /*
     * The register with the interrupted PC, where software saves all others: a function that
     * returns to it is an exception handler (RISC-V's mret). REG_NONE: there is none.
     */
    uint8_t trap_pc;
    uint8_t first_arg; /* register of the first argument; REG_NONE: on the stack */
    /* Register that points to the goroutine (g) while Go code runs; REG_NONE: none. */
    uint8_t goroutine;
    /* Bytes from the thread pointer to the word with g's address, also valid outside Go code. */
    int8_t goroutine_thread_off;
    uint8_t ra_column; /* the register number that CFI usually gives the return address */
    /* bits of a signed return address that are no address, on most kernels; 0: none are signed */
    uint64_t pac_mask;
    uint8_t isa_bit; /* bit that is set in addresses of CODE_T32 code; 0: there is none */
    /*
     * Whether a value that is wider than a register is in those of the numbers N, N + 1, ..., the
     * low-order word first. False: the compilers' order of registers is another (eax:edx: 0, 2).
     */
    bool spans_registers;
    uint8_t red_zone;      /* bytes below SP that the function may use without moving SP */
    uint8_t cfa_entry_off; /* CFA minus SP, in bytes, at a function's first instruction */
    /* CFA minus FP, in bytes, in functions with a frame pointer; FRAME_CFA_VARIES: it differs. */
    uint8_t frame_cfa_off;
    /* Bytes from FP to the frame record: the caller's FP, then the return address. */
    int8_t record_off;
    /* bytes of the instruction that makes a system call; the shortest, if there are several */
    uint8_t syscall_size;
    /*
     * Registers with a system call's number (REG_NONE: only orig_word has it), its result and its
     * arguments.
     */
    uint8_t syscall_number, syscall_result, syscall_args[6];
    /*
     * NT_PRSTATUS's registers, from PTRACE_GETREGSET and in cores. regset_words: their number of
     * words; orig_word: index of the word where the kernel keeps the number of the system call, or
     * its first argument (regset_words: there is none); regset_order: for each register, the index
     * of its word (REG_NONE: none, its value is 0).
     */
    uint8_t regset_words, orig_word;
    const uint8_t *regset_order;
    /*
     * perf_regs[n]: our number of the register that perf numbers n (asm/perf_regs.h), or REG_NONE
     */
    const uint8_t *perf_regs;
    uint8_t perf_reg_count;
    uint8_t u64_align;     /* bytes: alignment of a 64-bit integer in a struct */
    uint64_t callee_saved; /* mask by register number; without SP and PC */
    const struct syscall_numbers *syscalls;
};

/*
 * Returns the architecture with this e_machine and word size in bytes (static storage). NULL: this
 * program knows none.
 */
const struct arch *arch_by_elf(uint16_t elf_machine, unsigned word_size);
const struct arch *arch_get(enum arch_id id);

/* Returns the names of all architectures for a message: "x86_64, i386, ...". Static storage. */
static inline const char *arch_all_names(void)
{
#define ARCH_NAME_BEHIND(id, name) ", " #name
    return &(ARCH_LIST(ARCH_NAME_BEHIND))[2];
#undef ARCH_NAME_BEHIND
}

/* Returns the ABI's names of arch->all_regs registers, by register number. Static storage. */
const char *const *arch_reg_names(const struct arch *arch);

/* Declares each architecture's tables: arch_x86_64, x86_64_syscalls, x86_64_reg_names ... */
#define ARCH_DECLARE(id, name)                                                                     \
    extern const struct arch arch_##name;                                                          \
    extern const struct syscall_numbers name##_syscalls;                                           \
    extern const char *const name##_reg_names[];
ARCH_LIST(ARCH_DECLARE)
#undef ARCH_DECLARE

/* Register values of one frame. Bit i of `known` is set if register i's value is known. */
struct regs {
    uint64_t value[ARCH_REG_MAX];
    uint64_t known;
};

static inline bool regs_has(const struct regs *regs, unsigned reg)
{
    return reg < ARCH_REG_MAX && (regs->known >> reg & 1);
}

static inline void regs_set(struct regs *regs, unsigned reg, uint64_t value)
{
    regs->value[reg] = value;
    regs->known |= UINT64_C(1) << reg;
}

static inline void regs_forget(struct regs *regs, unsigned reg)
{
    regs->known &= ~(UINT64_C(1) << reg);
}

#endif
