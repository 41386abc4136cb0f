/* SPDX-License-Identifier: MIT */
/*
 * Finds in a thread's chains where the thread began, and in the chain that made it the site in the
 * program; for all chains of a profile in one pass over the nodes of its trie. Outermost frames of
 * a thread's chain, innermost frames of a creation chain:
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

struct chain_end { /* for the chain from the root of the profile's trie to a node */
    uint64_t hash; /* of its frames outside the C and thread libraries; 0: it has none */
    /* Frames of the profile, or CHAIN_ENDS_NONE: */
    uint32_t start; /* the start routine's */
    uint32_t named; /* the outermost one of the program itself, from start inwards */
    uint32_t site;  /* the innermost one of the program itself */
    bool inferred;  /* start was found by the shape of the chain, without names */
    uint8_t phase;  /* private */
};

struct chain_ends {
    struct chain_end *list; /* owned; by node of the trie */
};

/*
 * Fills `out` for a resolved profile. Call chain_ends_deinit whatever the status, which is
 * NO_MEMORY if it fails.
 */
MUST_CHECK enum status chain_ends_create(const struct history *history,
                                         const struct profile *profile, struct chain_ends *out);
void chain_ends_deinit(struct chain_ends *ends);

/* Returns the frame's function of the symbol table, not what is inlined into it; borrowed. */
const struct function *chain_ends_function(const struct profile *profile, uint32_t frame);

/* Returns the number of that function in the profile's names. */
uint32_t chain_ends_function_id(const struct profile *profile, uint32_t frame);

/* Whether the place is in C++'s or Rust's own code. */
bool chain_ends_is_language(const struct profile *profile, const struct place *place);

/* Returns a frame's outermost place that is in no language's own code; borrowed; NULL: none. */
const struct place *chain_ends_place(const struct profile *profile, uint32_t frame);

/* Returns the name of chain_ends_place's function, else of chain_ends_function; borrowed. */
const char *chain_ends_name(const struct profile *profile, uint32_t frame);

/* Whether a chain with this stop reason reaches the frame in which its thread began. */
bool chain_ends_is_complete(enum stop_reason stop);

/*
 * Returns `before` hashed with an address (_vaddr) of a module: by build-id, else base name. Equal
 * wherever the module is loaded, with or without symbols. For code made at run time, and without a
 * module, the address does not count.
 */
uint64_t chain_ends_hash(uint64_t before, const struct module *module, uint64_t addr);

#endif
