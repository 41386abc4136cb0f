/* SPDX-License-Identifier: MIT */
/*
 * For importers: a copy of a stream, for formats in which one has to seek. It is in a file without
 * name below TMPDIR or /tmp.
 */
#ifndef SNAPSHOT_IMPORT_SPOOL_H
#define SNAPSHOT_IMPORT_SPOOL_H

#include "snapshot/import/source.h"

/* Makes such a file, for who will not be able to when it is needed. A descriptor, or -errno. */
int spool_open(void);

/*
 * Copies all that the input gives, its head too, to the file that the input brings, or a new one,
 * in which zeroes take no room. *fd is yours. IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status spool_stream(struct source_input *input, int *fd, struct diag *diag);

#endif
