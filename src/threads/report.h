/* SPDX-License-Identifier: MIT */
/*
 * Input of all formats about threads, and the pieces of text that they share.
 */
#ifndef THREADS_REPORT_H
#define THREADS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/filter.h"
#include "graph/profile.h"
#include "threads/hierarchy.h"
#include "threads/history.h"
#include "threads/identity.h"

struct report {
    /* Borrowed: */
    const struct history *history;
    const struct profile *profile; /* resolved */
    const char *title;             /* may be NULL */
    const char *caveats;           /* whole lines for the head; may be NULL */
    bool is_core;                  /* one moment: no times */
    bool verbose;
    size_t columns; /* of the terminal; 0: none */
    /* Owned: */
    struct identities *identities;
    struct hierarchy *hierarchy;
    bool *shown;                            /* by thread: it passes the filter */
    uint32_t *node_shown;                   /* by node of the hierarchy: its threads that are */
    bool *node_kept;                        /* by node: it or one below it has such threads */
    uint32_t shown_count, shown_identities; /* threads that are shown, and their identities */
    bool has_c_library;                     /* a module with frames is a C library */
};

/*
 * Fills the owned members of a report whose borrowed ones are set and whose others are zero.
 * `filter` may be NULL: all threads are shown. Call report_deinit whatever the status, which is
 * NO_MEMORY if it fails.
 */
MUST_CHECK enum status report_prepare(struct report *report, const struct graph_filter *filter);
void report_deinit(struct report *report);

/* Writes "3 threads of 2 identities", or "1 thread of 1 identity (of 5 threads)" if filtered. */
void report_put_counts(const struct report *report, FILE *out);

/*
 * Writes "12.0 ms", right-aligned to `width` columns; if `at_least`, as some threads' CPU time is
 * not known, "≥ 12.0 ms".
 */
void report_put_cpu(uint64_t cpu_ns, bool at_least, size_t width, FILE *out);

/*
 * Writes "spawn_pool, pool.c:17" for a frame of the profile: the program's function in it, and its
 * file and line if they are known. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status report_put_site(const struct report *report, uint32_t frame, FILE *out);

/*
 * Fills `out` with the chain that made an identity's threads (creation_known): from pthread_create
 * or fork outwards, without the C library's frames inside it and at the outer end.
 */
#define REPORT_CHAIN_MAX 32
struct report_chain {
    uint32_t frames[REPORT_CHAIN_MAX]; /* of the profile, innermost first */
    size_t count, left_out;            /* left_out: frames beyond REPORT_CHAIN_MAX */
    bool complete;                     /* it reaches the start of the maker */
    enum stop_reason stop;
};
void report_creation_chain(const struct report *report, const struct identity *identity,
                           struct report_chain *out);

/*
 * Writes the functions of frames that are given innermost first, "a ← b ← c", without a newline at
 * the end. Fails only with NO_MEMORY.
 */
struct report_layout {
    const char *margin; /* of each line but the first */
    /* Columns that the first line has already, 0: as wide as the margin; columns of a line;
     * functions to write, followed by "… 7 more". */
    size_t first, width, words_max;
    bool brief; /* shorten C++'s and Rust's own functions: chain_words.h */
};
MUST_CHECK enum status report_put_frames(const struct report *report, const uint32_t *frames,
                                         size_t count, const struct report_layout *layout,
                                         FILE *out);

/* Whether the threads' own names say more than the identity's name: a label, and not is_main. */
bool report_names_are_first(const struct identity *identity);

/*
 * Writes the names of a node's threads that are shown: one name that all have, "worker-0 …
 * worker-63", or up to three and "and 4 more names". Cleaned. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status report_put_names(const struct report *report,
                                        const struct hierarchy_node *node, FILE *out);

/* Whether a function is the C library's, or "_start": on nearly every chain of a program. */
bool report_is_runtime(const struct report *report, const struct function *function);

#endif
