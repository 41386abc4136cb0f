/* SPDX-License-Identifier: MIT */
/*
 * Keeps the results of searches of one file's code, from this run and from earlier ones, as
 * records; the cache has one entry for each file (elf_identity.h). Records are untrusted: whoever
 * unpacks a record checks it.
 */
#ifndef UNWIND_FUNCTIONS_KEPT_SEARCH_H
#define UNWIND_FUNCTIONS_KEPT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "cache/cache.h"
#include "symbol/elf/elf_image.h"

enum kept_kind { KEPT_CALLS = 1, KEPT_FAR_JUMPS, KEPT_FUNCTIONS };

struct kept_id {
    uint32_t kind; /* enum kept_kind, the results that the record keeps */
    /* number: which record of its kind; basis: hash of all that the record's bytes depend on */
    uint64_t number, basis;
};

struct kept_search;

/*
 * Prepares the records of the image's file; *out is the caller's and borrows `cache`. UNSUPPORTED:
 * the file has no build-id; NO_MEMORY.
 */
MUST_CHECK enum status kept_search_create(struct cache *cache, const struct elf_image *image,
                                          struct kept_search **out);
void kept_search_destroy(struct kept_search *kept);

/*
 * Sets *out to the bytes of the record `id`, owned by `kept` and valid until kept_search_put of the
 * same id. False: there is no such record.
 */
bool kept_search_find(struct kept_search *kept, const struct kept_id *id, struct cursor *out);

/*
 * Adds or replaces the record `id`. Takes ownership of `bytes`, from malloc; NULL: does nothing.
 * Without memory the record is dropped.
 */
void kept_search_put(struct kept_search *kept, const struct kept_id *id, uint8_t *bytes,
                     size_t size);

/*
 * Stores all records in the cache if any was put; if they have more than 32 MiB, only those that
 * this run found or put. Failures are ignored.
 */
void kept_search_save(struct kept_search *kept);

#endif
