/* SPDX-License-Identifier: MIT */
/*
 * The result of unwinding a sample: the frames from the innermost to the thread's start, how each
 * was found (trust), and why the chain ends (stop reason).
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
    STOP_THREAD_START, /* the outermost frame is in the function in which the thread began */
    /* the CFI says that this frame has no caller, or it is what a context's first one returns to */
    STOP_UNDEFINED_RA,
    STOP_STACK_END,   /* the CFA is at the end of the stack */
    STOP_TRUNCATED,   /* the caller's frame lies beyond what was captured */
    STOP_NO_RULE,     /* no row source knows the function of the outermost frame */
    STOP_IMPLAUSIBLE, /* every candidate for a caller failed the checks */
    STOP_DEPTH,       /* the chain has CHAIN_DEPTH_MAX frames */
    STOP_RESET,       /* the outermost frame is in the reset handler, in which a board begins */
};
#define STOP_COUNT 8

/* Whether a chain with this stop reason ends where its thread, or the board, began. */
static inline bool stop_is_start(enum stop_reason stop)
{
    return stop == STOP_THREAD_START || stop == STOP_RESET;
}

/* Returns the reason's name, "thread-start", …; static storage. */
const char *stop_reason_name(enum stop_reason stop);

struct frame {
    uint64_t pc_addr; /* run-time PC; in a caller's frame the return address */
    /*
     * address in the module's file to look up function and line at: that of pc_addr, or if is_call
     * of pc_addr - 1
     */
    uint64_t lookup_vaddr;
    /* the module of the frame's code; borrowed; NULL: PC is in no known mapping */
    struct module *module;
    bool vaddr_known; /* lookup_vaddr is an address in the ELF file, not a substitute */
    /*
     * pc_addr is a return address behind a call; false for the innermost and interrupted frames,
     * and for those that functions return to without such a call (walk_locate)
     */
    bool is_call;
    bool signal_frame; /* the frame is a signal trampoline */
    enum trust trust;
    /* TRUST_EXCEPTION: number of the exception that interrupted it; 0: not known */
    uint16_t exception;
    uint32_t mark; /* set by graph/ to tell apart frames at one address; 0: none */
};

/* The registers of a frame that are known, and its CFA. */
struct frame_regs {
    struct regs regs;
    bool cfa_known;
    uint8_t cfa_reg; /* register from which the row computes the CFA; REG_NONE: none, or several */
    uint64_t cfa;
};

#define CHAIN_DEPTH_MAX 65536

struct chain {
    struct frame *frames; /* the frames, innermost first; owned */
    size_t count, cap;
    enum stop_reason stop;
    uint64_t outermost_sp; /* SP in the outermost frame; 0: not known */
    /* set by the caller: fill `regs`; no frames of the chain before are reused then */
    bool wants_regs;
    struct frame_regs *regs; /* registers of each frame, by its index; valid if wants_regs; owned */
    size_t regs_cap;
    size_t cached; /* number of outermost frames taken over from the chain before */
    /* Private: */
    size_t room; /* number of free elements before frames[0] */
    /* shares outer frames with the chain before (suffix_cache.h); owned; NULL: none */
    struct suffix_cache *suffix;
};

void chain_deinit(struct chain *chain);

#endif
