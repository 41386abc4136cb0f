/* SPDX-License-Identifier: MIT */
/* Trust: the row source that found a frame. */
#ifndef UNWIND_ROW_TRUST_H
#define UNWIND_ROW_TRUST_H

/* Best first. Outputs print the names. */
enum trust {
    TRUST_CONTEXT,   /* the innermost frame: its registers were captured */
    TRUST_KERNEL,    /* a kernel frame that came with the sample */
    TRUST_EXCEPTION, /* code that an exception of a board interrupted */
    TRUST_DEBUG_FRAME,
    TRUST_EH_FRAME,
    TRUST_EXIDX,
    TRUST_GOPCLNTAB, /* the tables of Go's runtime */
    TRUST_PROLOGUE,  /* analysis of code */
    TRUST_FP,        /* frame pointer convention */
    TRUST_LR,        /* return address still in LR */
    TRUST_SCAN,      /* search of the stack for return addresses */
};
#define TRUST_COUNT 11

/* Returns "eh_frame", …; static. */
const char *trust_name(enum trust trust);

#endif
