/* SPDX-License-Identifier: MIT */
/*
 * What was wrong with an input: which file, where in it, what, and what to try.
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
    char file[256]; /* shortened from the left with "..." when longer; empty: none */
    char what[256];
    char hint[192]; /* what to try; empty: nothing to suggest */
    uint64_t off;   /* file offset, valid when has_off */
    bool has_off;
};

/* Sets file and what (printf-like), clears offset and hint. `diag` may be NULL; so may `file`. */
void diag_set(struct diag *diag, const char *file, const char *format, ...) PRINTF_LIKE(3, 4);

/* As diag_set, with the file offset at which the input is wrong. */
void diag_set_at(struct diag *diag, const char *file, uint64_t off, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Adds what to try to a diag that was set. */
void diag_hint(struct diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Writes "FILE: at offset N: WHAT; HINT" without newline to `buffer`, shortened to fit. Control
 * characters (file names are untrusted) become '?', as by text_disarm. Returns `buffer`.
 */
const char *diag_format(const struct diag *diag, char *buffer, size_t size);

#endif
