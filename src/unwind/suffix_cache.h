/* SPDX-License-Identifier: MIT */
/*
 * The outer part of a thread's last chain, a suffix that the next one may share: at every so many
 * frames a mark, the registers there. Where a walk comes upon a mark (the same PC and registers,
 * and from there on the same bytes of stack), what lies further out is the same as before, and is
 * not unwound again.
 *
 *       last time                           now
 *       start                               │
 *       main            mark ◄───────────── main: the same registers, the stack from here on the
 *       a                                   a     same: start is cached
 *       b                                   c
 *
 * Cached are chains that are whole, of one address space as it was, without signal frames: of these
 * SP only grows outwards.
 */
#ifndef UNWIND_SUFFIX_CACHE_H
#define UNWIND_SUFFIX_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/chain.h"

struct chain_mark {
    struct regs regs; /* PC and SP among them */
    bool is_call;
    size_t at; /* frames further out; while the walk goes on: further in */
};

struct suffix_cache {
    uint64_t stamp; /* of the address space and of what is known of it; 0: nothing is cached */
    struct chain_mark *marks; /* outermost first */
    size_t count, cap;
    struct chain_mark *fresh; /* of the walk that goes on, innermost first */
    size_t fresh_count, fresh_cap;
};

/* A walk that looks for a suffix that it shares with the last one. */
struct suffix_match {
    struct suffix_cache *cache; /* NULL: nothing is cached */
    const struct arch *arch;
    size_t candidate; /* the mark that may come next is the one before this one */
    size_t mark_at;   /* make a mark when the chain has so many frames; SIZE_MAX: never */
    uint64_t sp;      /* from which on there may be a mark; UINT64_MAX: never */
    bool found;       /* at a mark: the rest is the shared suffix */
};

/*
 * Begins a walk that will change `chain`, in an address space of this stamp, over a stack that is
 * as it was from `unchanged_addr` on (see snap_sample).
 */
MUST_CHECK enum status suffix_match_begin(struct suffix_match *match, struct chain *chain,
                                          const struct arch *arch, uint64_t stamp,
                                          uint64_t unchanged_addr);

/* Nothing is to be asked at a frame of which this is not true. `count`: frames so far. */
static inline bool suffix_match_due(const struct suffix_match *match, size_t count, uint64_t sp)
{
    return count >= match->mark_at || sp >= match->sp;
}

/* At the last of `count` frames. True when it is a mark: the rest is the shared suffix. */
bool suffix_match_at(struct suffix_match *match, size_t count, const struct regs *regs,
                     bool is_call);

/* SP does not grow outwards any more: nothing is cached of this walk. */
void suffix_match_spoil(struct suffix_match *match);

/*
 * Ends the walk: its frames, all up to the mark where one was found, become the inner part of
 * `chain`, or all of it. `walked` gets memory to be used again.
 */
MUST_CHECK enum status suffix_match_end(struct suffix_match *match, struct chain *walked,
                                        struct chain *chain, uint64_t stamp);

void suffix_cache_destroy(struct suffix_cache *cache);

#endif
