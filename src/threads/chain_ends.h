/* SPDX-License-Identifier: MIT */
/*
 * Finds in a thread's chains the start routine, and in the chain that created a thread the site:
 * the program's frame that did so. One pass over the nodes of a profile's trie finds both for all
 * its chains. Outermost frames of a thread's chain, innermost frames of a creation chain:
 *
 *     clone3        C library            clone3         C library
 *     start_thread  C library            pthread_create C library
 *     worker        start routine        spawn_pool     site
 *     ...                                main
 */
#ifndef THREADS_CHAIN_ENDS_H
#define THREADS_CHAIN_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"

#define CHAIN_ENDS_NONE UINT32_MAX

struct chain_end { /* facts about the chain from the root of the profile's trie to a node */
    /* hash of its frames outside the C and thread libraries; 0: it has no such frames */
    uint64_t hash;
    /* The next three are frames of the profile; CHAIN_ENDS_NONE: there is none. */
    uint32_t start; /* the frame of the thread's start routine */
    uint32_t named; /* the program's own outermost frame, from `start` inwards */
    uint32_t site;  /* the innermost frame of the program's own functions */
    bool inferred;  /* `start` was found by the shape of the chain, without names */
    uint8_t phase;  /* private: how far the chain to the node has got in its start-up code */
};

struct chain_ends {
    struct chain_end *list; /* owned; indexed by node of the profile's trie */
};

/*
 * Fills *out for a resolved profile. Fails with NO_MEMORY only; call chain_ends_deinit then, too.
 */
MUST_CHECK enum status chain_ends_create(const struct history *history,
                                         const struct profile *profile, struct chain_ends *out);
void chain_ends_deinit(struct chain_ends *ends);

/*
 * Returns the function that a frame is in, not one inlined into it; owned by the profile's names.
 */
const struct function *chain_ends_function(const struct profile *profile, uint32_t frame);

/* Returns the number of chain_ends_function in the profile's names. */
uint32_t chain_ends_function_id(const struct profile *profile, uint32_t frame);

/* Whether the place's function belongs to C++'s or Rust's own library code. */
bool chain_ends_is_language(const struct profile *profile, const struct place *place);

/*
 * Returns a frame's outermost place (inlined functions are places, too) that is not in C++'s or
 * Rust's own code; owned by the profile; NULL: none.
 */
const struct place *chain_ends_place(const struct profile *profile, uint32_t frame);

/*
 * Returns the name of the frame's function: of that of chain_ends_place, or, if that returns NULL,
 * of chain_ends_function; owned by the profile's names.
 */
const char *chain_ends_name(const struct profile *profile, uint32_t frame);

/* Whether a chain with this stop reason reaches the frame in which its thread began. */
bool chain_ends_is_complete(enum stop_reason stop);

/*
 * Returns the hash `before` continued with a module (by its build-id, else its base name) and
 * `addr`, an address in the module's file. Equal wherever the module is loaded, with or without
 * symbols. For code made at run time, and with `module` NULL, the address does not count.
 */
uint64_t chain_ends_hash(uint64_t before, const struct module *module, uint64_t addr);

#endif
