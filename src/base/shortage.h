/* SPDX-License-Identifier: MIT */
/*
 * Records that something was left out for lack of a resource: memory, a descriptor, the bytes of a
 * file.
 *
 * Most code can go on without a row, a name or a file, and does. It must not do so silently where
 * the input is not the reason: another run would have shown more. The code that meets such a
 * failure notes it here. Before it exits, main asks whether anything was noted, says that the
 * output may be incomplete, and exits with status 1.
 *
 * Programs that are linked with the options of shortage_alloc.c note each failed allocation of
 * their own code automatically. Failures in libraries are noted where our code sees them.
 *
 * There is one list per process. Any thread may use it.
 */
#ifndef BASE_SHORTAGE_H
#define BASE_SHORTAGE_H

#include <stdbool.h>

#include "base/diag.h"

/*
 * Notes that `file` (copied; NULL: no particular file) was not read, or not wholly, because of
 * `error`, an errno. Only the first note is kept, but a note with a file replaces one without.
 */
void shortage_note(const char *file, int error);

/*
 * Calls shortage_note for a file that could not be opened because of `error`, unless `error` says
 * that there is no such file (ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV), or access to a
 * file in /proc is denied (EACCES), which the caller reports.
 */
void shortage_note_open(const char *file, int error);

/* Whether anything was noted; if so, fills `diag` with the note that is kept. */
bool shortage_told(struct diag *diag);

#endif
