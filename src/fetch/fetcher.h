/* SPDX-License-Identifier: MIT */
/*
 * Files by build-id from debuginfod servers (elfutils), where somebody asks for that: to ask one is
 * to tell it which programs there are here.
 *
 * A helper process does it, which is begun before the program confines itself: it is told build-ids
 * and answers with paths of files in libdebuginfod's own cache. What it gives is untrusted: whether
 * a file has the build-id is for the caller to see.
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
 * Called once for each file that is waited for for a second; where standard error is a terminal
 * also each ten seconds, in the helper. `build_id` in hexadecimal; bytes that have come, and that
 * there are (0: not known).
 */
typedef void fetcher_slow_fn(const char *kind, const char *build_id, uint64_t done, uint64_t of);

/*
 * `urls`: of servers, separated by blanks; NULL: those of $DEBUGINFOD_URLS. To be called while
 * there is one thread. `slow` may be NULL. NOT_FOUND: no server was named. UNSUPPORTED:
 * libdebuginfod cannot be loaded, IO: the helper cannot be started, `why` says more; NO_MEMORY.
 */
MUST_CHECK enum status fetcher_begin(const char *urls, fetcher_slow_fn *slow, struct fetcher **out,
                                     struct diag *why);
/* NULL: nothing to do. */
void fetcher_end(struct fetcher *fetcher);

/* That its files are in. */
const char *fetcher_directory(const struct fetcher *fetcher);

/*
 * The path of a file, malloc'ed, or NULL: no server has it, none answered in time
 * ($DEBUGINFOD_TIMEOUT), it has more than 2 GiB or took more than 15 minutes (or what
 * $DEBUGINFOD_MAXSIZE and $DEBUGINFOD_MAXTIME say), or no memory. Any thread may ask.
 */
char *fetcher_find(struct fetcher *fetcher, enum fetch_kind kind, const uint8_t *build_id,
                   size_t size);

#endif
