/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers: a copy of a stream, for formats in which one has to seek.
 */
#ifndef SNAPSHOT_IMPORT_SPOOL_H
#define SNAPSHOT_IMPORT_SPOOL_H

#include "snapshot/import/source.h"

/*
 * Copies all that the input gives, its head too, to a file without name below TMPDIR or /tmp, in
 * which zeroes take no room. *fd is yours. IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status spool_stream(struct source_input *input, int *fd, struct diag *diag);

#endif
