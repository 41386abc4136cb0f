/*
 * What differs between the architectures, as tables. Registers are numbered as DWARF numbers them:
 *
 *   x86-64   0 rax 1 rdx 2 rcx 3 rbx 4 rsi 5 rdi 6 rbp 7 rsp 8-15 r8-r15 16 rip   (psABI, figure 3.36)
 *   i386     0 eax 1 ecx 2 edx 3 ebx 4 esp 5 ebp 6 esi 7 edi 8 eip               (psABI, figure 2.14)
 *   arm      0-12 r0-r12 13 sp 14 lr 15 pc 16 cpsr (a number of ours)            (AADWARF32, 4.1)
 *   aarch64  0-30 x0-x30 31 sp 32 pc 33 ra_sign_state (ours; DWARF says 34)      (AADWARF64, 4.1)
 *
 * To add an architecture: a row in arch.c, an insn_<arch>.c in unwind/, a register reader in
 * capture/.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum arch_id { ARCH_X86_64, ARCH_I386, ARCH_ARM, ARCH_AARCH64 };

#define ARCH_COUNT   4
#define ARCH_REG_MAX 34
#define REG_NONE     0xff

struct arch {
    enum arch_id id;
    const char *name;     /* as in `uname -m` where there is one */
    uint16_t elf_machine; /* EM_… */
    uint8_t word_size;    /* bytes */
    uint8_t reg_count;    /* registers a sample carries */
    uint8_t pc, sp, fp;   /* register numbers; fp is the ABI's usual frame pointer */
    uint8_t lr;           /* REG_NONE where calls push the return address */
    uint8_t first_arg;    /* the register of the first argument; REG_NONE: it is on the stack */
    uint8_t ra_column;    /* the return address column CFI uses by default */
    uint8_t isa_bit;  /* of a code address: set where the other instruction set begins (Thumb) */
    uint8_t red_zone; /* bytes below SP that are the function's own */
    uint8_t cfa_entry_off; /* CFA minus SP at a function's first instruction */
    /* CFA minus the frame pointer where compilers keep one all through; 0: it varies */
    uint8_t frame_cfa_off;
    uint8_t
        syscall_size; /* bytes of the instruction that makes a system call, of the shorter one */
    uint64_t callee_saved; /* bit mask by register number; sp and pc are not in it */
    const char *const *reg_names;
};

/* NULL when there is none. Static storage. */
const struct arch *arch_by_machine(uint16_t elf_machine);
const struct arch *arch_get(enum arch_id id);

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
