/* SPDX-License-Identifier: MIT */
/*
 * Which stack bytes changed since a thread's last sample, so that only those are written.
 *
 * Of the last sample's stack only a 64-bit hash per block of 128 bytes is kept, a sixteenth of its
 * size: docs/decisions/0002-stack-delta-by-hash.md. Blocks lie at multiples of 128, so that they
 * are the same ones when the stack pointer moves; at the ends of a region a block may be a part of
 * one.
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

/* What is known of the sample before: its regions, without their bytes. */
struct delta_base {
    uint64_t *hashes; /* owned; of all regions' blocks */
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
 * Takes a random seed: whoever writes a stack shall not be able to make two blocks of equal hash.
 */
void delta_init(struct delta *delta);
void delta_deinit(struct delta *delta);

void delta_base_deinit(struct delta_base *base);
/* Nothing is known: the next sample is written whole. */
void delta_base_clear(struct delta_base *base);

/*
 * Calls `visit` with each run of bytes that delta_put would put. NO_MEMORY: it was not called.
 */
typedef void delta_visit_fn(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status delta_runs(struct delta *delta, const struct delta_base *base,
                                  const struct snap_region *regions, unsigned count,
                                  delta_visit_fn *visit, void *context);

/*
 * Puts the regions of a SAMPLE record, with the runs that changed since `base`, to a record that
 * was begun. Regions do not overlap and are at most SNAP_REGION_MAX. NO_MEMORY: nothing was put.
 */
MUST_CHECK enum status delta_put(struct delta *delta, const struct delta_base *base,
                                 const struct snap_region *regions, unsigned count,
                                 struct snap_writer *writer);

/* The record that delta_put went into was written: its sample is the base of the next. */
void delta_commit(const struct delta *delta, struct delta_base *base,
                  const struct snap_region *regions, unsigned count);

#endif
