/* SPDX-License-Identifier: MIT */
/*
 * Keeps the results of searches of one file's code, of this run and of earlier ones: records, in
 * one entry of the cache for each file (elf_identity.h). Records are untrusted: whoever unpacks one
 * checks it.
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
    uint32_t kind; /* enum kept_kind */
    /* number: among the records of its kind; basis: hash of all that its bytes depend on */
    uint64_t number, basis;
};

struct kept_search;

/* Borrows `cache`. UNSUPPORTED: the file has no build-id; NO_MEMORY. */
MUST_CHECK enum status kept_search_create(struct cache *cache, const struct elf_image *image,
                                          struct kept_search **out);
void kept_search_destroy(struct kept_search *kept);

/* Returns the record's bytes, borrowed until one is put at `id`, or the end; false: none. */
bool kept_search_find(struct kept_search *kept, const struct kept_id *id, struct cursor *out);

/* Adds or replaces a record. Takes over `bytes`, from malloc; NULL: does nothing. */
void kept_search_put(struct kept_search *kept, const struct kept_id *id, uint8_t *bytes,
                     size_t size);

/* Stores the records if any was put; those that this run did not use only if all fit 32 MiB. */
void kept_search_save(struct kept_search *kept);

#endif
