/* SPDX-License-Identifier: MIT */
/*
 * What was left out because the machine did not give it: memory, a descriptor, the bytes of a file.
 *
 * Most code can go on without a row, a name or a file, and does. It must not do so in silence where
 * the reason is not the input: a run on another day would have shown more. Who meets such a failure
 * notes it here, and the main that ends asks for it: what is written may be incomplete, and the
 * exit status is 1.
 *
 * In programs that are linked with the options of shortage_alloc.c each allocation of this
 * program's that fails is noted; those of libraries are noted where they show.
 *
 * The list is the process's, as its memory is. Any thread may use it.
 */
#ifndef BASE_SHORTAGE_H
#define BASE_SHORTAGE_H

#include <stdbool.h>

#include "base/diag.h"

/*
 * `file` (may be NULL: none in particular; copied) was not read, or not all of it, because of
 * `error`, an errno. The first one is kept, and one with a file rather than one without.
 */
void shortage_note(const char *file, int error);

/*
 * The same for a file that could not be opened, unless `error` says that there is none of this
 * name (ENOENT, ENOTDIR, and names that no file can have), or it is another process's in /proc and
 * not permitted: that is for the caller to tell.
 */
void shortage_note_open(const char *file, int error);

/* Was anything noted? Then `diag` says what, and what follows from it. */
bool shortage_told(struct diag *diag);

#endif
