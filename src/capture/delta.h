/* SPDX-License-Identifier: MIT */
/*
 * Finds which stack bytes changed since a thread's last sample, so that only these are written.
 *
 * Only a 64-bit hash of each block of 128 bytes of the last sample's stack is kept, a sixteenth of
 * its size: docs/decisions/0002-stack-delta-by-hash.md. Blocks lie at multiples of 128, so that
 * they are the same when SP moves; the first and the last block of a region may be cut.
 *
 *     region        |-------------------------------------|
 *     blocks     |     |     |     |     |     |     |     |     |
 *     runs          [==]           [===========]                      are written
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

/* The stack regions of a thread's last sample, by hashes of their blocks. */
struct delta_base {
    uint64_t *hashes; /* owned; one for each block, region after region */
    size_t cap;       /* capacity of `hashes` */
    unsigned region_count;
    struct delta_range {
        uint64_t start_addr, end_addr;
        size_t first; /* index in `hashes` of the region's first block */
    } regions[SNAP_REGION_MAX];
};

/* Working memory, one for all threads. */
struct delta {
    uint64_t *hashes; /* owned; of the blocks of the sample being written */
    size_t cap, len;  /* capacity and length of `hashes` */
    uint64_t seed[4]; /* seed of the hash function */
};

/*
 * Initialises *delta with a random seed, so that the target cannot prepare two blocks of equal
 * hash. (The seed comes from the clock where the kernel has no randomness yet.)
 */
void delta_init(struct delta *delta);
void delta_deinit(struct delta *delta);

void delta_base_deinit(struct delta_base *base);
/* Forgets the thread's last sample: the next sample is written whole. */
void delta_base_clear(struct delta_base *base);

/*
 * delta_runs calls visit(context, ...) for each run of bytes of `count` regions that delta_put
 * would write. NO_MEMORY: no call was made.
 */
typedef void delta_visit_fn(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status delta_runs(struct delta *delta, const struct delta_base *base,
                                  const struct snap_region *regions, unsigned count,
                                  delta_visit_fn *visit, void *context);

/*
 * Appends the `count` stack regions (at most SNAP_REGION_MAX, not overlapping), with the runs of
 * bytes that changed since `base`, to the SAMPLE record that was begun in `writer`. `base` is not
 * changed. NO_MEMORY: nothing was appended.
 */
MUST_CHECK enum status delta_put(struct delta *delta, const struct delta_base *base,
                                 const struct snap_region *regions, unsigned count,
                                 struct snap_writer *writer);

/*
 * Makes the regions of the last delta_put the base; to be called when their record has been
 * written. Without memory the base is cleared, as by delta_base_clear.
 */
void delta_commit(const struct delta *delta, struct delta_base *base,
                  const struct snap_region *regions, unsigned count);

#endif
