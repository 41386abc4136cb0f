/* SPDX-License-Identifier: MIT */
/*
 * Keeps the last seconds of a snapshot that is being written, and writes them as a snapshot of its
 * own.
 *
 *     the stream   header | process, mappings, threads ... | samples | samples ... | samples | now
 *                         \_________________ before _________________|________ window _______/
 *     is kept as                what holds after them (state.h)       these records, as they came
 *
 * Memory is bounded, however long the stream is: options.bytes_max for the records, and state.h's
 * bounds for what came before them. If the window's records are larger, the window is shorter than
 * asked for.
 */
#ifndef RECENT_RECENT_H
#define RECENT_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

/* Default of recent_options.kept_max. */
#define RECENT_KEPT_MAX ((size_t)32 << 20)
/* Records leave the window together, about 1/RECENT_STEPS of its time or bytes at once. */
#define RECENT_STEPS 40u

struct recent_options {
    uint64_t window_ns; /* time that the window spans */
    size_t bytes_max;   /* most bytes of the window's records */
    size_t kept_max;    /* most bytes of records about code made at run time; 0: RECENT_KEPT_MAX */
};

struct recent;

/* Begins with an empty window; `options` is copied. NO_MEMORY. */
MUST_CHECK enum status recent_create(const struct recent_options *options, struct recent **out);
void recent_destroy(struct recent *recent);

/*
 * Adds the next bytes of the stream, which came at `now_ns` (CLOCK_MONOTONIC), and drops records
 * that are older than the window. BAD_DATA, UNSUPPORTED: the stream is no snapshot, as `diag` says;
 * NO_MEMORY. After an error only recent_destroy may be called.
 */
MUST_CHECK enum status recent_push(struct recent *recent, const void *bytes, size_t size,
                                   uint64_t now_ns, struct diag *diag);

/* Whether the stream has had a sample. */
bool recent_has_begun(const struct recent *recent);

/* Returns the bytes of the window's records, without the state kept of earlier ones. */
size_t recent_size(const struct recent *recent);
/* Returns about how many bytes of memory are held in all. */
size_t recent_memory(const struct recent *recent);
/*
 * Whether the window is shorter than asked for because of bytes_max, or records of the state before
 * the window were dropped because of kept_max.
 */
bool recent_is_cut(const struct recent *recent);

/*
 * Writes the snapshot, all whole records up to now, to `fd` at its position, and sets *size to the
 * bytes written. There is no SUMMARY unless the stream had one. IO: `diag` says why; UNSUPPORTED: a
 * thread's stacks are larger than a record may be; NO_MEMORY.
 */
MUST_CHECK enum status recent_write(const struct recent *recent, int fd, uint64_t *size,
                                    struct diag *diag);

/*
 * Writes `summary`, complete with bytes_written, as a SUMMARY to `fd` at its position; writes
 * nothing if the stream had a SUMMARY. Fails like recent_write.
 */
MUST_CHECK enum status recent_write_summary(const struct recent *recent, int fd,
                                            const struct snap_summary *summary, struct diag *diag);

#endif
