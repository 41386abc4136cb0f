/* SPDX-License-Identifier: MIT */
/*
 * Finds which stack bytes changed since a thread's last sample, so that only these are written.
 *
 * Of the last sample's stack only a 64-bit hash per block of 128 bytes is kept, a sixteenth of its
 * size: docs/decisions/0002-stack-delta-by-hash.md. Blocks lie at multiples of 128, so that they
 * are the same when SP moves; the first and the last block of a region may be cut.
 *
 *     region        |-------------------------------------|
 *     blocks     |     |     |     |     |     |     |     |     |
 *     runs          [==]           [===========]                      what is written
 */
#ifndef CAPTURE_DELTA_H
#define CAPTURE_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/format.h"
#include "snapshot/writer.h"

#define DELTA_BLOCK 128u

/* Regions of the thread's last sample: hashes instead of bytes. */
struct delta_base {
    uint64_t *hashes; /* owned; of the blocks of all regions */
    size_t cap;
    unsigned region_count;
    struct delta_range {
        uint64_t start_addr, end_addr;
        size_t first; /* index of its first block's hash */
    } regions[SNAP_REGION_MAX];
};

/* Working memory, shared by all threads. */
struct delta {
    uint64_t *hashes; /* owned; of the sample being written */
    size_t cap, len;
    uint64_t seed[4];
};

/*
 * Sets a random seed, so that whoever writes a stack cannot make two blocks of equal hash. (The
 * clock's time is the seed where the kernel has no randomness yet.)
 */
void delta_init(struct delta *delta);
void delta_deinit(struct delta *delta);

void delta_base_deinit(struct delta_base *base);
/* Forgets the last sample: the next one is written whole. */
void delta_base_clear(struct delta_base *base);

/* Calls `visit` with each run of bytes that delta_put would write. NO_MEMORY: with none. */
typedef void delta_visit_fn(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status delta_runs(struct delta *delta, const struct delta_base *base,
                                  const struct snap_region *regions, unsigned count,
                                  delta_visit_fn *visit, void *context);

/*
 * Puts the regions of a SAMPLE record, with the runs that changed since `base`, into the record
 * that was begun in `writer`. Regions do not overlap and are at most SNAP_REGION_MAX. `base` stays
 * as it is. NO_MEMORY: nothing was put.
 */
MUST_CHECK enum status delta_put(struct delta *delta, const struct delta_base *base,
                                 const struct snap_region *regions, unsigned count,
                                 struct snap_writer *writer);

/*
 * Makes the sample of the last delta_put the base, when its record is written. No memory: clears
 * it.
 */
void delta_commit(const struct delta *delta, struct delta_base *base,
                  const struct snap_region *regions, unsigned count);

#endif
