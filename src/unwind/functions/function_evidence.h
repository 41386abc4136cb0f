/* SPDX-License-Identifier: MIT */
/*
 * Does code behave like a function? Private to function_*.c.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H
#define UNWIND_FUNCTIONS_FUNCTION_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"
#include "unwind/functions/function_marks.h"
#include "unwind/prologue/prologue.h"

/* What speaks against a function that starts here. */
struct evidence {
    struct code *code;
    const struct marks *marks;
    const struct prologue *prologue;
    uint64_t kept; /* registers of which the ABI's rules hold; others are like arguments */
    uint64_t start_vaddr, end_vaddr, last_end_vaddr;
    unsigned count;
    unsigned calls, misaligned; /* calls; those where SP is not as the ABI has it for a callee */
    /*
     * of the latter, direct calls of the file's own code: compilers that know all of a function's
     * callees align the stack no further than these need
     */
    unsigned misaligned_inside;
    bool falls;                     /* the instruction before goes on to the next */
    bool after_call, after_padding; /* of a call, or behind padding behind one */
    bool broken;                    /* runs into what cannot be decoded, or out of its end */
    bool doubtful;                  /* runs into what code that is in no function takes for data */
    bool foreign_frame;             /* uses the stack where its caller's frame is */
    bool stores_above;              /* writes where its caller's frame is, or its arguments */
    bool underflow; /* takes off the stack what its caller has there, before it returns */
    /* returns, or calls in the end, at another depth or without its caller's registers */
    bool unbalanced;
    bool leads_on;         /* jumps, with nothing of a frame, to what is not known to be code */
    uint64_t inside_vaddr; /* it jumps to here, which may be amid a function that is known; or 0 */
    bool jumps_on;         /* is nothing but a jump to what is not known to be a function */
    bool returns;          /* in balance, or by way of another function */
    bool tail_calls;       /* jumps to a function that is known, with nothing of a frame */
    bool returned;         /* by an instruction that returns, in balance */
    bool joins;            /* goes on inside of code that is another function's */
    /* the same with nothing of a frame: functions of assemblers share ends; so do their parts */
    bool shares_end;
    bool loses_lr; /* calls while the return address is in LR alone */
    bool ends;     /* some path does: it is no endless loop, which never needs the return address */
    uint64_t reads;   /* registers that it uses, and has no right to, before it has set them */
    uint64_t moved;   /* the same that it moves to others, and has not saved so far */
    uint64_t changes; /* those that it returns, or calls in the end, without having put back */
    uint64_t saves;   /* those that are in its frame where it calls or jumps */
    bool saves_lr;    /* stores the return address that it was called with */
};

/*
 * Does the stack's alignment at calls betray code that is no function (x86)? Where it does, more is
 * taken for one than elsewhere, and what is not is followed as part of one.
 */
bool function_calls_tell(const struct code *code, enum code_mode mode);

/*
 * The call in this state is made with a stack that is not aligned as the ABI wants it. Code in the
 * middle of a function that is taken for a start does so nearly always: SP at the entry is a word
 * off.
 */
bool function_misaligned_call(const struct code *code, const struct code_insn *insn,
                              const struct state *state);

/*
 * Of the code that `prologue`, analysed last, came to from `vaddr` on; it must have ended at
 * `limit`. `kept`: a mask of registers.
 */
struct evidence function_evidence(struct code *code, const struct marks *marks,
                                  const struct prologue *prologue, uint64_t vaddr, uint64_t limit,
                                  uint64_t kept);

#endif
