/* SPDX-License-Identifier: MIT */
/*
 * Reports the states before and after each instruction of an analysis, and which states met where
 * paths meet, to explain a row. Nothing is recorded during the analysis: the reports are made
 * afterwards from the states that it ended with, so that analyses cost no more.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H
#define UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H

#include "unwind/prologue/prologue.h"

/* One instruction of the analysis; all pointers are valid during the call only. */
struct explained_insn {
    const struct code_insn *insn;
    const struct op *ops;
    const struct state *before; /* the state before it; NULL: no known path leads here */
    /*
     * the state after it, on the path that executes it, even if control does not go on; NULL if
     * `before` is
     */
    const struct state *after;
    bool joins;           /* the analysis keeps a state here, where paths meet or may meet */
    bool guessed;         /* `before` was guessed, or follows from a guess */
    bool goes_on;         /* control goes on to the next instruction, as far as is known */
    uint8_t padding;      /* bytes of padding right before it, for which its row holds, too */
    struct callee callee; /* of a call: facts about the called function */
    size_t case_count;    /* number of cases of its jump table; 0: it has none */
};

enum way_kind {
    WAY_CALLERS, /* callers call the function */
    WAY_OUTSIDE, /* another function jumps or throws here; its from_vaddr may be 0: not known */
    WAY_JUMP,
    WAY_CASE,   /* control comes from a jump, by a case of its jump table */
    WAY_NEXT,   /* control comes from the instruction right before */
    WAY_RETURN, /* a call right before returns, perhaps with padding in between */
    WAY_THROW,  /* an exception is thrown from a call to its landing pad */
    WAY_CALLED, /* a subroutine that is a part of the function is called */
    WAY_GUESS,  /* no known way leads here: the state is guessed (struct explained_guess) */
};

/*
 * A way to a place where the analysis keeps a state, and the state that it brings. All pointers are
 * valid during the call only.
 */
struct explained_way {
    enum way_kind kind;
    /* from and to which instruction; from_vaddr is 0 for CALLERS and GUESS */
    uint64_t from_vaddr, to_vaddr;
    const struct state *state;
    const struct state *kept; /* the state that the analysis keeps at to_vaddr */
    bool left_out;            /* `state` was not merged into `kept`, which it would have changed */
};

/* The source of the state that is guessed at the begin of code that no path reaches. */
enum guess_from {
    GUESS_INDIRECT,   /* states before the function's indirect jumps */
    GUESS_TRAP,       /* the state at the trap instruction right before the code */
    GUESS_CALLS,      /* states after the function's calls */
    GUESS_TAIL_CALLS, /* states before the function's tail calls */
    GUESS_NO_FRAME    /* the entry state, as the function never has a frame */
};
struct explained_guess {
    enum guess_from from;
    /* of `all` states of the source, `agreed` have the most frequent stack depth */
    unsigned agreed, all;
};

/* Functions that prologue_explain calls; either may be NULL. */
struct explain_watch {
    /* each instruction, in the order of addresses */
    void (*insn)(void *context, const struct explained_insn *insn);
    /*
     * each way: first those from outside and guesses, then each of the others right before the
     * `insn` call for its source
     */
    void (*way)(void *context, const struct explained_way *way);
    void *context;
};

/* Arrivals and landing pads that the analysis had in its struct prologue_input; borrowed. */
struct explain_entries {
    const struct prologue_arrival *arrivals;
    size_t arrival_count;
    const struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/*
 * Reports all instructions and ways of the analysis to `watch`. Call it only if no other function
 * of the same code was analysed since, and before code_trim.
 */
void prologue_explain(struct prologue *prologue, const struct explain_entries *entries,
                      const struct explain_watch *watch);

/* Returns where the guessed state of the unreached code at `vaddr` comes from. */
struct explained_guess prologue_guess(const struct prologue *prologue, uint64_t vaddr);

/*
 * Whether there is a kept state with SP unknown and FP at a known distance from the CFA;
 * state_to_row takes this as an argument.
 */
bool prologue_is_dynamic(const struct prologue *prologue);

#endif
