/* SPDX-License-Identifier: MIT */
/*
 * What searches of one file's code have found, in this run and in earlier ones: records, in one
 * entry of the cache for each file (elf_identity.h). Records come from outside: who unpacks one
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

/* Which of its kind a record is, and of what its bytes were made: an equal `basis` gives them. */
struct kept_id {
    uint32_t kind; /* enum kept_kind */
    uint64_t number, basis;
};

struct kept_search;

/* Both are borrowed. UNSUPPORTED: the file has no build-id; NO_MEMORY. */
MUST_CHECK enum status kept_search_create(struct cache *cache, const struct elf_image *image,
                                          struct kept_search **out);
void kept_search_destroy(struct kept_search *kept);

/* The record's bytes, borrowed until the end; false: there is none. */
bool kept_search_find(struct kept_search *kept, const struct kept_id *id, struct cursor *out);

/* Takes over `bytes`, which came from malloc; NULL: there was no memory for them. */
void kept_search_put(struct kept_search *kept, const struct kept_id *id, uint8_t *bytes,
                     size_t size);

/* Stores all if any was put. */
void kept_search_save(struct kept_search *kept);

#endif
