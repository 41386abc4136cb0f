/* SPDX-License-Identifier: MIT */
/*
 * Lists the functions of a chain for people to read: all of them, or shortened, so that a run of
 * C++'s or Rust's own functions is one word.
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
    const struct place *place; /* its function and line; borrowed; NULL: the word is a run */
    char *name;          /* text of a run, without control characters; owned; NULL: not a run */
    uint32_t count;      /* number of functions that the word stands for */
    bool is_interrupted; /* it did not call the word before, but was interrupted, as by a signal */
};

struct chain_words {
    const struct profile *profile; /* the profile whose frames are added, resolved; borrowed */
    struct chain_word *list;       /* the words, innermost function first; owned */
    size_t count, cap;
};

/*
 * Adds a word for each function of a frame of the profile, without the `skip` innermost ones (skip:
 * less than the frame has functions). Add frames innermost first, to a structure that is zeroed but
 * for `profile`. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status chain_words_add(struct chain_words *words, uint32_t frame, uint32_t skip);

/*
 * Replaces each run by one word. Call once, after all frames are added. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status chain_words_shorten(struct chain_words *words);

void chain_words_deinit(struct chain_words *words);

#endif
