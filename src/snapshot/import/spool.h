/* SPDX-License-Identifier: MIT */
/* For importers that need seeking: copies a stream to an unnamed file below TMPDIR or /tmp. */
#ifndef SNAPSHOT_IMPORT_SPOOL_H
#define SNAPSHOT_IMPORT_SPOOL_H

#include "snapshot/import/source.h"

/*
 * Makes an unnamed file in advance, for processes that later cannot. Returns its descriptor, for
 * the caller to close, or -errno.
 */
int spool_open(void);

/*
 * Copies the whole input, head included, to the file of input->spool_fd if has_spool, else to a new
 * unnamed file; blocks of zeroes become holes. Sets *fd to the copy, for the caller to close. IO
 * with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status spool_stream(struct source_input *input, int *fd, struct diag *diag);

#endif
