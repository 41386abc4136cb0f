/* SPDX-License-Identifier: MIT */
/*
 * What differs between the architectures. This comment is the porting manual; docs/dev/porting.md
 * walks through a port.
 *
 * An architecture is a folder, arch/<name>/, a line in ARCH_LIST and one in arch/capture.c. Its
 * folder fills three constant tables, each of which names every member, also those that are 0 (a
 * test reads the sources and demands it):
 *
 *   arch.c       struct arch (below): registers, calls, system calls. For all programs.
 *   capture.c    struct arch_capture (arch/capture.h): registers of a stopped thread, restarts of
 *                system calls. For the program on the target: libc only.
 *   analysis.c   struct arch_analysis (arch/analysis/analysis.h): instruction sets, PLT stubs,
 *                relocations, cores, perf.data, C libraries. For the programs that unwind.
 *
 * syscalls.c has the numbers of the system calls, reg_names.c the names of registers. Instruction
 * sets have files of their own; what two architectures share is in a folder that neither owns
 * (arch/x86). Code outside arch/ asks these tables and never which architecture it is; a test sees
 * to that, too.
 *
 * Registers are numbered as DWARF numbers them:
 *
 *   x86-64   0 rax 1 rdx 2 rcx 3 rbx 4 rsi 5 rdi 6 rbp 7 rsp 8-15 r8-r15 16 rip
 *                                                                      (psABI, figure 3.36)
 *   i386     0 eax 1 ecx 2 edx 3 ebx 4 esp 5 ebp 6 esi 7 edi 8 eip     (psABI, figure 2.14)
 *   arm      0-12 r0-r12 13 sp 14 lr 15 pc 16 cpsr (ours; xPSR of M-profile)
 *            17 msp 18 psp (ours; of M-profile)                        (AADWARF32, 4.1)
 *   aarch64  0-30 x0-x30 31 sp 32 pc 33 ra_sign_state (ours; DWARF says 34)
 *                                                                      (AADWARF64, 4.1)
 *   riscv64, riscv32
 *            0-31 x0-x31 (zero ra sp gp tp t0-t2 s0 s1 a0-a7 s2-s11 t3-t6)
 *            32 pc 33 mepc (both ours: DWARF's 32 to 63 are f0-f31)    (psABI, DWARF Register
 *                                                                       Numbers)
 *
 * Their order and number are part of the snapshot's format: SAMPLE records have them so.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall.h"
#include "base/status.h"

/* X(NAME, name): the enum's name, and the prefix of the tables. The order is the format's. */
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
    const char *name;     /* as in `uname -m` where there is one */
    uint16_t elf_machine; /* EM_… */
    uint8_t word_size;    /* bytes */
    uint8_t reg_count;    /* registers that a thread of Linux has */
    uint8_t all_regs;     /* with those behind them that only boards without Linux tell of */
    /* DWARF means by numbers below this the registers that we mean; by others not those of ours. */
    uint8_t dwarf_regs;
    uint8_t pc, sp, fp; /* register numbers; fp is the ABI's usual frame pointer */
    uint8_t lr;         /* REG_NONE where calls push the return address */
    /*
     * Which register has the return address of what prologues call: parts of them that several
     * functions share, and that are functions of their own (RISC-V's -msave-restore). REG_NONE:
     * there are none.
     */
    uint8_t outline_link;
    /*
     * Which register has what an exception interrupted, where software saves the others: code that
     * returns there is an exception's handler (RISC-V's mret). REG_NONE: none does.
     */
    uint8_t trap_pc;
    uint8_t first_arg; /* the register of the first argument; REG_NONE: it is on the stack */
    /* Which register has the goroutine in code of Go's (snapshot/goroutine.h); REG_NONE: none */
    uint8_t goroutine;
    /* From the thread pointer to where it is kept of a thread that runs other code, too. */
    int8_t goroutine_thread_off;
    uint8_t ra_column; /* the return address column CFI uses by default */
    uint8_t isa_bit;   /* of a code address: set where the other instruction set begins (Thumb) */
    uint8_t red_zone;  /* bytes below SP that the function may use without moving SP */
    uint8_t cfa_entry_off; /* CFA minus SP at a function's first instruction */
    /* CFA minus the frame pointer where compilers keep one all through; FRAME_CFA_VARIES */
    uint8_t frame_cfa_off;
    /* Where the frame pointer's record is: the caller's frame pointer, then the return address */
    int8_t record_off;
    /* bytes of the instruction that makes a system call, of the shorter one */
    uint8_t syscall_size;
    /*
     * Registers of a system call: its number (REG_NONE: the kernel's copy alone has it, see
     * orig_word), its result, its arguments.
     */
    uint8_t syscall_number, syscall_result, syscall_args[6];
    /*
     * NT_PRSTATUS, of PTRACE_GETREGSET as of cores: how many words it has; which of them is what
     * the kernel keeps of a system call (the number, or the first argument; regset_words: none);
     * by register, which word has its value (REG_NONE: none, its value is 0).
     */
    uint8_t regset_words, orig_word;
    const uint8_t *regset_order;
    /* By the number that perf events give a register (asm/perf_regs.h): ours, or REG_NONE. */
    const uint8_t *perf_regs;
    uint8_t perf_reg_count;
    uint8_t u64_align;     /* bytes, of an integer of 64 bits in a struct */
    uint64_t callee_saved; /* bit mask by register number; sp and pc are not in it */
    const struct syscall_numbers *syscalls;
};

/* By e_machine, and the size of a word in bytes. NULL when there is none. Static storage. */
const struct arch *arch_by_elf(uint16_t elf_machine, unsigned word_size);
const struct arch *arch_get(enum arch_id id);

/* The names of all architectures, for a message: "x86_64, i386, …". Static storage. */
static inline const char *arch_all_names(void)
{
#define ARCH_NAME_BEHIND(id, name) ", " #name
    return &(ARCH_LIST(ARCH_NAME_BEHIND))[2];
#undef ARCH_NAME_BEHIND
}

/* Names of the registers, as the ABI has them. */
const char *const *arch_reg_names(const struct arch *arch);

/* arch_x86_64 … */
#define ARCH_DECLARE(id, name)                                                                     \
    extern const struct arch arch_##name;                                                          \
    extern const struct syscall_numbers name##_syscalls;                                           \
    extern const char *const name##_reg_names[];
ARCH_LIST(ARCH_DECLARE)
#undef ARCH_DECLARE

/* The register values of one frame; a bit in `known` for each value that is known. */
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
