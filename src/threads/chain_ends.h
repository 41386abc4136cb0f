/* SPDX-License-Identifier: MIT */
/*
 * What the ends of chains say of threads: of a thread's own chains where it began, of the chain by
 * which it was made from where. Found for all chains of a profile in one pass over their frames,
 * however deep they are.
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

struct chain_end { /* of a node of the profile's trie, of the chain that ends there */
    uint64_t hash; /* of its frames outside the C library */
    /* Frames of the profile, or CHAIN_ENDS_NONE: */
    uint32_t start; /* in the start routine */
    uint32_t named; /* in the first function of the program itself from there on */
    uint32_t site;  /* the innermost one of the program itself */
    bool inferred;  /* start was found by the shape of the chain */
    uint8_t phase;  /* private */
};

struct chain_ends {
    struct chain_end *list; /* owned; by node of the trie */
};

/* `profile` is resolved. */
MUST_CHECK enum status chain_ends_create(const struct history *history,
                                         const struct profile *profile, struct chain_ends *out);
void chain_ends_deinit(struct chain_ends *ends);

/* The function of a frame that is really there, whatever is inlined into it. */
const struct function *chain_ends_function(const struct profile *profile, uint32_t frame);

/* ... and its number in the profile's names. */
uint32_t chain_ends_function_id(const struct profile *profile, uint32_t frame);

/* Is it C++'s or Rust's own? */
bool chain_ends_is_language(const struct profile *profile, const struct place *place);

/* The outermost place of a frame that is of the program itself, not of a language; or NULL. */
const struct place *chain_ends_place(const struct profile *profile, uint32_t frame);

/* The name of what is there, or of the function of the frame. */
const char *chain_ends_name(const struct profile *profile, uint32_t frame);

/* Does a chain that stopped so reach to where its thread began? */
bool chain_ends_is_complete(enum stop_reason stop);

/*
 * A hash of where something is in a module, the same wherever that was loaded, and with or without
 * symbols.
 */
uint64_t chain_ends_hash(uint64_t before, const struct module *module, uint64_t addr);

#endif
