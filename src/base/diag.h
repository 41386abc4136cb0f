/* SPDX-License-Identifier: MIT */
/*
 * A problem with an input: file, offset, what is wrong, and what to try.
 *
 * Library code fills a diag and returns a status; only the mains print it, as one line.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct diag {
    char file[256]; /* "..." and its end when it is longer; empty: none */
    char what[256];
    char hint[192]; /* what to try; empty: nothing to suggest */
    uint64_t off;   /* file offset, valid when has_off */
    bool has_off;
};

/*
 * Sets `file` and `what` (printf-like), clears the offset and the hint. `diag` may be NULL: nothing
 * is done. `file` may be NULL: no file.
 */
void diag_set(struct diag *diag, const char *file, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same, and sets `off`, the file offset of the problem. */
void diag_set_at(struct diag *diag, const char *file, uint64_t off, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Sets the hint of a diag that was set before. `diag` may be NULL. */
void diag_hint(struct diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Writes "FILE: at offset N: WHAT; HINT" without newline to `buffer`, shortened to fit. Control
 * characters (file names are untrusted) become '?', as by text_disarm. Returns `buffer`.
 */
const char *diag_format(const struct diag *diag, char *buffer, size_t size);

#endif
