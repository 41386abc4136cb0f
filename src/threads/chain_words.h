/* SPDX-License-Identifier: MIT */
/*
 * The functions of a chain as they are told to people: all of them, or the program's own with what
 * C++ and Rust put around them made short.
 *
 *     pthread_cond_wait                              pthread_cond_wait
 *     void std::condition_variable::wait<..>(..)     std::condition_variable::wait
 *     serve_orders                                   serve_orders
 *     void std::__invoke_impl<..>(..)                …
 *     std::thread::_State_impl<..>::_M_run()
 *     libstdc++.so.6+0xd4490
 *
 * A run of the language's functions, with what the C library does between two of them, or between
 * one and a function of the program that it calls, is one word: where the program called them, the
 * outermost name that is no internal one, which is the one its source has; where the chain has no
 * function of the program, as it was inlined, the innermost such name, since the outermost one is
 * what begins threads; else, as where a thread begins, "…". It does not go beyond a function that
 * a signal, or the kernel, interrupted.
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
    const struct place *place; /* NULL: a run of the language's functions */
    char *name;                /* of such a run, else NULL; owned; cleaned */
    uint32_t count;            /* functions it stands for */
    bool is_interrupted;       /* what is inside of it it has not called: a signal's handler */
};

struct chain_words {
    const struct profile *profile; /* borrowed, resolved */
    struct chain_word *list;       /* owned; innermost first */
    size_t count, cap;
};

/*
 * Adds the functions of a frame, the innermost `skip` of which (fewer than it has) are left out.
 * Frames come innermost first. To be begun with a zeroed structure that has a profile.
 */
MUST_CHECK enum status chain_words_add(struct chain_words *words, uint32_t frame, uint32_t skip);

/* Makes runs of the language's functions one word each. To be called once, when all is added. */
MUST_CHECK enum status chain_words_shorten(struct chain_words *words);

void chain_words_deinit(struct chain_words *words);

#endif
