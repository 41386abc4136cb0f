/* SPDX-License-Identifier: MIT */
/*
 * Private to the waits format: writes words of threads, objects and chains to one stream.
 * waits_deadlocks.c, waits_inversions.c and waits_blocked.c write the first three parts of the
 * format, waits_rest.c the last one, and waits_report.c those between.
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
    struct map told;   /* thread << 32 | chain: those that waits_put_known has written */
    struct map chains; /* hash of a chain's words -> the thread it was written for; HISTORY_NONE */
    struct map places; /* hash of a chain's head, tid -> hash of its words; 0: of several chains */
};

/* Whether the filter shows the thread; whether it shows one that waits for the node or holds it. */
bool waits_shows_thread(const struct waits_writer *w, uint32_t thread);
bool waits_shows_node(const struct waits_writer *w, const struct wait_node *node);

enum wait_kind waits_node_kind(const struct waits_writer *w, const struct wait_node *node);

/* Returns "≥ ", to precede a number of waits of which samples may have missed some, or "". */
const char *waits_count_sign(const struct wait_node *node);

/* Returns the edge by which the thread holds or held the node; NULL: none. */
const struct hold_edge *waits_find_hold(const struct waits_writer *w, uint32_t node,
                                        uint32_t thread);

/* The following put words behind `gap` (report_text_put). They fail only with NO_MEMORY. */

/* Puts malloc'ed words, unless they are empty, and frees them; NULL: NO_MEMORY. */
MUST_CHECK enum status waits_put_words(struct waits_writer *w, const char *gap, char *words);
/* Puts a sentence, which may be broken between its words. */
void waits_put_sentence(struct waits_writer *w, const char *sentence);
MUST_CHECK enum status waits_put_thread(struct waits_writer *w, const char *gap, uint32_t thread);
MUST_CHECK enum status waits_put_object(struct waits_writer *w, const char *gap,
                                        enum wait_kind kind, uint32_t object);
/* Puts wait_words_node: the object without what a wait wants of it. */
MUST_CHECK enum status waits_put_node_name(struct waits_writer *w, const char *gap,
                                           uint32_t object);

/*
 * waits_chain.c: writes a paragraph "      in:       f (a.c:1) ← main (a.c:9)". A chain that was
 * written before is shortened to its innermost function of the program, the function that this
 * called, and a reference: "lock ← f (a.c:1), as tid 7 above"; unless that is no shorter, the chain
 * has no function of the program, or two chains written for tid 7 begin like this. `thread`: the
 * thread that the line before names; HISTORY_NONE: none. HISTORY_NONE as `chain`: writes nothing.
 */
MUST_CHECK enum status waits_put_chain(struct waits_writer *w, size_t indent, const char *label,
                                       uint32_t thread, uint32_t chain);
/* For a deadlock's threads: writes the chain, and marks it as known for the thread. */
MUST_CHECK enum status waits_put_known(struct waits_writer *w, const char *label, uint32_t thread,
                                       uint32_t chain);
bool waits_is_known(const struct waits_writer *w, uint32_t thread, uint32_t chain);
/* Writes the chain unless it is known for the thread. */
MUST_CHECK enum status waits_put_unknown(struct waits_writer *w, size_t indent, const char *label,
                                         uint32_t thread, uint32_t chain);

/* Write a part of the format each. */
MUST_CHECK enum status waits_put_deadlocks(struct waits_writer *w);
MUST_CHECK enum status waits_put_inversions(struct waits_writer *w);
MUST_CHECK enum status waits_put_blocked(struct waits_writer *w);
MUST_CHECK enum status waits_put_rest(struct waits_writer *w);

#endif
