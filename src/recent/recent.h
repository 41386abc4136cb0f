/* SPDX-License-Identifier: MIT */
/*
 * The last seconds of a snapshot that is being written, as a snapshot of its own.
 *
 *     the stream      header │ process, mappings, threads … │ samples │ samples … │ samples │ now
 *                            └──────────────────────────────────────┘ └──────────────────────┘
 *     is kept as                 what holds after them (state.h)        these records, as they came
 *
 * Memory is bounded, however long the stream is: by options.bytes_max for the records, and by
 * state.h for what came before them. When the records of the window are more than that, it is
 * shorter than asked for.
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

/* What is told of code made at run time, in bytes. */
#define RECENT_KEPT_MAX ((size_t)32 << 20)
/* The window moves on in steps of a part of it: of its time, or of its bytes. */
#define RECENT_STEPS 40u

struct recent_options {
    uint64_t window_ns;
    size_t bytes_max; /* of the window's records */
    size_t kept_max;  /* of what is told of code made at run time; 0: RECENT_KEPT_MAX */
};

struct recent;

MUST_CHECK enum status recent_create(const struct recent_options *options, struct recent **out);
void recent_destroy(struct recent *recent);

/*
 * The next bytes of the stream, which came at `now_ns` (CLOCK_MONOTONIC); what is older than the
 * window is given up. BAD_DATA, UNSUPPORTED with `diag` filled: it is no snapshot; NO_MEMORY. After
 * an error only recent_destroy may be called.
 */
MUST_CHECK enum status recent_push(struct recent *recent, const void *bytes, size_t size,
                                   uint64_t now_ns, struct diag *diag);

/* Has there been a sample? Before that there is nothing to be seen. */
bool recent_has_begun(const struct recent *recent);

/* Of the window's records, not of what holds before them. */
size_t recent_size(const struct recent *recent);
/* All that is held, about. */
size_t recent_memory(const struct recent *recent);
/* The window is shorter than asked for, or something was left out of what holds before it. */
bool recent_is_cut(const struct recent *recent);

/*
 * Writes the snapshot to `fd`, from its position on: whole records up to now; *size bytes. It has
 * no SUMMARY, unless the stream had one. IO with `diag` filled; UNSUPPORTED as in recent_state_put;
 * NO_MEMORY.
 */
MUST_CHECK enum status recent_write(const struct recent *recent, int fd, uint64_t *size,
                                    struct diag *diag);

/*
 * Writes the SUMMARY that it lacks, behind it; bytes_written is for the caller to fill. Nothing
 * where the stream had one. As recent_write.
 */
MUST_CHECK enum status recent_write_summary(const struct recent *recent, int fd,
                                            const struct snap_summary *summary, struct diag *diag);

#endif
