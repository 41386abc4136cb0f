/* SPDX-License-Identifier: MIT */
/* Collects evidence whether code behaves like a function. Private to function_*.c. */
#ifndef UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H
#define UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"
#include "unwind/functions/function_marks.h"
#include "unwind/prologue/prologue.h"

/*
 * Evidence for and against a function that starts at start_vaddr. Members say what the code from
 * there on does.
 */
struct evidence {
    struct code *code;
    const struct marks *marks;
    const struct prologue *prologue;
    uint64_t kept; /* mask of registers for which the ABI's rules hold; others are like arguments */
    uint64_t start_vaddr, end_vaddr, last_end_vaddr;
    unsigned count; /* number of instructions that the analysis has a state for */
    /* numbers of calls, and of those with a stack not aligned as the ABI has it */
    unsigned calls, misaligned;
    /*
     * the number of `misaligned` that are direct calls of the file's own code. Compilers that know
     * all callees of a function align the stack no further than these need.
     */
    unsigned misaligned_inside;
    bool falls; /* control goes on from the last instruction to the next */
    /*
     * after_call: the last instruction is a call; after_padding: it is padding that follows a call
     */
    bool after_call, after_padding;
    bool broken;        /* runs into data, undecodable code, no code, or over its end */
    bool doubtful;      /* runs into data that may be code (function_marks.h) */
    bool foreign_frame; /* it uses the caller's frame, above any arguments */
    bool stores_above;  /* writes in the caller's frame, or to its arguments on the stack */
    bool underflow;     /* SP rises above its entry value before the return */
    /* returns or tail-calls with another SP than at entry, or with changed registers */
    bool unbalanced;
    bool leads_on; /* tail-calls an address that is not known to be code */
    /* target of a jump that may lead into the middle of a known function; 0: none */
    uint64_t inside_vaddr;
    bool jumps_on; /* is nothing but a jump to an address that is not known to be a function */
    /* returns with SP and saved registers as at entry, or tail-calls a known function */
    bool returns;
    bool tail_calls; /* jumps to a known function with SP and saved registers as at entry */
    bool returned;   /* as `returns`, but by a return instruction only */
    bool joins;      /* goes on in the middle of another function's code, with a frame */
    bool shares_end; /* does so without a frame: functions in assembly share their ends */
    bool loses_lr;   /* calls while the return address is in LR only */
    bool ends; /* some path ends; false: an endless loop, which never needs the return address */
    uint64_t reads; /* mask of registers that it reads before it sets them, against the ABI */
    /* mask of those that it reads only to move them to others, and has not saved so far */
    uint64_t moved;
    /* mask of callee-saved registers that are changed when it returns or tail-calls */
    uint64_t changes;
    /*
     * mask of callee-saved registers whose entry values are in its frame at calls, jumps and
     * returns
     */
    uint64_t saves;
    bool saves_lr; /* it stores LR's entry value in its frame */
};

/*
 * Whether the stack's alignment at calls gives away code that is no function (x86). If so, more
 * code is taken for a function than elsewhere, and rejected code is followed as part of a function.
 */
bool function_calls_tell(const struct code *code, enum code_mode mode);

/*
 * Whether the stack is misaligned, by the ABI, at the call `insn` in `state`. Nearly always so if
 * the middle of a function is taken for a start, since SP at the entry is a word off then. False
 * also if SP is not known.
 */
bool function_misaligned_call(const struct code *code, const struct code_insn *insn,
                              const struct state *state);

/*
 * Returns the evidence about the code from `vaddr` on by `prologue`, the analysis made last; a
 * function there must end at `limit`. `kept`: as in struct evidence.
 */
struct evidence function_evidence(struct code *code, const struct marks *marks,
                                  const struct prologue *prologue, uint64_t vaddr, uint64_t limit,
                                  uint64_t kept);

#endif
