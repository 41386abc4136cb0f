/* SPDX-License-Identifier: MIT */
/* Collects evidence whether code behaves like a function. Private to function_*.c. */
#ifndef UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H
#define UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"
#include "unwind/functions/function_marks.h"
#include "unwind/prologue/prologue.h"

/* Evidence for and against a function that starts at start_vaddr. */
struct evidence {
    struct code *code;
    const struct marks *marks;
    const struct prologue *prologue;
    uint64_t kept; /* registers for which the ABI's rules hold; others are like arguments */
    uint64_t start_vaddr, end_vaddr, last_end_vaddr;
    unsigned count;             /* instructions with a state */
    unsigned calls, misaligned; /* calls; those with a stack not aligned as the ABI has it */
    /*
     * of `misaligned`: direct calls of the file's own code. Compilers that know all callees of a
     * function align the stack no further than these need.
     */
    unsigned misaligned_inside;
    bool falls;                     /* the last instruction goes on to the next */
    bool after_call, after_padding; /* the last instruction is a call; padding behind one */
    bool broken;                    /* runs into data, undecodable code, nothing, or over its end */
    bool doubtful;                  /* runs into doubtful data (function_marks.h) */
    bool foreign_frame;             /* uses the stack in its caller's frame */
    bool stores_above;              /* writes in its caller's frame, or its arguments */
    bool underflow;                 /* SP is above its entry value, before the return */
    bool unbalanced;       /* returns or tail-calls at another depth, or with changed registers */
    bool leads_on;         /* tail-calls what is not known to be code */
    uint64_t inside_vaddr; /* target of a jump that may be inside of a known function; 0: none */
    bool jumps_on;         /* is nothing but a jump to what is not known to be a function */
    bool returns;          /* in balance, or by a tail call of a known function */
    bool tail_calls;       /* jumps in balance to a known function */
    bool returned;         /* in balance, by a return instruction */
    bool joins;            /* goes on inside of another function's code, with a frame */
    bool shares_end;       /* the same without a frame: in assembly functions share ends */
    bool loses_lr;         /* calls while the return address is in LR only */
    bool ends; /* some path ends: it is no endless loop, which never needs the return address */
    uint64_t reads;   /* registers that it reads before it sets them, against the ABI */
    uint64_t moved;   /* the same, moved to others, and not saved so far */
    uint64_t changes; /* callee-saved registers that it returns or tail-calls with, changed */
    uint64_t saves;   /* callee-saved registers in its frame at calls, jumps and returns */
    bool saves_lr;    /* stores LR's entry value in the frame */
};

/*
 * Does the stack's alignment at calls give away code that is no function (x86)? Then more code is
 * taken for a function than elsewhere, and rejected code is followed as part of a function.
 */
bool function_calls_tell(const struct code *code, enum code_mode mode);

/*
 * Is the stack misaligned, by the ABI, at the call `insn` in `state`? It nearly always is if the
 * middle of a function is taken for a start, since SP at the entry is a word off then.
 */
bool function_misaligned_call(const struct code *code, const struct code_insn *insn,
                              const struct state *state);

/*
 * Returns the evidence of the code from `vaddr` on that `prologue`, the last analysis, came to; a
 * function there must end at `limit`. `kept`: see struct evidence.
 */
struct evidence function_evidence(struct code *code, const struct marks *marks,
                                  const struct prologue *prologue, uint64_t vaddr, uint64_t limit,
                                  uint64_t kept);

#endif
