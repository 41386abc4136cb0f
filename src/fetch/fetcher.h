/* SPDX-License-Identifier: MIT */
/*
 * Fetches files by build-id from debuginfod servers (elfutils). Only on request of the user, since
 * a server learns from the questions which programs are on this machine.
 *
 * A helper process, started before the program confines itself, does the fetching: it receives
 * build-ids and answers with paths in libdebuginfod's own cache. The files are untrusted: the
 * caller checks whether a file has the build-id.
 */
#ifndef FETCH_FETCHER_H
#define FETCH_FETCHER_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

#define FETCHER_ID_MAX 64 /* most bytes of a build-id */

enum fetch_kind { FETCH_DEBUG, FETCH_EXECUTABLE };

struct fetcher;

/*
 * Tells the user that fetching a file takes long. Called by fetcher_find once it has waited a
 * second, with `done` and `of` 0; where standard error is a terminal also in the helper process,
 * every ten seconds while bytes come. `kind` is "debug file" or "file", `build_id` is in
 * hexadecimal; `done` of `of` bytes were received (`of` 0: not known).
 */
typedef void fetcher_slow_fn(const char *kind, const char *build_id, uint64_t done, uint64_t of);

/*
 * Starts the helper process; to be called while the process has one thread; the caller calls
 * fetcher_end. `urls`: servers, separated by blanks, to which $DEBUGINFOD_URLS is set; NULL: those
 * of $DEBUGINFOD_URLS. `slow` may be NULL. NOT_FOUND: no server is named. UNSUPPORTED:
 * libdebuginfod cannot be loaded; IO: the helper cannot be started: both set `why`. NO_MEMORY.
 */
MUST_CHECK enum status fetcher_begin(const char *urls, fetcher_slow_fn *slow, struct fetcher **out,
                                     struct diag *why);
/* Frees `fetcher`; does not wait for the helper, which ends by itself. NULL: does nothing. */
void fetcher_end(struct fetcher *fetcher);

/* Returns the directory of libdebuginfod's cache, which has the fetched files; borrowed. */
const char *fetcher_directory(const struct fetcher *fetcher);

/*
 * Fetches the file of this kind with the build-id of `size` bytes, and returns its path, for the
 * caller to free. NULL: no server has it, none answered in time ($DEBUGINFOD_TIMEOUT), it is larger
 * than 2 GiB (or the smaller $DEBUGINFOD_MAXSIZE), took more than 15 minutes (or
 * $DEBUGINFOD_MAXTIME), or no memory. After three failures other than "no server has it" no server
 * is asked any more. Any thread may call; calls wait for each other.
 */
char *fetcher_find(struct fetcher *fetcher, enum fetch_kind kind, const uint8_t *build_id,
                   size_t size);

#endif
