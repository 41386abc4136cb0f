/* SPDX-License-Identifier: MIT */
/* For importers that need seeking: copies a stream to an unnamed file below TMPDIR or /tmp. */
#ifndef SNAPSHOT_IMPORT_SPOOL_H
#define SNAPSHOT_IMPORT_SPOOL_H

#include "snapshot/import/source.h"

/* Makes such a file in advance, for processes that later cannot. Its descriptor, or -errno. */
int spool_open(void);

/*
 * Copies the whole input, head included, to the file of input->spool_fd if has_spool, else to a new
 * one; blocks of zeroes become holes. *fd is the caller's to close. IO with `diag` filled;
 * NO_MEMORY.
 */
MUST_CHECK enum status spool_stream(struct source_input *input, int *fd, struct diag *diag);

#endif
