/* SPDX-License-Identifier: MIT */
/*
 * What the files of the waits format share: words of threads, objects and chains, to one stream.
 * waits_deadlocks.c, waits_inversions.c and waits_blocked.c write the first three parts,
 * waits_rest.c the last one, and waits_report.c those between.
 */
#ifndef OUTPUT_THREADS_WAITS_WRITER_H
#define OUTPUT_THREADS_WAITS_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "graph/amount.h"
#include "output/threads/waits_report.h"
#include "threads/report_text.h"

struct waits_writer {
    const struct waits_report *report;
    const struct wait_graph *graph;
    const struct history *history;
    struct report_text text;
    FILE *out;
    bool has_times;
    struct map told;   /* thread and chain: those that a deadlock has told already */
    struct map chains; /* hash of a chain's words -> the thread that was named with it, or NONE */
    struct map places; /* head of a chain, and tid -> hash of the chain's words; 0: of several */
};

/* Does the filter let the thread through? One that waits for the node, or holds it? */
bool waits_shows_thread(const struct waits_writer *w, uint32_t thread);
bool waits_shows_node(const struct waits_writer *w, const struct wait_node *node);

enum wait_kind waits_node_kind(const struct waits_writer *w, const struct wait_node *node);

/* "≥ " before a number of waits that samples may have missed some of. */
const char *waits_count_sign(const struct wait_node *node);

/* Who holds the node, or did; NULL: the thread does not. */
const struct hold_edge *waits_find_hold(const struct waits_writer *w, uint32_t node,
                                        uint32_t thread);

/* The following fail only for memory. */

/* Words of the caller's making, which are freed; NULL: there was no memory for them. */
MUST_CHECK enum status waits_put_words(struct waits_writer *w, const char *gap, char *words);
/* Words that need not stay together. */
void waits_put_sentence(struct waits_writer *w, const char *sentence);
MUST_CHECK enum status waits_put_thread(struct waits_writer *w, const char *gap, uint32_t thread);
MUST_CHECK enum status waits_put_object(struct waits_writer *w, const char *gap,
                                        enum wait_kind kind, uint32_t object);
/* The object by itself, with no kind of waiting for it. */
MUST_CHECK enum status waits_put_node_name(struct waits_writer *w, const char *gap,
                                           uint32_t object);

/*
 * waits_chain.c: "      in:       f (a.c:1) ← main (a.c:9)". A chain that the report has had is
 * told by its place in the program, and what that called: "lock ← f (a.c:1), as tid 7 above". It
 * is told again where that is no shorter, where it has no such place, or where two chains that are
 * told of tid 7 have these words.
 * `thread`: of which the line before is; HISTORY_NONE: it has no name there.
 */
MUST_CHECK enum status waits_put_chain(struct waits_writer *w, size_t indent, const char *label,
                                       uint32_t thread, uint32_t chain);
/* Of one that waits in a deadlock, or took what it holds there: no more is said of it below. */
MUST_CHECK enum status waits_put_known(struct waits_writer *w, const char *label, uint32_t thread,
                                       uint32_t chain);
bool waits_is_known(const struct waits_writer *w, uint32_t thread, uint32_t chain);
MUST_CHECK enum status waits_put_unknown(struct waits_writer *w, size_t indent, const char *label,
                                         uint32_t thread, uint32_t chain);

/* Parts of the format. */
MUST_CHECK enum status waits_put_deadlocks(struct waits_writer *w);
MUST_CHECK enum status waits_put_inversions(struct waits_writer *w);
MUST_CHECK enum status waits_put_blocked(struct waits_writer *w);
MUST_CHECK enum status waits_put_rest(struct waits_writer *w);

#endif
