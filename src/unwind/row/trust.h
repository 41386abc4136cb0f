/* SPDX-License-Identifier: MIT */
/* Names the ways in which frames and rows are found. */
#ifndef UNWIND_ROW_TRUST_H
#define UNWIND_ROW_TRUST_H

/*
 * How a frame was found, the most reliable way first; also the source of a row. Outputs print the
 * names.
 */
enum trust {
    TRUST_CONTEXT,   /* none: it is the innermost frame, whose registers were captured */
    TRUST_KERNEL,    /* a kernel frame that came with the sample */
    TRUST_EXCEPTION, /* code that an exception of a board interrupted */
    TRUST_DEBUG_FRAME,
    TRUST_EH_FRAME,
    TRUST_EXIDX,
    TRUST_GOPCLNTAB, /* by the tables of Go's runtime */
    TRUST_PROLOGUE,  /* by the analysis of code */
    TRUST_FP,        /* by the frame pointer convention */
    TRUST_LR,        /* by the return address that is still in LR */
    TRUST_SCAN,      /* by a search of the stack, or by the shape of a signal's frame */
};
#define TRUST_COUNT 11

/* Returns the name for outputs, "eh_frame", …; static storage. */
const char *trust_name(enum trust trust);

#endif
