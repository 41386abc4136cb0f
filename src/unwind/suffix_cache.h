/* SPDX-License-Identifier: MIT */
/*
 * Lets a thread's chain share its outer part (suffix) with the thread's chain before. Every 16
 * frames the cache has a mark: the registers there. Where a walk meets a mark (the same PC and
 * registers, and the same bytes of stack from there on), the frames further out are the same as
 * before and are not unwound again.
 *
 *       last time                           now
 *       start                               │
 *       main            mark ◄───────────── main: the same registers, the stack from here on the
 *       a                                   a     same: start is cached
 *       b                                   c
 *
 * Only whole chains without signal frames are cached, since in these SP only grows outwards; and
 * only as long as the address space does not change.
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
    struct regs regs; /* registers in the frame, with PC and SP */
    bool is_call;
    size_t at; /* number of frames further out than this; in `fresh`: further in */
};

struct suffix_cache {
    /* identifies the address space and the known code in it; 0: nothing is cached */
    uint64_t stamp;
    struct chain_mark *marks; /* marks in the chain before, outermost first; owned */
    size_t count, cap;
    struct chain_mark *fresh; /* marks of the current walk, innermost first; owned */
    size_t fresh_count, fresh_cap;
};

/* State of a walk that looks for a suffix which its chain shares with the chain before. */
struct suffix_match {
    struct suffix_cache *cache; /* the cache of the thread's chain; NULL: this walk uses none */
    const struct arch *arch;
    size_t candidate; /* marks[candidate - 1] is the next mark that may be met */
    size_t mark_at;   /* number of frames at which to make a mark; SIZE_MAX: never */
    uint64_t sp;      /* lowest SP at which a mark may be met; UINT64_MAX: no mark may be met */
    bool found;       /* the walk is at a mark: the frames further out are the shared suffix */
};

/*
 * Fills *match for a walk whose result goes to `chain`. `stamp`: as suffix_cache.stamp.
 * `unchanged_addr`: from this address on the stack is as in the thread's last sample (struct
 * snap_sample); 0: not known, so that nothing is cached. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status suffix_match_begin(struct suffix_match *match, struct chain *chain,
                                          const struct arch *arch, uint64_t stamp,
                                          uint64_t unchanged_addr);

/* Whether suffix_match_at must be called at the last of `count` frames, whose SP is `sp`. */
static inline bool suffix_match_due(const struct suffix_match *match, size_t count, uint64_t sp)
{
    return count >= match->mark_at || sp >= match->sp;
}

/*
 * Looks for a mark at the last of `count` frames, and makes one if it is time. True: the frame is
 * at a mark, and the frames further out are the shared suffix.
 */
bool suffix_match_at(struct suffix_match *match, size_t count, const struct regs *regs,
                     bool is_call);

/*
 * Gives up caching this walk, as SP does not grow outwards, or a frame depends on more than marks
 * have.
 */
void suffix_match_spoil(struct suffix_match *match);

/*
 * Ends the walk: moves its frames from `walked` to `chain`, in place of all frames there, or if a
 * mark was met of those inside of the mark. `walked` gets memory to use again. `stamp`: as for
 * suffix_match_begin. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status suffix_match_end(struct suffix_match *match, struct chain *walked,
                                        struct chain *chain, uint64_t stamp);

void suffix_cache_destroy(struct suffix_cache *cache);

#endif
