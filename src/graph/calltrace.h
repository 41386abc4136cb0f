/* SPDX-License-Identifier: MIT */
/*
 * Reads a trace of calls into a profile of exact counts: the weight (WEIGHT_CALLS) of each path of
 * calls is the number of calls made on it.
 *
 * In a trace of entries and exits the path is that of the open functions. An exit of a function
 * that is open further out also closes all calls made from it that wrote no exit (longjmp). An exit
 * of a function that is not open is reported and ignored. In a trace of pairs the path is only the
 * call site and the callee.
 *
 * Lines that are no record are reported and left out. Memory is bounded whatever is read: paths
 * longer than CALLTRACE_PATH_MAX, and new paths beyond CALLTRACE_PATHS_MAX, begin anew at the
 * caller. The number of calls from each caller to each callee stays exact then, but not where the
 * caller was called from.
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

#define CALLTRACE_PATH_MAX  1024       /* most functions on a path */
#define CALLTRACE_PATHS_MAX (1U << 20) /* most paths; paths that begin anew: as many again */
#define CALLTRACE_DEPTH_MAX (1U << 20) /* most calls open at once; deeper calls are on no path */
/* most functions and call sites; with more the file is refused */
#define CALLTRACE_ADDRESSES_MAX (1U << 18)

struct calltrace_options {
    const char *name;      /* for messages */
    struct module *module; /* the program that was traced; must be open */
    uint64_t load_bias;    /* address in the trace minus address in the file */
    uint64_t isa_bit;      /* mask of a code address's bit that is no address (struct arch) */
};

/* Faulty lines of one kind. */
struct calltrace_faults {
    uint64_t count;
    uint64_t line;  /* number of the first such line, from 1 on */
    char text[128]; /* the fault of the first such line */
};

struct calltrace {
    uint64_t lines, calls;       /* numbers read */
    bool has_pairs;              /* the trace has pairs; false: entries and exits */
    uint64_t max_depth;          /* most calls open at once */
    struct calltrace_faults bad; /* lines that are no record, or not of the first record's kind */
    struct calltrace_faults unpaired;      /* exits of functions that are not open */
    uint64_t left_open;                    /* number of functions still open at the end */
    bool cut_short;                        /* the last line has no newline and was left out */
    uint64_t begun_anew;                   /* number of calls on paths that begin anew */
    uint64_t left_out;                     /* number of calls that are on no path */
    uint64_t functions, functions_outside; /* number of callees; of those outside the file's code */
};

/*
 * Reads a trace to its end into `profile`, which must be empty, and its facts into *out. IO, or
 * BAD_DATA (more addresses than any program has), with `diag` filled: records read before count;
 * NO_MEMORY.
 */
MUST_CHECK enum status calltrace_read(snap_read_fn *read, void *context,
                                      const struct calltrace_options *options,
                                      struct profile *profile, struct calltrace *out,
                                      struct diag *diag);

#endif
