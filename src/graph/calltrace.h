/* SPDX-License-Identifier: MIT */
/*
 * A trace of calls to a profile of exact counts: each path of calls weighs as many WEIGHT_CALLS as
 * calls were made on it.
 *
 * Of entries and exits the path is that of the functions that are open. An exit of a function that
 * is open further out closes what was called from it and wrote no exit (longjmp); an exit of one
 * that is not open is reported, and nothing else comes of it. Of pairs the path is the call site
 * and the callee: what was open around them they do not say.
 *
 * Lines that are no record are reported and left out. Memory is bounded whatever is read: paths
 * that are longer than CALLTRACE_PATH_MAX, and new ones when there are CALLTRACE_PATHS_MAX, begin
 * anew at the caller. Who called whom and how often stays exact by that, but not from where the
 * caller was called.
 */
#ifndef GRAPH_CALLTRACE_H
#define GRAPH_CALLTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/calltrace_line.h"
#include "graph/profile.h"
#include "snapshot/reader.h"

#define CALLTRACE_PATH_MAX      1024
#define CALLTRACE_PATHS_MAX     (1U << 20) /* twice as many where they begin anew */
#define CALLTRACE_DEPTH_MAX     (1U << 20) /* calls open at once; of deeper ones none is counted */
#define CALLTRACE_ADDRESSES_MAX (1U << 18) /* functions and call sites; with more it is no trace */

struct calltrace_options {
    const char *name;      /* of the trace, for messages */
    struct module *module; /* open: what the addresses are in */
    uint64_t load_bias;    /* of an address of the trace, minus that in the file */
    uint64_t isa_bit;      /* of a code address; arch.h */
};

/* Lines that something is wrong with. */
struct calltrace_faults {
    uint64_t count;
    uint64_t line;  /* the first one's number */
    char text[128]; /* what is wrong with it */
};

struct calltrace {
    uint64_t lines, calls;
    bool has_pairs; /* of pairs, else of entries and exits */
    uint64_t max_depth;
    struct calltrace_faults bad;           /* no record, or not of the kind of the first */
    struct calltrace_faults unpaired;      /* exits that do not match */
    uint64_t left_open;                    /* functions without exit at the end */
    bool cut_short;                        /* the last line has no end and was left out */
    uint64_t begun_anew;                   /* calls on paths that begin at their callers */
    uint64_t left_out;                     /* calls that are in no path */
    uint64_t functions, functions_outside; /* distinct callees; those whose address is in no code */
};

/*
 * Reads to the end, and adds to `profile`, which is empty. OK; IO, or BAD_DATA for more addresses
 * than any program has, with `diag` filled: what came before counts; NO_MEMORY.
 */
MUST_CHECK enum status calltrace_read(snap_read_fn *read, void *context,
                                      const struct calltrace_options *options,
                                      struct profile *profile, struct calltrace *out,
                                      struct diag *diag);

#endif
