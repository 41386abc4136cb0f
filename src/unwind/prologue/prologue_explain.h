/* SPDX-License-Identifier: MIT */
/*
 * What an analysis made of each instruction, and how states came to the places where paths meet:
 * for whom explains a row. Nothing of it is recorded while the analysis runs. It is found out
 * afterwards, from the states that the analysis ended with, so that an analysis that nobody
 * explains costs no more.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H
#define UNWIND_PROLOGUE_PROLOGUE_EXPLAIN_H

#include "unwind/prologue/prologue.h"

/* One instruction; all is borrowed during the call. */
struct explained_insn {
    const struct code_insn *insn;
    const struct op *ops;
    const struct state *before; /* NULL: no path is known that leads here */
    /* behind it, on the path that executes it, whether or not that goes on; NULL: as before */
    const struct state *after;
    bool joins;           /* a state is kept here: paths meet, or may */
    bool guessed;         /* the block is entered in a state that was guessed */
    bool goes_on;         /* to the next instruction, as far as is known */
    uint8_t padding;      /* bytes right before it that only align it; its row is theirs, too */
    struct callee callee; /* of a call */
    size_t case_count;    /* of the jump table that it goes through */
};

enum way_kind {
    WAY_CALLERS, /* the function is called */
    WAY_OUTSIDE, /* another function jumps or throws here: from 0 where that is not told */
    WAY_JUMP,
    WAY_CASE,   /* of a jump table */
    WAY_NEXT,   /* from the instruction right before it */
    WAY_RETURN, /* behind a call, perhaps with padding between */
    WAY_THROW,  /* the landing pad of a call */
    WAY_CALLED, /* a subroutine that is part of the function */
    WAY_GUESS,  /* nothing is known to lead here: see struct explained_guess */
};

/* A way to a place where a state is kept, and the state that it brings. */
struct explained_way {
    enum way_kind kind;
    uint64_t from_vaddr, to_vaddr;
    const struct state *state;
    const struct state *kept; /* at to_vaddr */
    /* The state was not merged into the one that is kept: it would have changed that. */
    bool left_out;
};

/* What code that no path reaches was taken to be entered with. */
enum guess_from { GUESS_INDIRECT, GUESS_TRAP, GUESS_CALLS, GUESS_TAIL_CALLS, GUESS_NO_FRAME };
struct explained_guess {
    /*
     * states before indirect jumps, at the trap before it, behind calls, before tail calls; the
     * function never has one
     */
    enum guess_from from;
    unsigned agreed, all; /* so many of them have the depth that most have */
};

struct explain_watch {
    void (*insn)(void *context, const struct explained_insn *insn); /* each, by address */
    /*
     * each way; those from outside first, then by the address that they come from, before that
     * instruction is told of; either may be NULL
     */
    void (*way)(void *context, const struct explained_way *way);
    void *context;
};

/* What the analysis began with, as its struct prologue_input had it. */
struct explain_entries {
    const struct prologue_arrival *arrivals;
    size_t arrival_count;
    const struct landing_pad *landing_pads;
    size_t landing_pad_count;
};

/* Tells of all. While nothing else was analysed since, and the code was not trimmed. */
void prologue_explain(struct prologue *prologue, const struct explain_entries *entries,
                      const struct explain_watch *watch);

/* Of the code at `vaddr`. */
struct explained_guess prologue_guess(const struct prologue *prologue, uint64_t vaddr);

/* Is there a place where the frame pointer tells the CFA and SP does not? See state_to_row. */
bool prologue_is_dynamic(const struct prologue *prologue);

#endif
