/* SPDX-License-Identifier: MIT */
/*
 * What the formats that tell of threads are made from, and the pieces of text that they share.
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
    size_t columns; /* of the terminal; 0: there is none */
    /* Owned: */
    struct identities *identities;
    struct hierarchy *hierarchy;
    bool *shown;                            /* by thread: it passes the filter */
    uint32_t *node_shown;                   /* by node of the hierarchy: threads of it that pass */
    bool *node_kept;                        /* by node: it or one below has threads that pass */
    uint32_t shown_count, shown_identities; /* threads that are, and identities they have */
    bool has_c_library;                     /* as a file of its own */
};

/* Fills the owned part, of a zeroed report with the borrowed one. `filter` may be NULL. */
MUST_CHECK enum status report_prepare(struct report *report, const struct graph_filter *filter);
void report_deinit(struct report *report);

/* "3 threads of 2 identities", "1 thread of 1 identity (of 5 threads)". */
void report_put_counts(const struct report *report, FILE *out);

/*
 * "12.0 ms" in a column of `width`; "≥ 12.0 ms" where it is of threads some of which were never
 * sampled: what they used is not known.
 */
void report_put_cpu(uint64_t cpu_ns, bool at_least, size_t width, FILE *out);

/* "spawn_pool, pool.c:17": of the program's function, as far as it is known. */
MUST_CHECK enum status report_put_site(const struct report *report, uint32_t frame, FILE *out);

/*
 * The chain by which threads were made (creation_known), from pthread_create outwards, without the
 * C library's frames at both ends: at most REPORT_CHAIN_MAX frames.
 */
#define REPORT_CHAIN_MAX 32
struct report_chain {
    uint32_t frames[REPORT_CHAIN_MAX]; /* of the profile, innermost first */
    size_t count, left_out;
    bool complete;         /* the maker's start was reached */
    enum stop_reason stop; /* why it ends */
};
void report_creation_chain(const struct report *report, const struct identity *identity,
                           struct report_chain *out);

/*
 * Frames, innermost first, as far as it goes on one line of `width` columns, else on more, which
 * begin with `margin`. The first one has `first` columns already, or 0: those of the margin. Of
 * more than `words_max` functions the rest is counted.
 */
struct report_layout {
    const char *margin;
    size_t first, width, words_max;
    bool brief; /* what is C++'s or Rust's own is made short: chain_words.h */
};
MUST_CHECK enum status report_put_frames(const struct report *report, const uint32_t *frames,
                                         size_t count, const struct report_layout *layout,
                                         FILE *out);

/* Whether people know the threads by their names: these say more than the identity's. */
bool report_names_are_first(const struct identity *identity);

/* What the threads of a node that are shown are called: "worker-0 … worker-63". Cleaned. */
MUST_CHECK enum status report_put_names(const struct report *report,
                                        const struct hierarchy_node *node, FILE *out);

/* Of the C library, or where a program begins: on every chain of it. */
bool report_is_runtime(const struct report *report, const struct function *function);

#endif
