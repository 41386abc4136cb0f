/* SPDX-License-Identifier: MIT */
#include "arch/aarch64/pattern.h"

#include "arch/aarch64/mask.h"
#include "unwind/row/row.h"

enum { X0, X19 = 19, X30 = 30, SP, PC };

#define BL_NEXT         0x94000001u /* bl .+4 */
#define EPILOGUE_WITHIN 2048        /* bytes behind a call of nothing; bounds its cost */

/*
 * Returns the target of a branch with this opcode; 0: it is none. (a64_jump_target finds only `b`:
 * conditional branches do not leave a function.)
 */
static uint64_t branch_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr, uint32_t opcode)
{
    uint32_t word;

    if (size < A64_INSN_SIZE)
        return 0;
    word = a64_word(bytes);
    if (word >> 26 != opcode)
        return 0;
    return vaddr + (uint64_t)(((int64_t)(word & 0x3ffffff) ^ 0x2000000) - 0x2000000) * 4;
}

uint64_t a64_jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return branch_target(bytes, size, vaddr, 0x05);
}

uint64_t a64_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return a64_calls_nothing(bytes, size) ? 0 : branch_target(bytes, size, vaddr, 0x25);
}

bool a64_ends_with_call(const uint8_t *bytes, uint64_t size)
{
    uint32_t word;

    if (size < A64_INSN_SIZE)
        return false;
    word = a64_word(bytes + size - A64_INSN_SIZE);
    return word >> 26 == 0x25 || a64_is_register_call(word);
}

/* Two callee-saved registers at SP: x19 to x30, or d8 to d15. */
static bool saves_pair(uint32_t word, bool pre_indexed)
{
    uint32_t opcode = word & 0xffc003e0, low = word & 31, high = word >> 10 & 31;

    if (pre_indexed && !(word & 0x200000))
        return false; /* to a higher address */
    if (opcode == (pre_indexed ? 0xa98003e0 : 0xa90003e0))
        return low >= X19 && low <= X30 && high >= X19 && high <= X30;
    return pre_indexed && opcode == 0x6d8003e0 && low >= 8 && low <= 15 && high >= 8 && high <= 15;
}

static bool saves_link(uint32_t word)
{
    if ((word & 0xffc003ff) == 0xf90003fe) /* str x30, [sp, #n] */
        return true;
    return saves_pair(word, false) && ((word & 31) == X30 || (word >> 10 & 31) == X30);
}

bool a64_strong_start(const uint8_t *bytes, uint64_t size)
{
    uint32_t word;

    if (size < A64_INSN_SIZE)
        return false;
    word = a64_word(bytes);
    if (word == 0xd503233f || word == 0xd503237f || /* paciasp, pacibsp */
        (word & 0xffffff7f) == 0xd503245f)          /* bti c, bti jc */
        return true;
    if (saves_pair(word, true) || (word & 0xfff00fff) == 0xf8100ffe) /* str x30, [sp, #-n]! */
        return true;
    if ((word & 0xff8003ff) != 0xd10003ff) /* sub sp, sp, #n */
        return false;
    for (uint64_t i = 1; i <= 4 && size / A64_INSN_SIZE > i; i++)
        if (saves_link(a64_word(bytes + i * A64_INSN_SIZE)))
            return true;
    return false;
}

/* ldp or ldr of x30 from [sp], [sp, #n] or [sp], #n */
static bool restores_link(uint32_t word)
{
    const uint32_t pair = word & 0xffc003e0;

    if (pair == 0xa94003e0 || pair == 0xa8c003e0)
        return (word & 31) == X30 || (word >> 10 & 31) == X30;
    return (word & 0xffe00fff) == 0xf84007fe || (word & 0xffc003ff) == 0xf94003fe;
}

/* The first of what begins a function, and what restores LR, tells. */
bool a64_calls_nothing(const uint8_t *bytes, uint64_t size)
{
    if (size < A64_INSN_SIZE || a64_word(bytes) != BL_NEXT)
        return false;
    for (uint64_t at = A64_INSN_SIZE; at + A64_INSN_SIZE <= size && at < EPILOGUE_WITHIN;
         at += A64_INSN_SIZE) {
        if (a64_strong_start(bytes + at, size - at))
            return false;
        if (restores_link(a64_word(bytes + at)))
            return true;
    }
    return false;
}

/* mov x8, #number or mov w8, #number; svc #0 */
unsigned a64_system_call(const uint8_t *bytes, uint64_t size)
{
    if (size < 2 * A64_INSN_SIZE || (a64_word(bytes) & 0x7fe0001f) != 0x52800008 ||
        a64_word(bytes + A64_INSN_SIZE) != 0xd4000001)
        return 0;
    return a64_word(bytes) >> 5 & 0xffff;
}

/*
 * mov x8, #139; svc #0 (the kernel's vDSO, musl): rt_sigreturn. At that point SP points at struct
 * rt_sigframe (the kernel's arch/arm64/kernel/signal.c; asm/sigcontext.h):
 *
 *     sp + 0    siginfo, 128 bytes
 *     sp + 128  ucontext: uc_flags, uc_link, uc_stack (24 bytes), uc_sigmask and what it
 *               may grow to (128 bytes)
 *     sp + 304  its sigcontext, aligned to 16: fault_address, x0 ... x30, sp, pc, pstate
 */
enum status a64_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr, struct row *out)
{
    const int32_t saved = 312;

    if ((int)a64_system_call(bytes, size) != syscall_number(&aarch64_syscalls, CALL_RT_SIGRETURN))
        return STATUS_NOT_FOUND;
    row_init(out, vaddr, vaddr + 2 * A64_INSN_SIZE, TRUST_PROLOGUE);
    out->signal_frame = true;
    out->cfa = (struct rule){.kind = CFA_DEREF, .reg = SP, .off = saved + SP * 8};
    for (uint8_t reg = X0; reg <= PC; reg++)
        out->regs[reg] = (struct rule){.kind = RULE_AT_REG, .reg = SP, .off = saved + reg * 8};
    out->ra = out->regs[PC];
    return STATUS_OK;
}
