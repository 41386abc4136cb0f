/* SPDX-License-Identifier: MIT */
/*
 * Reports the states before and behind each instruction of an analysis, and which states met where
 * paths meet, to explain a row. Nothing is recorded during the analysis: the reports are made
 * afterwards from the states that it ended with, so that other analyses cost no more.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H
#define UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H

#include "unwind/prologue/prologue.h"

/* One instruction; all is borrowed during the call. */
struct explained_insn {
    const struct code_insn *insn;
    const struct op *ops;
    const struct state *before; /* NULL: no known path leads here */
    /* behind it, on the path that executes it, whether or not control goes on; NULL: as `before` */
    const struct state *after;
    bool joins;           /* a state is kept here: paths meet, or may */
    bool guessed;         /* `before` follows from a guess */
    bool goes_on;         /* to the next instruction, as far as is known */
    uint8_t padding;      /* bytes of padding right before it, which have its row */
    struct callee callee; /* of a call */
    size_t case_count;    /* of its jump table; 0: none */
};

enum way_kind {
    WAY_CALLERS, /* the function is called */
    WAY_OUTSIDE, /* another function jumps or throws here; from_vaddr 0: not known */
    WAY_JUMP,
    WAY_CASE,   /* of a jump table */
    WAY_NEXT,   /* from the instruction right before it */
    WAY_RETURN, /* behind a call, perhaps with padding between */
    WAY_THROW,  /* to the landing pad of a call */
    WAY_CALLED, /* call of a subroutine that is part of the function */
    WAY_GUESS,  /* no known way leads here: see struct explained_guess */
};

/* A way to a place where a state is kept, with its state; borrowed during the call. */
struct explained_way {
    enum way_kind kind;
    uint64_t from_vaddr, to_vaddr; /* instructions; from_vaddr is 0 for CALLERS and GUESS */
    const struct state *state;
    const struct state *kept; /* at to_vaddr */
    bool left_out;            /* `state` was not merged into `kept`, which it would have changed */
};

/* Where the guessed entry state of unreached code comes from. */
enum guess_from {
    GUESS_INDIRECT,   /* states before indirect jumps */
    GUESS_TRAP,       /* state at the trap right before the code */
    GUESS_CALLS,      /* states behind calls */
    GUESS_TAIL_CALLS, /* states before tail calls */
    GUESS_NO_FRAME    /* the function never has a frame */
};
struct explained_guess {
    enum guess_from from;
    unsigned agreed, all; /* `agreed` of `all` these states have the most frequent stack depth */
};

/* Either may be NULL. */
struct explain_watch {
    void (*insn)(void *context, const struct explained_insn *insn); /* each, by address */
    /* each way: first those from outside and guesses, then with their source, right before it */
    void (*way)(void *context, const struct explained_way *way);
    void *context;
};

/* The inputs of the analysis, as its struct prologue_input had them. */
struct explain_entries {
    const struct prologue_arrival *arrivals;
    size_t arrival_count;
    const struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/* Reports all. Valid only while no other function was analysed since, and before code_trim. */
void prologue_explain(struct prologue *prologue, const struct explain_entries *entries,
                      const struct explain_watch *watch);

/* Explains the guess for the unreached code at `vaddr`. */
struct explained_guess prologue_guess(const struct prologue *prologue, uint64_t vaddr);

/* Is SP unknown in a kept state whose FP is a known distance from the CFA? See state_to_row. */
bool prologue_is_dynamic(const struct prologue *prologue);

#endif
