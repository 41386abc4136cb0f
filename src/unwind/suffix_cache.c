/* SPDX-License-Identifier: MIT */
#include "unwind/suffix_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define MARK_EVERY 16 /* frames */

void suffix_cache_destroy(struct suffix_cache *cache)
{
    if (!cache)
        return;
    free(cache->marks);
    free(cache->fresh);
    free(cache);
}

static uint64_t sp_of(const struct suffix_match *match, size_t mark)
{
    return match->cache->marks[mark].regs.value[match->arch->sp];
}

/* Makes the next mark that may be met one at `sp` or further out. */
static void pass(struct suffix_match *match, uint64_t sp)
{
    while (match->candidate > 0 && sp_of(match, match->candidate - 1) < sp)
        match->candidate--;
    match->sp = match->candidate > 0 ? sp_of(match, match->candidate - 1) : UINT64_MAX;
}

enum status suffix_match_begin(struct suffix_match *match, struct chain *chain,
                               const struct arch *arch, uint64_t stamp, uint64_t unchanged_addr)
{
    *match = (struct suffix_match){.arch = arch, .mark_at = SIZE_MAX, .sp = UINT64_MAX};
    if (unchanged_addr == 0) {
        if (chain->suffix)
            chain->suffix->stamp = 0;
        return STATUS_OK;
    }
    if (!chain->suffix && !(chain->suffix = calloc(1, sizeof(*chain->suffix))))
        return STATUS_NO_MEMORY;
    match->cache = chain->suffix;
    match->cache->fresh_count = 0;
    match->mark_at = MARK_EVERY;
    if (chain->suffix->stamp != stamp || unchanged_addr > UINT64_MAX - arch->red_zone)
        return STATUS_OK;
    match->candidate = chain->suffix->count;
    pass(match, unchanged_addr + arch->red_zone); /* a frame may use as much below SP */
    return STATUS_OK;
}

static bool same_regs(const struct regs *a, const struct regs *b)
{
    if (a->known != b->known)
        return false;
    for (uint64_t left = a->known; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);

        if (a->value[reg] != b->value[reg])
            return false;
    }
    return true;
}

bool suffix_match_at(struct suffix_match *match, size_t count, const struct regs *regs,
                     bool is_call)
{
    struct suffix_cache *cache = match->cache;
    uint64_t sp = regs->value[match->arch->sp];

    pass(match, sp);
    if (match->sp == sp && cache->marks[match->candidate - 1].is_call == is_call &&
        count + cache->marks[match->candidate - 1].at <= CHAIN_DEPTH_MAX &&
        same_regs(&cache->marks[match->candidate - 1].regs, regs))
        return match->found = true;
    if (count < match->mark_at)
        return false;
    match->mark_at = count + MARK_EVERY;
    if (vec_reserve(&cache->fresh, &cache->fresh_cap, cache->fresh_count + 1,
                    sizeof(*cache->fresh)) == STATUS_OK) /* else one mark is missing */
        cache->fresh[cache->fresh_count++] =
            (struct chain_mark){.regs = *regs, .is_call = is_call, .at = count - 1};
    return false;
}

void suffix_match_spoil(struct suffix_match *match)
{
    if (match->cache)
        match->cache->stamp = 0;
    *match = (struct suffix_match){.arch = match->arch, .mark_at = SIZE_MAX, .sp = UINT64_MAX};
}

/* Makes room for `count` frames before the `outer` outermost ones, which stay. */
static enum status make_room(struct chain *chain, size_t outer, size_t count)
{
    struct frame *tail = chain->frames + (chain->count - outer);
    size_t cap = (outer + count) * 2;
    struct frame *frames;

    if (chain->room + chain->count - outer >= count)
        return STATUS_OK;
    frames = malloc(cap * sizeof(*frames));
    if (!frames)
        return STATUS_NO_MEMORY;
    memcpy(frames + cap - outer, tail, outer * sizeof(*frames));
    free(chain->frames - chain->room);
    chain->frames = frames + cap - outer;
    chain->count = outer;
    chain->room = cap - outer;
    chain->cap = cap;
    return STATUS_OK;
}

static enum status prepend(struct chain *chain, size_t outer, const struct chain *walked)
{
    enum status status = make_room(chain, outer, walked->count);
    size_t gone = chain->count - outer;

    if (status != STATUS_OK)
        return status;
    chain->frames += (ptrdiff_t)gone - (ptrdiff_t)walked->count;
    chain->room += gone - walked->count;
    chain->count = outer + walked->count;
    chain->cached = outer;
    memcpy(chain->frames, walked->frames, walked->count * sizeof(*walked->frames));
    return STATUS_OK;
}

static void swap(struct chain *chain, struct chain *walked)
{
    struct frame *frames = chain->frames ? chain->frames - chain->room : NULL;
    struct frame_regs *regs = chain->regs;
    size_t cap = chain->cap, regs_cap = chain->regs_cap;

    chain->frames = walked->frames;
    chain->count = walked->count;
    chain->cap = walked->cap;
    chain->stop = walked->stop;
    chain->outermost_sp = walked->outermost_sp;
    chain->regs = walked->regs;
    chain->regs_cap = walked->regs_cap;
    chain->room = chain->cached = 0;
    walked->frames = frames;
    walked->cap = cap;
    walked->regs = regs;
    walked->regs_cap = regs_cap;
}

/* Makes the marks that stay and the fresh ones the cache's, counted from the thread's start. */
static enum status cache_marks(struct suffix_match *match, const struct chain *chain)
{
    struct suffix_cache *cache = match->cache;
    enum status status;

    cache->count = match->found ? match->candidate : 0;
    status = vec_reserve(&cache->marks, &cache->cap, cache->count + cache->fresh_count,
                         sizeof(*cache->marks));
    if (status != STATUS_OK)
        return status;
    for (size_t i = cache->fresh_count; i-- > 0;) {
        struct chain_mark *mark = &cache->marks[cache->count++];

        *mark = cache->fresh[i];
        mark->at = chain->count - 1 - mark->at;
    }
    return STATUS_OK;
}

enum status suffix_match_end(struct suffix_match *match, struct chain *walked, struct chain *chain,
                             uint64_t stamp)
{
    enum status status = STATUS_OK;

    if (match->found)
        status = prepend(chain, match->cache->marks[match->candidate - 1].at, walked);
    else
        swap(chain, walked);
    walked->count = 0;
    if (status != STATUS_OK || !match->cache)
        return status;
    /* A chain that is not whole may go further with another mapping or more memory. */
    match->cache->stamp =
        stop_is_start(chain->stop) || chain->stop == STOP_UNDEFINED_RA ? stamp : 0;
    return cache_marks(match, chain);
}
