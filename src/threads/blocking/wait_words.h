/* SPDX-License-Identifier: MIT */
/*
 * Text for threads, objects and chains in reports of waits. All strings are malloc'ed; NULL: out of
 * memory.
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

#define WAIT_WORDS_FRAMES_MAX 40 /* lines of a chain; the rest is counted */

struct wait_words { /* all borrowed */
    const struct wait_graph *graph;
    const struct history *history;
    const struct profile *profile;       /* resolved */
    const struct identities *identities; /* NULL: not known */
    bool whole_chains;                   /* do not shorten chains: see wait_words_chain */
};

/* Returns "'worker' (tid 12, run_worker via spawn_pool)"; with its pid if there are processes. */
char *wait_words_thread(const struct wait_words *words, uint32_t thread);

/*
 * Returns the object of a wait of this kind: "mutex g_lock (recursive)", "read of descriptor 5
 * (socket:[12])"; for WAIT_NONE "mutex".
 */
char *wait_words_object(const struct wait_words *words, enum wait_kind kind, uint32_t object);

/* Returns the object without what a wait wants of it: "rwlock g_table", "queue g_jobs". */
char *wait_words_node(const struct wait_words *words, uint32_t object);

/* Returns the same for a node; for several joined threads "join burst ×45". */
char *wait_words_nodes(const struct wait_words *words, const struct wait_node *node);

/*
 * Returns the holder of a wait's object: "held by 'main' (tid 7)", "held by 3 readers, …", "owner
 * not known", with the wait's doubt or "[inferred]"; "" for kinds without a holder. `owner`:
 * the thread with the wait's owner_tid, or HISTORY_NONE.
 */
char *wait_words_holder(const struct wait_words *words, const struct wait *wait, uint32_t owner);

/*
 * Calls `put` for each function of a chain, innermost first: "lock_both (locks.c:31)". At most
 * WAIT_WORDS_FRAMES_MAX times, and once more to count the rest. Unless whole_chains, the chain
 * begins with the call of the C library that the program made, ends with main or the start routine,
 * and C++'s and Rust's own functions are shortened (chain_words.h). `is_program`: the function is
 * the program's own. Returns the first status of `put` that is not OK, or NO_MEMORY.
 */
typedef enum status wait_words_put(void *context, const char *text, bool is_program);
MUST_CHECK enum status wait_words_chain(const struct wait_words *words, uint32_t chain,
                                        wait_words_put *put, void *context);

#endif
