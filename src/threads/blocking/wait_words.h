/* SPDX-License-Identifier: MIT */
/*
 * Text for threads, objects and chains in reports of waits. All strings returned are malloc'ed, the
 * caller frees them; NULL: out of memory.
 */
#ifndef THREADS_BLOCKING_WAIT_WORDS_H
#define THREADS_BLOCKING_WAIT_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/profile.h"
#include "threads/blocking/wait_graph.h"
#include "threads/history.h"
#include "threads/identity.h"

#define WAIT_WORDS_FRAMES_MAX 40 /* functions of a chain that are named; the rest is only counted */

struct wait_words { /* what the functions below need; pointers are borrowed */
    const struct wait_graph *graph;
    const struct history *history;
    const struct profile *profile; /* the profile of the history's samples, resolved */
    /* identities of the history's threads; NULL: not known, and texts name none */
    const struct identities *identities;
    bool whole_chains; /* wait_words_chain does not shorten chains */
};

/*
 * Returns a thread's name, tid and identity: "'worker' (tid 12, run_worker via spawn_pool)"; with
 * its pid if the history has several processes.
 */
char *wait_words_thread(const struct wait_words *words, uint32_t thread);

/*
 * Returns the object (index in the history's waits) of a wait of this kind: "mutex g_lock
 * (recursive)", "read of descriptor 5 (socket:[12])"; for WAIT_NONE the kind only: "mutex".
 */
char *wait_words_object(const struct wait_words *words, enum wait_kind kind, uint32_t object);

/*
 * Returns an object (index in the history's waits) without what a wait does with it: "rwlock
 * g_table" for reading and writing, "queue g_jobs" for sending and receiving.
 */
char *wait_words_node(const struct wait_words *words, uint32_t object);

/*
 * Returns wait_words_node of the node's object; for a node of several joined threads their identity
 * and number: "join burst ×45".
 */
char *wait_words_nodes(const struct wait_words *words, const struct wait_node *node);

/*
 * Returns the holder of a wait's object: "held by 'main' (tid 7)", "held by 3 readers, …", "owner
 * not known", with the wait's doubt or "[inferred]"; "" if there is nothing to say, as for a join.
 * `owner`: index of the thread with the wait's owner_tid, or HISTORY_NONE.
 */
char *wait_words_holder(const struct wait_words *words, const struct wait *wait, uint32_t owner);

/*
 * Calls `put` for each function of a chain, innermost first, with a text such as "lock_both
 * (locks.c:31)": at most WAIT_WORDS_FRAMES_MAX times, and once more for the number of the others.
 * Unless whole_chains, the chain begins with the call of the C library that the program made, ends
 * with main or the start routine, and C++'s and Rust's own functions are shortened (chain_words.h).
 * `is_program`: the function is the program's own. A status of `put` other than OK ends the calls
 * and is returned; else OK, or NO_MEMORY.
 */
typedef enum status wait_words_put(void *context, const char *text, bool is_program);
MUST_CHECK enum status wait_words_chain(const struct wait_words *words, uint32_t chain,
                                        wait_words_put *put, void *context);

#endif
