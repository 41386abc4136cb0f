/* SPDX-License-Identifier: MIT */
/* The input of all output formats about threads, and the pieces of text that they share. */
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
    const struct profile *profile; /* profile of the same samples, resolved */
    const char *title;             /* title of the capture; NULL: it has none */
    const char *caveats;           /* warnings for the report's head, whole lines; may be NULL */
    bool is_core;                  /* the input is a core: all is of one moment, without times */
    bool verbose;
    size_t columns; /* width of the terminal in columns; 0: there is no terminal */
    /* Owned: */
    struct identities *identities;
    struct hierarchy *hierarchy;
    bool *shown;          /* by thread of the history: it passes the filter */
    uint32_t *node_shown; /* by node of the hierarchy: number of its shown threads */
    bool *node_kept;      /* by node: it, or a node below it, has shown threads */
    uint32_t shown_count, shown_identities; /* numbers of shown threads and of their identities */
    bool has_c_library; /* some frame of the profile is in a C library's module */
};

/*
 * Fills the owned members of a report whose borrowed members and options are set and whose others
 * are zero. `filter` NULL: all threads are shown. Fails with NO_MEMORY only; call report_deinit
 * then, too.
 */
MUST_CHECK enum status report_prepare(struct report *report, const struct graph_filter *filter);
void report_deinit(struct report *report);

/*
 * Writes how many threads are shown: "3 threads of 2 identities"; if the filter hides some, "1
 * thread of 1 identity (of 5 threads)".
 */
void report_put_counts(const struct report *report, FILE *out);

/*
 * Writes a CPU time "12.0 ms", right-aligned to `width` columns. `at_least`: the CPU time of some
 * threads is not known, so that it is "≥ 12.0 ms".
 */
void report_put_cpu(uint64_t cpu_ns, bool at_least, size_t width, FILE *out);

/*
 * Writes a frame of the profile as "spawn_pool, pool.c:17": the program's function
 * (chain_ends_place), and file and line if they are known. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status report_put_site(const struct report *report, uint32_t frame, FILE *out);

/*
 * Fills *out with the chain that created an identity's first thread (creation_known is true): from
 * pthread_create or fork outwards, without the C library's frames inside those calls and at the
 * outer end.
 */
#define REPORT_CHAIN_MAX 32
struct report_chain {
    uint32_t frames[REPORT_CHAIN_MAX]; /* frames of the profile, innermost first */
    size_t count, left_out; /* numbers of `frames`, and of further frames beyond REPORT_CHAIN_MAX */
    bool complete;          /* the chain reaches the creating thread's first function */
    enum stop_reason stop;
};
void report_creation_chain(const struct report *report, const struct identity *identity,
                           struct report_chain *out);

/*
 * Writes the functions of `count` frames of the profile, given innermost first, as "a ← b ← c",
 * without a newline at the end. Fails only with NO_MEMORY.
 */
struct report_layout {
    const char *margin; /* text at the begin of each line but the first */
    /*
     * first: columns that the first line has already; 0: the margin's width. width: columns of a
     * line. words_max: most functions to write; "… 7 more" follows if there are others.
     */
    size_t first, width, words_max;
    bool brief; /* functions of C++'s and Rust's libraries are shortened (chain_words.h) */
};
MUST_CHECK enum status report_put_frames(const struct report *report, const uint32_t *frames,
                                         size_t count, const struct report_layout *layout,
                                         FILE *out);

/*
 * Whether reports name the identity's threads before the identity, as their names say more: the
 * identity has a label, and is not is_main.
 */
bool report_names_are_first(const struct identity *identity);

/*
 * Writes the names of a node's shown threads: the one name that all have; or "worker-0 … worker-63"
 * if only the number at the end differs; or up to three names and "and 4 more names". Control
 * characters are replaced. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status report_put_names(const struct report *report,
                                        const struct hierarchy_node *node, FILE *out);

/*
 * Whether a function is the C library's, or "_start", and so is on nearly every chain of a program.
 */
bool report_is_runtime(const struct report *report, const struct function *function);

#endif
