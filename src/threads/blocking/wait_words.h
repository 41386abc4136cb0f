/* SPDX-License-Identifier: MIT */
/*
 * How threads, objects that are waited for, and chains are called where waits are reported.
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

#define WAIT_WORDS_FRAMES_MAX 40 /* functions of a chain; the rest is counted */

struct wait_words { /* all borrowed */
    const struct wait_graph *graph;
    const struct history *history;
    const struct profile *profile;       /* resolved */
    const struct identities *identities; /* NULL: not known */
    bool whole_chains; /* with what the C library does at their ends, and the language between */
};

/* "'worker' (tid 12, run_worker via spawn_pool)". malloc'ed; NULL: out of memory. */
char *wait_words_thread(const struct wait_words *words, uint32_t thread);

/* "mutex g_lock (recursive)", "read of descriptor 5 (socket:[12])". malloc'ed; NULL. */
char *wait_words_object(const struct wait_words *words, enum wait_kind kind, uint32_t object);

/* The object itself, whatever is wanted of it: "rwlock g_table". malloc'ed; NULL. */
char *wait_words_node(const struct wait_words *words, uint32_t object);

/* The same of a node, which may be of several threads: "join burst ×45". malloc'ed; NULL. */
char *wait_words_nodes(const struct wait_words *words, const struct wait_node *node);

/*
 * Who holds what is waited for: "held by 'main' (tid 7)", "held by 3 readers", "its owner is not
 * known", with what is doubtful or inferred about it; "" for kinds that have no holder. malloc'ed;
 * NULL: out of memory.
 */
char *wait_words_holder(const struct wait_words *words, const struct wait *wait, uint32_t owner);

/*
 * One call for each function of a chain: "lock_both (locks.c:31)", the innermost first. At most
 * WAIT_WORDS_FRAMES_MAX, and one that counts the rest. Unless they are to be whole, they begin with
 * the call of the C library that the program made, end with main or the start routine, and what is
 * C++'s or Rust's own is made short: chain_words.h. `is_program`: not such, nor that call.
 */
typedef enum status wait_words_put(void *context, const char *text, bool is_program);
MUST_CHECK enum status wait_words_chain(const struct wait_words *words, uint32_t chain,
                                        wait_words_put *put, void *context);

#endif
