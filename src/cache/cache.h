/* SPDX-License-Identifier: MIT */
/*
 * What costs time and can be computed again, kept in files between runs: bytes by key, in the
 * directory $CGUNWIND_CACHE (nowhere where that is empty), or $XDG_CACHE_HOME/cgunwind, or
 * ~/.cache/cgunwind.
 *
 * - The directory is ours, and nobody else may write there; else there is no cache.
 * - A key is of this very program, too (its build-id): what another version found is not used.
 * - What is loaded has the length and the checksum that it was stored with. It is untrusted all the
 *   same: who loads it checks it.
 * - A file is made under another name and then renamed, so that runs at the same time do not harm
 *   each other: of two that store at one key, one is lost.
 * - What was not used for longest is removed before the files have more than CACHE_SIZE_MAX bytes:
 *   never more in one run; several at once may have as much more as one file has, each.
 *
 * The program that has a cache may confine itself (confine/): files are read by name, and written
 * by a helper process that was begun before (keeper.h).
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

#define CACHE_ENTRY_MAX (UINT64_C(64) << 20)  /* bytes of what is stored at one key */
#define CACHE_SIZE_MAX  (UINT64_C(512) << 20) /* of all files */

struct cache;

struct cache_key {
    uint64_t words[2];
};

/*
 * To be called while there is one thread. NOT_FOUND: there is none to be had, `why` says why;
 * NO_MEMORY.
 */
MUST_CHECK enum status cache_open(struct cache **out, struct diag *why);
/*
 * Waits until what was stored is in its file, for two seconds at most: not for a file system that
 * stands still. NULL: nothing to do.
 */
void cache_close(struct cache *cache);

/* That files are read from. */
const char *cache_directory(const struct cache *cache);

/*
 * The key of something that `size` bytes at `what` identify, `kind` being what it is: a text of the
 * caller's own.
 */
struct cache_key cache_key(const struct cache *cache, const char *kind, const void *what,
                           size_t size);

/* What is stored at a key. Its file is mapped: what stores there meanwhile makes another one. */
struct cache_view {
    const uint8_t *bytes;
    size_t size;
    void *map; /* NULL: there is none */
    size_t map_size;
};

/* NOT_FOUND: nothing that is whole. */
MUST_CHECK enum status cache_load(const struct cache *cache, const struct cache_key *key,
                                  struct cache_view *out);
/* Of a zeroed one: nothing to do. */
void cache_view_end(struct cache_view *view);

/* Whether it could be stored does not matter to anybody. */
void cache_store(struct cache *cache, const struct cache_key *key, const uint8_t *bytes,
                 size_t size);

/* Of words of 8 bytes; quick, and no help against who wants two to be the same. */
uint64_t cache_hash(uint64_t hash, const void *bytes, size_t size);

#endif
