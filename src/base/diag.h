/* SPDX-License-Identifier: MIT */
/*
 * Describes a problem with an input: file, offset, the problem itself, and what to try.
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
    char file[256]; /* the input's name, if longer "..." and its end; empty: no file */
    char what[256]; /* the problem */
    char hint[192]; /* what to try; empty: nothing to suggest */
    uint64_t off;   /* byte offset of the problem in the file; valid when has_off */
    bool has_off;
};

/*
 * Sets diag->file to `file` (NULL: no file) and diag->what by `format`, as printf does; clears the
 * offset and the hint. Does nothing if `diag` is NULL.
 */
void diag_set(struct diag *diag, const char *file, const char *format, ...) PRINTF_LIKE(3, 4);

/* Does the same as diag_set, and sets diag->off to `off`, the problem's byte offset in the file. */
void diag_set_at(struct diag *diag, const char *file, uint64_t off, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Sets the hint of a diag that was set before, as printf does. Does nothing if `diag` is NULL. */
void diag_hint(struct diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Writes "FILE: at offset N: WHAT; HINT" without newline to `buffer`, shortened to fit. Control
 * characters (file names are untrusted) become '?', as by text_disarm. Returns `buffer`.
 */
const char *diag_format(const struct diag *diag, char *buffer, size_t size);

#endif
