/* SPDX-License-Identifier: MIT */
/*
 * The functions of a chain for people to read: all of them, or shortened, so that a run of C++'s or
 * Rust's own functions is one word.
 *
 *     pthread_cond_wait                              pthread_cond_wait
 *     void std::condition_variable::wait<..>(..)     std::condition_variable::wait
 *     serve_orders                                   serve_orders
 *     void std::__invoke_impl<..>(..)                …
 *     std::thread::_State_impl<..>::_M_run()
 *     libstdc++.so.6+0xd4490
 *
 * A run may have the C library's functions between the language's, or between the program's
 * function that is called and the run. It ends at a function that a signal or the kernel
 * interrupted. Its word is:
 *
 *     run is called by the program           its outermost public name, which the source has
 *     chain has no function of the program   its innermost one; the outermost begins threads
 *     else (a thread begins), or no name     "…"
 *
 * A public name is what language_public_name makes.
 */
#ifndef THREADS_CHAIN_WORDS_H
#define THREADS_CHAIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

enum chain_owner { CHAIN_PROGRAM, CHAIN_LANGUAGE, CHAIN_C_LIBRARY };

struct chain_word {
    enum chain_owner owner;
    const struct place *place; /* borrowed; NULL: a run of the language's functions */
    char *name;                /* of such a run, else NULL; owned; cleaned */
    uint32_t count;            /* functions it stands for */
    bool is_interrupted;       /* it did not call the word before, a signal's handler */
};

struct chain_words {
    const struct profile *profile; /* borrowed, resolved */
    struct chain_word *list;       /* owned; innermost first */
    size_t count, cap;
};

/*
 * Adds a word for each function of a frame but the innermost `skip`, which are fewer than it has.
 * Add frames innermost first, to a zeroed structure with `profile` set. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status chain_words_add(struct chain_words *words, uint32_t frame, uint32_t skip);

/* Makes each run one word. Call it once, after all frames are added. Fails only with NO_MEMORY. */
MUST_CHECK enum status chain_words_shorten(struct chain_words *words);

void chain_words_deinit(struct chain_words *words);

#endif
