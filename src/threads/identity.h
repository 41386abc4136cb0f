/* SPDX-License-Identifier: MIT */
/*
 * Who a thread is, so that runs can be compared and a pool of workers is one thing: the chain of
 * calls by which it was made, and its start routine.
 *
 * What makes the hash: of the creation chain the frames outside the C library, each by its module
 * (build-id, else base name) and its address in the file, and where the start routine begins. So it
 * is the same in each run of one binary, with and without symbols, wherever the threads were when
 * they were sampled, whatever the C library does between pthread_create and clone. Who made the
 * maker does not count. Where the creation was not seen the start routine alone stands in, which
 * makes another identity.
 *
 * Where the start routine is one for many functions (runtime_is_shared_start) the one of the
 * program that it calls counts, too. Names alone tell it: without symbols these are one identity.
 *
 * The start routine is what most complete chains of the thread begin with, but for the C library's
 * own and the C++ library's frames. A thread of which no sample tells it is taken for one of those
 * that were made by the same chain, where these have one start routine.
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
    char *name;   /* owned; "worker_main", "worker_main via spawn_pool"; distinct; cleaned */
    /* Owned; what the threads are called, or begin with, before the name: "'render*' worker_main",
     * "'checkpointer', 'bgwriter', … start"; processes by their titles: "'nginx: *' main". NULL:
     * they have no names of their own, or ones that say no more. */
    char *label;
    bool is_main; /* the first thread of a process */
    /* The creation was seen; else of is_main its program, of others what else is known counts. */
    bool creation_known;
    uint32_t creation_chain; /* in the profile, its first thread's; IDENTITY_NONE: not seen */
    uint32_t site_frame;     /* in the profile: the caller of pthread_create; IDENTITY_NONE */
    uint32_t start_frame;    /* in the profile, a call in the start routine; IDENTITY_NONE */
    /* The same behind what C++ and Rust put before what the program means; or IDENTITY_NONE. */
    uint32_t named_frame;
    bool named_differ; /* that of its threads is not one: named_frame is none */
    /*
     * What is taken for the start routine was found by the shape of the chain: nothing has names.
     */
    bool start_inferred;
    uint32_t thread_count;
    uint32_t first_thread; /* in the history */
};

struct identities {
    struct identity *list; /* owned; in the order in which their first threads were found */
    size_t count;
    uint32_t *of_thread; /* owned; index into list, by thread of the history */
    /* Owned; by thread: its label, where those of one identity are called differently; or NULL. */
    char **thread_labels;
    size_t thread_count;
};

/* How people know it best: the label, else the name. Distinct, too. */
const char *identity_label(const struct identity *identity);

/* The same of one thread: "'checkpointer' start". */
const char *identity_thread_label(const struct identities *identities, uint32_t thread);

/* `profile` is resolved. Fails only for memory. */
MUST_CHECK enum status identities_create(const struct history *history,
                                         const struct profile *profile, struct identities **out);
void identities_destroy(struct identities *identities);

/* Gives the profile's threads their labels. `profile` is resolved. */
MUST_CHECK enum status identities_label_threads(const struct history *history,
                                                struct profile *profile);

#endif
