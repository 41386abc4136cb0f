/* SPDX-License-Identifier: MIT */
/*
 * What unwinding a sample gives: the chain of frames from the innermost to the thread's start, how
 * each was found (trust), and why the chain ends where it ends (stop reason).
 */
#ifndef UNWIND_CHAIN_H
#define UNWIND_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "symbol/module.h"
#include "unwind/row/trust.h"

enum stop_reason {
    STOP_THREAD_START, /* the function in which the thread began */
    STOP_UNDEFINED_RA, /* the CFI says that this frame has no caller */
    STOP_STACK_END,    /* the CFA is at the end of the stack */
    STOP_TRUNCATED,    /* the caller's frame lies beyond what was captured */
    STOP_NO_RULE,      /* no row source knows the function */
    STOP_IMPLAUSIBLE,  /* every candidate caller failed the checks */
    STOP_DEPTH,        /* the depth cap */
    STOP_RESET,        /* the handler of the reset, with which a board begins */
};
#define STOP_COUNT 8

/* Does the chain end where its thread, or the board, began? */
static inline bool stop_is_start(enum stop_reason stop)
{
    return stop == STOP_THREAD_START || stop == STOP_RESET;
}

/* "thread-start", …; static storage. */
const char *stop_reason_name(enum stop_reason stop);

struct frame {
    uint64_t pc_addr; /* the PC itself; for callers the return address, not minus one */
    /* in the module's file: where to look for function and line (RA minus one for callers) */
    uint64_t lookup_vaddr;
    struct module *module; /* NULL: in no known mapping */
    bool vaddr_known;      /* lookup_vaddr is an address in the ELF file, not a substitute */
    /* pc_addr is a return address; false for the innermost and for interrupted frames */
    bool is_call;
    bool signal_frame; /* a signal trampoline */
    enum trust trust;
    /* of TRUST_EXCEPTION: the number of what interrupted it (EXCEPTION_…); 0: not known */
    uint16_t exception;
    /* For whoever tells frames of one place apart by what they hold; 0: none. */
    uint32_t mark;
};

/* What a frame's registers were, as far as rows recovered them. */
struct frame_regs {
    struct regs regs;
    bool cfa_known;
    uint8_t cfa_reg; /* that the row computes the CFA from; REG_NONE: from none, or several */
    uint64_t cfa;
};

#define CHAIN_DEPTH_MAX 65536

struct chain {
    struct frame *frames; /* innermost first */
    size_t count, cap;
    enum stop_reason stop;
    uint64_t outermost_sp; /* SP in the outermost frame; 0: not known */
    /*
     * To be set before unwinding: the registers of each frame are wanted, in `regs`, beside frames;
     * nothing is taken over from the chain before then.
     */
    bool wants_regs;
    struct frame_regs *regs;
    size_t regs_cap;
    /* Of the outermost frames, those that the chain had before it was unwound anew, too. */
    size_t cached;
    /* Private: */
    size_t room;                 /* frames for which there is room before the first */
    struct suffix_cache *suffix; /* suffix_cache.h; owned, may be NULL */
};

void chain_deinit(struct chain *chain);

#endif
