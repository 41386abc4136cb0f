/* SPDX-License-Identifier: MIT */
/*
 * Groups threads by identity, so that runs can be compared and a pool of workers is one thing:
 *
 * identity of is the hash of a thread its creation chain and its start routine a first thread the
 * chain of its fork, else the program's file not seen made the start routine, else the thread's
 * name a board's CPU its name
 *
 * A chain counts by its frames outside the C library and libraries that start threads, each by
 * module (build-id, else base name) and address in the file; a start routine by where it begins. So
 * a hash is the same in each run of one binary, with and without symbols, wherever the threads are
 * sampled. Who created the creator does not count.
 *
 * The start routine is the function that most samples with a complete chain begin with, after the C
 * library's and other libraries' trampolines. A thread without such a sample gets the start routine
 * of the other threads with its creation chain, if these have only one. Where a start routine
 * serves many functions (runtime_is_shared_start) the function of the program that it calls counts,
 * too; names alone tell that: without symbols such threads are one identity.
 */
#ifndef THREADS_IDENTITY_H
#define THREADS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"

#define IDENTITY_NONE UINT32_MAX

struct identity {
    char hash[9]; /* eight hexadecimal digits */
    char *name;   /* owned; "worker_main via spawn_pool"; distinct; no control characters */
    /*
     * Owned; the threads' names, or what these begin with, then the identity's name: "'render*'
     * worker_main", "'checkpointer', 'bgwriter', … start"; of first threads the processes' titles:
     * "'nginx: *' main". NULL: the threads have no names, or names that say no more than the
     * identity's.
     */
    char *label;
    bool is_main;        /* the threads of this identity are the first threads of processes */
    bool creation_known; /* the creation was seen, in a chain with frames of the program */
    /* chain in the profile that created its first thread; IDENTITY_NONE: none */
    uint32_t creation_chain;
    uint32_t site_frame;  /* the program's innermost frame in creation_chain; IDENTITY_NONE */
    uint32_t start_frame; /* a frame of the profile in the start routine; IDENTITY_NONE */
    /*
     * Frame of the profile in the program's outermost function, which C++'s and Rust's own
     * functions may have called; IDENTITY_NONE: not known, or named_differ.
     */
    uint32_t named_frame;
    bool named_differ;   /* its threads differ in the function of named_frame */
    bool start_inferred; /* the start routine was found by the chain's shape, without names */
    uint32_t thread_count;
    uint32_t first_thread; /* index in the history of the thread of it found first */
};

struct identities {
    struct identity *list; /* owned; in the order in which their first threads were found */
    size_t count;
    uint32_t *of_thread; /* owned; by thread of the history: index in list */
    /*
     * for each thread of the history its own label; NULL: the label of its identity serves; owned
     */
    char **thread_labels;
    size_t thread_count;
};

/*
 * Returns the identity's label, if NULL its name; distinct among identities; owned by the identity.
 */
const char *identity_label(const struct identity *identity);

/*
 * Returns the thread's own label, "'checkpointer' start", if it has none identity_label of its
 * identity. Owned by `identities`.
 */
const char *identity_thread_label(const struct identities *identities, uint32_t thread);

/*
 * Finds the identities of a history's threads; *out is the caller's. `profile` is resolved. Fails
 * only with NO_MEMORY.
 */
MUST_CHECK enum status identities_create(const struct history *history,
                                         const struct profile *profile, struct identities **out);
void identities_destroy(struct identities *identities);

/*
 * Labels the profile's threads with identity_thread_label. `profile` is resolved. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status identities_label_threads(const struct history *history,
                                                struct profile *profile);

#endif
