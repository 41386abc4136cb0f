/* SPDX-License-Identifier: MIT */
/* How a frame was found. */
#ifndef UNWIND_ROW_TRUST_H
#define UNWIND_ROW_TRUST_H

/* The row source that found a frame, best first. The names are the contract's. */
enum trust {
    TRUST_CONTEXT,   /* the innermost frame: its registers were captured */
    TRUST_KERNEL,    /* the kernel's part of the chain, as whoever took the sample found it */
    TRUST_EXCEPTION, /* what an exception of a board interrupted, as the processor kept it */
    TRUST_DEBUG_FRAME,
    TRUST_EH_FRAME,
    TRUST_EXIDX,
    TRUST_GOPCLNTAB, /* the tables of Go's runtime */
    TRUST_PROLOGUE,
    TRUST_FP,
    TRUST_LR,
    TRUST_SCAN,
};
#define TRUST_COUNT 11

/* "eh_frame", …; static storage. */
const char *trust_name(enum trust trust);

#endif
