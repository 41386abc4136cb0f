/* SPDX-License-Identifier: MIT */
/*
 * Fetches files by build-id from debuginfod servers (elfutils). Only on request of the user, since
 * a server learns from the questions which programs there are here.
 *
 * A helper process does it, started before the program confines itself: it receives build-ids and
 * answers with paths in libdebuginfod's own cache. The files are untrusted: the caller checks
 * whether a file has the build-id.
 */
#ifndef FETCH_FETCHER_H
#define FETCH_FETCHER_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

#define FETCHER_ID_MAX 64 /* bytes of a build-id */

enum fetch_kind { FETCH_DEBUG, FETCH_EXECUTABLE };

struct fetcher;

/*
 * Called in fetcher_find once it has waited a second for a file, with `done` and `of` 0; where
 * standard error is a terminal also in the helper process, every ten seconds while bytes come.
 * `kind` is "debug file" or "file", `build_id` is in hexadecimal; `done` of `of` bytes are here
 * (`of` 0: not known).
 */
typedef void fetcher_slow_fn(const char *kind, const char *build_id, uint64_t done, uint64_t of);

/*
 * Starts the helper; call it while there is one thread. `urls`: servers, separated by blanks, set
 * as $DEBUGINFOD_URLS; NULL: the environment's. `slow` may be NULL. NOT_FOUND: no server is named.
 * UNSUPPORTED: libdebuginfod cannot be loaded; IO: the helper cannot be started: both set `why`.
 * NO_MEMORY.
 */
MUST_CHECK enum status fetcher_begin(const char *urls, fetcher_slow_fn *slow, struct fetcher **out,
                                     struct diag *why);
/* Does not wait for the helper, which ends by itself. NULL: does nothing. */
void fetcher_end(struct fetcher *fetcher);

/* Returns the directory of libdebuginfod's cache, in which the files are; borrowed. */
const char *fetcher_directory(const struct fetcher *fetcher);

/*
 * Fetches a file and returns its path, malloc'ed. NULL: no server has it, none answered in time
 * ($DEBUGINFOD_TIMEOUT), it is larger than 2 GiB (or the smaller $DEBUGINFOD_MAXSIZE), took more
 * than 15 minutes (or $DEBUGINFOD_MAXTIME), or no memory. After three failures other than "no
 * server has it" no server is asked any more. Any thread may call; calls wait for each other.
 */
char *fetcher_find(struct fetcher *fetcher, enum fetch_kind kind, const uint8_t *build_id,
                   size_t size);

#endif
