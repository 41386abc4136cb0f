/* SPDX-License-Identifier: MIT */
/*
 * Keeps results in files between runs: bytes by key, in the directory $CGUNWIND_CACHE (empty: no
 * cache), else $XDG_CACHE_HOME/cgunwind, else ~/.cache/cgunwind.
 *
 * - The directory belongs to this user and nobody else may write there; else there is no cache.
 * - A key contains the program's build-id: entries of another version are not found.
 * - A loaded entry has the length and the checksum that it was stored with. It is untrusted all the
 *   same: the caller checks its contents.
 * - A file is written under another name and then renamed, so that concurrent runs do not harm each
 *   other: of two entries stored at one key, one is lost.
 * - The least recently used files are removed before all have more than CACHE_SIZE_MAX bytes. With
 *   concurrent runs it may be more, by at most CACHE_ENTRY_MAX for each.
 *
 * The program may confine itself after cache_open (confine/): it reads files by name, and a helper
 * process writes them (keeper.h).
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

#define CACHE_ENTRY_MAX (UINT64_C(64) << 20)  /* bytes; a larger entry is not stored */
#define CACHE_SIZE_MAX  (UINT64_C(512) << 20) /* bytes of all files together */

struct cache;

struct cache_key {
    uint64_t words[2];
};

/*
 * Makes or opens the cache's directory and starts the helper process that writes; to be called
 * while the process has one thread. The caller calls cache_close. NOT_FOUND: there can be no cache;
 * `why` says why. NO_MEMORY.
 */
MUST_CHECK enum status cache_open(struct cache **out, struct diag *why);
/*
 * Waits until all entries are written, for about two seconds at most (a file system may stall), and
 * frees the cache. NULL: does nothing.
 */
void cache_close(struct cache *cache);

/* Returns the path of the cache's directory; borrowed from `cache`. */
const char *cache_directory(const struct cache *cache);

/*
 * Returns the key of the entry that the `size` bytes at `what` identify. `kind` is a text that the
 * caller chooses: entries of different kinds have different keys.
 */
struct cache_key cache_key(const struct cache *cache, const char *kind, const void *what,
                           size_t size);

/* An entry, mapped from its file. A later cache_store at its key does not change the view. */
struct cache_view {
    const uint8_t *bytes; /* the entry's, in the mapping */
    size_t size;          /* number of bytes of the entry */
    void *map;            /* the mapping of the whole file, owned; NULL: there is none */
    size_t map_size;      /* bytes of the mapping */
};

/*
 * Maps the entry at `key`; the caller calls cache_view_end. NOT_FOUND: there is no entry, or it is
 * damaged.
 */
MUST_CHECK enum status cache_load(const struct cache *cache, const struct cache_key *key,
                                  struct cache_view *out);
/* Unmaps the entry. Does nothing for a zeroed view. */
void cache_view_end(struct cache_view *view);

/* Sends the entry to the helper process, which writes it. Failures are not reported. */
void cache_store(struct cache *cache, const struct cache_key *key, const uint8_t *bytes,
                 size_t size);

/*
 * Returns the hash of `size` bytes with the seed `hash`. Fast: takes 8 bytes at a time. Collisions
 * can be made on purpose.
 */
uint64_t cache_hash(uint64_t hash, const void *bytes, size_t size);

#endif
