/* SPDX-License-Identifier: MIT */
#include "capture/delta.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/vec.h"

/* xxHash64's constants and rounds, four independent lanes. */
#define PRIME_1 UINT64_C(0x9e3779b185ebca87)
#define PRIME_2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define PRIME_3 UINT64_C(0x165667b19e3779f9)

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t step(uint64_t lane, const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t finish(const uint64_t lane[4])
{
    uint64_t hash =
        rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);

    for (unsigned i = 0; i < 4; i++)
        hash = (hash ^ rotate(lane[i] * PRIME_2, 31) * PRIME_1) * PRIME_1 + PRIME_3;
    hash ^= hash >> 33;
    hash *= PRIME_2;
    hash ^= hash >> 29;
    hash *= PRIME_3;
    return hash ^ hash >> 32;
}

static uint64_t hash_block(const uint64_t seed[4], const uint8_t *bytes)
{
    uint64_t lane[4] = {seed[0], seed[1], seed[2], seed[3]};

    for (unsigned i = 0; i < DELTA_BLOCK; i += 32)
        for (unsigned k = 0; k < 4; k++)
            lane[k] = step(lane[k], bytes + i + k * 8);
    return finish(lane);
}

/* Hashes a cut block at a region's end: padded with zeroes and its length. */
static uint64_t hash_part(const uint64_t seed[4], const uint8_t *bytes, size_t size)
{
    uint8_t block[DELTA_BLOCK] = {0};

    memcpy(block, bytes, size);
    block[DELTA_BLOCK - 1] = (uint8_t)size;
    return hash_block(seed, block);
}

void delta_init(struct delta *delta)
{
    *delta = (struct delta){0};
    /* Early at boot there may be no randomness yet: the clock is better than waiting for it. */
    if (getrandom(delta->seed, sizeof(delta->seed), GRND_NONBLOCK) != sizeof(delta->seed)) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        for (unsigned i = 0; i < 4; i++)
            delta->seed[i] = ((uint64_t)now.tv_nsec + i) * PRIME_1;
    }
}

void delta_deinit(struct delta *delta)
{
    free(delta->hashes);
    *delta = (struct delta){0};
}

void delta_base_clear(struct delta_base *base)
{
    base->region_count = 0;
}

void delta_base_deinit(struct delta_base *base)
{
    free(base->hashes);
    *base = (struct delta_base){0};
}

static uint64_t block_of(uint64_t addr)
{
    return addr & ~(uint64_t)(DELTA_BLOCK - 1);
}

static size_t block_count(uint64_t start, uint64_t end)
{
    return end > start ? (size_t)((block_of(end - 1) - block_of(start)) / DELTA_BLOCK) + 1 : 0;
}

/* The part of the block at `block` that lies in [start, end). */
static void clip(uint64_t block, uint64_t start, uint64_t end, uint64_t *from, uint64_t *to)
{
    *from = block > start ? block : start;
    *to = end - block < DELTA_BLOCK ? end : block + DELTA_BLOCK;
}

static enum status hash_regions(struct delta *delta, const struct snap_region *regions,
                                unsigned count)
{
    size_t total = 0;

    for (unsigned i = 0; i < count; i++)
        total += block_count(regions[i].start_addr, regions[i].end_addr);
    if (vec_reserve(&delta->hashes, &delta->cap, total, sizeof(*delta->hashes)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    delta->len = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct snap_region *r = &regions[i];
        uint64_t from, to;
        for (uint64_t block = block_of(r->start_addr); block < r->end_addr; block = to) {
            const uint8_t *bytes;
            clip(block, r->start_addr, r->end_addr, &from, &to);
            bytes = r->bytes + (from - r->start_addr);
            delta->hashes[delta->len++] = to - from == DELTA_BLOCK
                                              ? hash_block(delta->seed, bytes)
                                              : hash_part(delta->seed, bytes, (size_t)(to - from));
        }
    }
    return STATUS_OK;
}

/*
 * Was the part [from, to) of a block the same in the last sample? True only if just this part was
 * captured then: a cut block that is whole now is written again.
 */
static bool unchanged(const struct delta_base *base, uint64_t block, uint64_t from, uint64_t to,
                      uint64_t hash)
{
    for (unsigned i = 0; i < base->region_count; i++) {
        const struct delta_range *r = &base->regions[i];
        uint64_t old_from, old_to;
        if (block < block_of(r->start_addr) || block >= r->end_addr)
            continue;
        clip(block, r->start_addr, r->end_addr, &old_from, &old_to);
        if (old_from == from && old_to == to)
            return base->hashes[r->first + (block - block_of(r->start_addr)) / DELTA_BLOCK] == hash;
    }
    return false;
}

/* Calls `visit` (or NULL) with the region's changed runs, by its `hashes`; returns their count. */
static uint32_t walk_runs(const struct delta_base *base, const struct snap_region *r,
                          const uint64_t *hashes, delta_visit_fn *visit, void *context)
{
    uint32_t runs = 0;
    uint64_t run = 0; /* begin of the run */
    bool in_run = false;
    uint64_t from, to;

    for (uint64_t block = block_of(r->start_addr); block < r->end_addr; block = to) {
        bool same;
        clip(block, r->start_addr, r->end_addr, &from, &to);
        same = unchanged(base, block, from, to, *hashes++);
        if (!same && !in_run) {
            run = from;
            in_run = true;
            runs++;
        }
        if (in_run && (same || to == r->end_addr)) {
            uint64_t run_end = same ? from : to;
            if (visit)
                visit(context, r->bytes + (run - r->start_addr), (size_t)(run_end - run));
            in_run = false;
        }
    }
    return runs;
}

enum status delta_runs(struct delta *delta, const struct delta_base *base,
                       const struct snap_region *regions, unsigned count, delta_visit_fn *visit,
                       void *context)
{
    const uint64_t *hashes;

    if (hash_regions(delta, regions, count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    hashes = delta->hashes;
    for (unsigned i = 0; i < count; i++) {
        walk_runs(base, &regions[i], hashes, visit, context);
        hashes += block_count(regions[i].start_addr, regions[i].end_addr);
    }
    return STATUS_OK;
}

struct run_writer {
    struct snap_writer *writer;
    const uint8_t *region_bytes;
};

static void put_run(void *context, const uint8_t *bytes, size_t size)
{
    const struct run_writer *to = context;

    snap_writer_u32(to->writer, (uint32_t)(bytes - to->region_bytes));
    snap_writer_bytes(to->writer, bytes, size);
}

enum status delta_put(struct delta *delta, const struct delta_base *base,
                      const struct snap_region *regions, unsigned count, struct snap_writer *writer)
{
    const uint64_t *hashes;

    if (hash_regions(delta, regions, count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    hashes = delta->hashes;
    snap_writer_u8(writer, (uint8_t)count);
    for (unsigned i = 0; i < count; i++) {
        const struct snap_region *r = &regions[i];
        struct run_writer to = {.writer = writer, .region_bytes = r->bytes};
        snap_writer_u64(writer, r->start_addr);
        snap_writer_u64(writer, r->end_addr);
        snap_writer_u64(writer, r->map_end_addr);
        snap_writer_u32(writer, walk_runs(base, r, hashes, NULL, NULL));
        walk_runs(base, r, hashes, put_run, &to);
        hashes += block_count(r->start_addr, r->end_addr);
    }
    return STATUS_OK;
}

/* Makes room for `want` hashes and little more, as each thread has such an array. */
static bool base_reserve(struct delta_base *base, size_t want)
{
    size_t cap = (want + want / 8 + 15) & ~(size_t)15;
    uint64_t *hashes;

    if (want <= base->cap && base->cap / 8 <= want + 64)
        return true;
    hashes = realloc(base->hashes, cap * sizeof(*hashes));
    if (!hashes)
        return false;
    base->hashes = hashes;
    base->cap = cap;
    return true;
}

void delta_commit(const struct delta *delta, struct delta_base *base,
                  const struct snap_region *regions, unsigned count)
{
    size_t first = 0;

    base->region_count = 0;
    if (!base_reserve(base, delta->len))
        return;
    if (delta->len)
        memcpy(base->hashes, delta->hashes, delta->len * sizeof(*delta->hashes));
    for (unsigned i = 0; i < count; i++) {
        base->regions[i] = (struct delta_range){regions[i].start_addr, regions[i].end_addr, first};
        first += block_count(regions[i].start_addr, regions[i].end_addr);
    }
    base->region_count = count;
}
