/* SPDX-License-Identifier: MIT */
/*
 * Decodes x86-64 and i386, whose instructions are nearly the same. Their differences are in a
 * struct x86_mode, which x86_64/insn.c and i386/insn.c fill.
 */
#ifndef ARCH_X86_INSN_H
#define ARCH_X86_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "unwind/row/row.h"

/* Numbers of general registers in instructions; from 8 on (r8 ...) DWARF's numbers are the same. */
enum { X86_AX, X86_CX, X86_DX, X86_BX, X86_SP, X86_BP, X86_SI, X86_DI, X86_NUMBERS = 16 };

struct x86_mode {
    uint8_t word;                 /* size in bytes of a register and of a push */
    uint8_t pc;                   /* DWARF's number of the PC */
    uint8_t numbers[X86_NUMBERS]; /* DWARF's number of each X86_AX ... (the encoding's number) */
    uint64_t call_clobbered;      /* mask of registers that a callee may change; without SP */
};

/* Implement the members of struct insn_set that have these names without x86_, for `mode`. */
enum status x86_decode(const struct x86_mode *mode, struct decoder *decoder, const uint8_t *bytes,
                       uint64_t size, uint64_t vaddr, struct insn *out);
uint64_t x86_reads(const struct x86_mode *mode, struct decoder *decoder, const uint8_t *bytes,
                   uint64_t size, uint64_t vaddr);
#define X86_JUMP_BYTES "\xe9\x0f\xf2"
#define X86_CALL_BYTES "\xe8"
uint64_t x86_jump_target(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr);
uint64_t x86_call_target(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr);
bool x86_ends_with_call(const uint8_t *bytes, uint64_t size);

/*
 * Whether `bytes` begin with a call to code shortly behind that replaces the return address, so
 * that nothing returns behind the call (retpolines: gcc's and clang's thunks against speculation,
 * inline or not):
 *
 *         call 1f
 *     2:  pause; lfence; jmp 2b           a loop for a processor that speculates
 *     1:  mov  %rax, (%rsp)               or lea 8(%rsp), %rsp: a return
 *         ret                             jmp *%rax
 */
bool x86_is_trampoline(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size);

/*
 * Returns the size in bytes of `mov reg, (sp); ret` at `bytes`, a jump to the address in reg, and
 * sets *reg (DWARF's number). 0: other code.
 */
unsigned x86_return_to_register(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                                uint8_t *reg);

struct x86_pattern {
    const char *bytes;
    uint8_t size;
};

/* Whether `bytes` begin with one of the `count` patterns. */
bool x86_begins_with(const struct x86_pattern *patterns, size_t count, const uint8_t *bytes,
                     uint64_t size);

struct x86_system_call {
    uint32_t number;
    unsigned size;       /* bytes up to the end of the system call instruction */
    unsigned still_size; /* bytes in which SP is what it was at the beginning */
};

/*
 * Whether `bytes` only put a number into EAX (by mov, xor, push and pop, among nops) and call the
 * system; if so, fills *out.
 */
bool x86_system_call(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                     struct x86_system_call *out);

/* Returns the length of the nops and endbr that `bytes` begin with. */
unsigned x86_nothing(const uint8_t *bytes, uint64_t size);

/* A register (DWARF's number) in a signal frame, and its byte offset in the struct sigcontext. */
struct x86_saved {
    uint8_t reg;
    uint8_t off;
};

/*
 * Fills *out with the row of a signal trampoline at [start_vaddr, end_vaddr). The struct sigcontext
 * is at SP + `at` bytes; `saved` are the `count` registers in it, among them SP and PC.
 */
void x86_signal_row(const struct x86_mode *mode, const struct x86_saved *saved, size_t count,
                    int32_t at, uint64_t start_vaddr, uint64_t end_vaddr, struct row *out);

/*
 * Decodes without Capstone: frequent instructions that are quickly recognised, and those that not
 * all versions of Capstone know or name alike. Fills `out` with the effect. False: another
 * instruction.
 */
bool x86_decode_by_mask(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                        struct insn *out);

extern const struct insn_set insn_set_x86_64, insn_set_i386;

#endif
