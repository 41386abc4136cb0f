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

/* Bytes of records about code made at run time. */
#define RECENT_KEPT_MAX ((size_t)32 << 20)
/* The window moves in steps of this part of its time or bytes. */
#define RECENT_STEPS 40u

struct recent_options {
    uint64_t window_ns;
    size_t bytes_max; /* bytes of the window's records */
    size_t kept_max;  /* bytes of records about code made at run time; 0: RECENT_KEPT_MAX */
};

struct recent;

MUST_CHECK enum status recent_create(const struct recent_options *options, struct recent **out);
void recent_destroy(struct recent *recent);

/*
 * Adds the next bytes of the stream, which came at `now_ns` (CLOCK_MONOTONIC), and drops what is
 * older than the window. BAD_DATA, UNSUPPORTED: no snapshot, as `diag` says; NO_MEMORY. After an
 * error only recent_destroy may be called.
 */
MUST_CHECK enum status recent_push(struct recent *recent, const void *bytes, size_t size,
                                   uint64_t now_ns, struct diag *diag);

/* Has there been a sample? */
bool recent_has_begun(const struct recent *recent);

/* Bytes of the window's records, without what holds before them. */
size_t recent_size(const struct recent *recent);
/* Bytes that are held in all, about. */
size_t recent_memory(const struct recent *recent);
/* Is the window shorter than asked for, or was something dropped of what holds before it? */
bool recent_is_cut(const struct recent *recent);

/*
 * Writes the snapshot to `fd`, at its position: whole records up to now, *size bytes; no SUMMARY
 * unless the stream had one. IO: `diag` says why; UNSUPPORTED as recent_state_put; NO_MEMORY.
 */
MUST_CHECK enum status recent_write(const struct recent *recent, int fd, uint64_t *size,
                                    struct diag *diag);

/*
 * Appends the missing SUMMARY, as the caller has filled it, bytes_written included; nothing if the
 * stream had one. Errors as recent_write.
 */
MUST_CHECK enum status recent_write_summary(const struct recent *recent, int fd,
                                            const struct snap_summary *summary, struct diag *diag);

#endif
