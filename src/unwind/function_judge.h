/*
 * Does code behave like a function? Private to function_*.c.
 */
#ifndef UNWIND_FUNCTION_JUDGE_H
#define UNWIND_FUNCTION_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code.h"
#include "unwind/function_marks.h"
#include "unwind/prologue.h"

/* What speaks against a function that starts here. */
struct judgement {
    struct code *code;
    const struct marks *marks;
    const struct prologue *prologue;
    uint64_t start_vaddr, end_vaddr, last_end_vaddr;
    unsigned count;
    bool falls; /* the instruction before goes on to the next */
    bool after_call;
    bool broken;       /* runs into what cannot be decoded, or out of its end */
    bool foreign_read; /* uses a register that belongs to its caller */
    bool unbalanced;   /* returns at another depth, or has not restored its caller's registers */
    bool joins;        /* goes on inside of code that is another function's */
    bool loses_lr;     /* calls while the return address is in LR alone */
    bool saves_lr;     /* stores the return address that it was called with */
};

/* Of the code that `prologue`, analysed last, came to from `vaddr` on; it must have ended at `limit`. */
struct judgement function_judge(struct code *code, const struct marks *marks,
                                const struct prologue *prologue, uint64_t vaddr, uint64_t limit);

#endif
