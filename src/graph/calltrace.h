/* SPDX-License-Identifier: MIT */
/*
 * Reads a trace of calls into a profile of exact counts: each path of calls weighs as many
 * WEIGHT_CALLS as calls were made on it.
 *
 * In a trace of entries and exits the path is that of the open functions. An exit of a function
 * that is open further out also closes all calls made from it that wrote no exit (longjmp). An exit
 * of a function that is not open is reported and ignored. In a trace of pairs the path is only the
 * call site and the callee.
 *
 * Lines that are no record are reported and left out. Memory is bounded whatever is read: paths
 * longer than CALLTRACE_PATH_MAX, and new ones beyond CALLTRACE_PATHS_MAX, begin anew at the
 * caller. Who called whom how often stays exact then, but not where the caller was called from.
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

#define CALLTRACE_PATH_MAX  1024
#define CALLTRACE_PATHS_MAX (1U << 20) /* twice as many with those that begin anew */
#define CALLTRACE_DEPTH_MAX (1U << 20) /* calls open at once; deeper ones are on no path */
/* functions and call sites; with more the file is refused */
#define CALLTRACE_ADDRESSES_MAX (1U << 18)

struct calltrace_options {
    const char *name;      /* for messages */
    struct module *module; /* must be open; holds the addresses */
    uint64_t load_bias;    /* address in the trace minus address in the file */
    uint64_t isa_bit;      /* of a code address; arch.h */
};

/* Faulty lines of one kind. */
struct calltrace_faults {
    uint64_t count;
    uint64_t line;  /* number of the first */
    char text[128]; /* its fault */
};

struct calltrace {
    uint64_t lines, calls;
    bool has_pairs; /* pairs; false: entries and exits */
    uint64_t max_depth;
    struct calltrace_faults bad; /* lines that are no record, or not of the first record's kind */
    struct calltrace_faults unpaired;      /* exits that do not match */
    uint64_t left_open;                    /* functions still open at the end */
    bool cut_short;                        /* the last line has no newline and was left out */
    uint64_t begun_anew;                   /* calls on paths that begin anew at their callers */
    uint64_t left_out;                     /* calls counted on no path */
    uint64_t functions, functions_outside; /* distinct callees; those at addresses outside code */
};

/*
 * Reads a trace to its end into `profile`, which must be empty. IO, or BAD_DATA (more addresses
 * than any program has), with `diag` filled: what was read before counts; NO_MEMORY.
 */
MUST_CHECK enum status calltrace_read(snap_read_fn *read, void *context,
                                      const struct calltrace_options *options,
                                      struct profile *profile, struct calltrace *out,
                                      struct diag *diag);

#endif
