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
    STOP_THREAD_START, /* the function in which the thread began */
    STOP_UNDEFINED_RA, /* the CFI says that this frame has no caller */
    STOP_STACK_END,    /* the CFA is at the end of the stack */
    STOP_TRUNCATED,    /* the caller's frame lies beyond what was captured */
    STOP_NO_RULE,      /* no row source knows the function */
    STOP_IMPLAUSIBLE,  /* every candidate caller failed the checks */
    STOP_DEPTH,        /* the depth cap */
    STOP_RESET,        /* the reset handler, in which a board begins */
};
#define STOP_COUNT 8

/* Does the chain end where its thread, or the board, began? */
static inline bool stop_is_start(enum stop_reason stop)
{
    return stop == STOP_THREAD_START || stop == STOP_RESET;
}

/* Returns "thread-start", …; static. */
const char *stop_reason_name(enum stop_reason stop);

struct frame {
    uint64_t pc_addr; /* PC; of a caller the return address itself */
    /* pc_addr, of a caller minus 1, in the module's file: where to look up function and line */
    uint64_t lookup_vaddr;
    struct module *module; /* borrowed; NULL: in no known mapping */
    bool vaddr_known;      /* lookup_vaddr is an address in the ELF file, not a substitute */
    bool is_call; /* pc_addr is a return address; false for the innermost and interrupted frames */
    bool signal_frame; /* a signal trampoline */
    enum trust trust;
    uint16_t exception; /* TRUST_EXCEPTION: number of what interrupted it; 0: not known */
    uint32_t mark;      /* set by graph/ to tell frames of one place apart; 0: none */
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
    struct frame *frames; /* innermost first */
    size_t count, cap;
    enum stop_reason stop;
    uint64_t outermost_sp; /* SP of the outermost frame; 0: not known */
    bool wants_regs; /* set by the caller: fill `regs`; no part of the last chain is reused then */
    struct frame_regs *regs; /* by frame */
    size_t regs_cap;
    size_t cached; /* outermost frames that were taken over from the last chain */
    /* Private: */
    size_t room;                 /* free frames before frames[0] */
    struct suffix_cache *suffix; /* suffix_cache.h; owned; NULL: none */
};

void chain_deinit(struct chain *chain);

#endif
