/* SPDX-License-Identifier: MIT */
/*
 * Unwinders that are measured on one recording: ours, libdw's, libunwind's.
 *
 * Each keeps between samples whatever it likes, as a program that unwinds many samples would let
 * it: a fresh one is cold, one that has unwound all samples is warm. x86-64 only.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#include "recording.h"

#define PEER_DEPTH_MAX 65536

struct peer_chain { /* the PCs of one chain, innermost first */
    uint64_t *pcs;  /* room for PEER_DEPTH_MAX; NULL: only count */
    size_t count;
};

/* What is known of a sample's stack beforehand: which part is as in the thread's sample before. */
enum peer_mode {
    PEER_AS_READ,  /* what the file's reader says */
    PEER_COMPARED, /* it is found out now, by comparing the stacks */
    PEER_APART,    /* nothing */
};

struct peer {
    const char *name;
    void *(*create)(const struct recording *recording);
    void (*destroy)(void *self);
    /* Unwinds one sample. The mode is for ours; the others know nothing of samples before. */
    void (*unwind)(void *self, const struct recorded *recorded, enum peer_mode mode,
                   struct peer_chain *chain);
};

extern const struct peer peer_ours, peer_libdw, peer_libunwind;

/* The word at `addr` of the sample's stack; false when it was not captured. */
static inline bool sample_word(const struct snap_sample *sample, uint64_t addr, uint64_t *word)
{
    for (uint32_t i = 0; i < sample->region_count; i++) {
        const struct snap_region *region = &sample->regions[i];

        if (addr < region->start_addr || addr >= region->end_addr ||
            region->end_addr - addr < sizeof(*word))
            continue;
        __builtin_memcpy(word, region->bytes + (addr - region->start_addr), sizeof(*word));
        return true;
    }
    return false;
}

#endif
