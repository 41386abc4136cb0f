/* SPDX-License-Identifier: MIT */
/* Answers by question: a pointer, or the status that came instead. */
#ifndef VARIABLES_DWARF_ANSWER_CACHE_H
#define VARIABLES_DWARF_ANSWER_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

struct answer_cache {
    struct map by_question; /* pointers, or a status below 16 */
};

/* False: not asked yet. *answer is valid with OK. */
bool answer_cache_get(const struct answer_cache *cache, uint64_t question, enum status *status,
                      const void **answer);
MUST_CHECK enum status answer_cache_put(struct answer_cache *cache, uint64_t question,
                                        enum status status, const void *answer);
void answer_cache_deinit(struct answer_cache *cache);

#endif
