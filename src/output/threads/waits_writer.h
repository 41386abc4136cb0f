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
    struct map told; /* keys thread << 32 | chain: pairs that waits_put_known has written */
    /* Hash of a chain's words -> thread that the chain was last written for; HISTORY_NONE: none. */
    struct map chains;
    /* Hash of a chain's innermost words and a tid -> hash of all its words; 0: several chains. */
    struct map places;
};

/*
 * Whether the filter shows a thread of the history; whether it shows a thread that waits for the
 * node's object or holds it.
 */
bool waits_shows_thread(const struct waits_writer *w, uint32_t thread);
bool waits_shows_node(const struct waits_writer *w, const struct wait_node *node);

/* Returns the kind of wait that the node's object is for. */
enum wait_kind waits_node_kind(const struct waits_writer *w, const struct wait_node *node);

/* Returns the sign before node->waits: "≥ " if samples may have missed waits, else "". */
const char *waits_count_sign(const struct wait_node *node);

/* Returns the edge by which the thread holds or held the object of node `node`; NULL: none. */
const struct hold_edge *waits_find_hold(const struct waits_writer *w, uint32_t node,
                                        uint32_t thread);

/*
 * The functions up to waits_put_node_name put words into w->text, behind `gap` if the line goes on
 * (report_text_put). They fail only with NO_MEMORY.
 */

/* Puts malloc'ed words, unless they are empty, and frees them; words NULL: returns NO_MEMORY. */
MUST_CHECK enum status waits_put_words(struct waits_writer *w, const char *gap, char *words);
/* Puts a sentence, which may be broken between its words. */
void waits_put_sentence(struct waits_writer *w, const char *sentence);
MUST_CHECK enum status waits_put_thread(struct waits_writer *w, const char *gap, uint32_t thread);
MUST_CHECK enum status waits_put_object(struct waits_writer *w, const char *gap,
                                        enum wait_kind kind, uint32_t object);
/* Puts the object's name (wait_words_node), without what a wait wants of the object. */
MUST_CHECK enum status waits_put_node_name(struct waits_writer *w, const char *gap,
                                           uint32_t object);

/*
 * Writes a paragraph: `indent` spaces, the label and the chain, "in:  f (a.c:1) ← main (a.c:9)". A
 * chain that was written before is shortened to its innermost function of the program, the function
 * that this one called, and a reference, "lock ← f (a.c:1), as tid 7 above", unless that is no
 * shorter, the chain has no function of the program, or two chains written for tid 7 begin so.
 * `thread`: the thread that the line before names; HISTORY_NONE: none. Chain HISTORY_NONE: writes
 * nothing. NO_MEMORY.
 */
MUST_CHECK enum status waits_put_chain(struct waits_writer *w, size_t indent, const char *label,
                                       uint32_t thread, uint32_t chain);
/* For a deadlock's threads: writes the chain with an indent of 6, and notes thread and chain. */
MUST_CHECK enum status waits_put_known(struct waits_writer *w, const char *label, uint32_t thread,
                                       uint32_t chain);
/* Whether waits_put_known has written the chain for the thread. */
bool waits_is_known(const struct waits_writer *w, uint32_t thread, uint32_t chain);
/* Writes the chain like waits_put_chain, unless waits_is_known. NO_MEMORY. */
MUST_CHECK enum status waits_put_unknown(struct waits_writer *w, size_t indent, const char *label,
                                         uint32_t thread, uint32_t chain);

/* Each writes a part of the format. NO_MEMORY. */
MUST_CHECK enum status waits_put_deadlocks(struct waits_writer *w);
MUST_CHECK enum status waits_put_inversions(struct waits_writer *w);
MUST_CHECK enum status waits_put_blocked(struct waits_writer *w);
MUST_CHECK enum status waits_put_rest(struct waits_writer *w);

#endif
