/* SPDX-License-Identifier: MIT */
/* Keeps the answers to questions: a pointer, or the status that came instead. */
#ifndef VARIABLES_DWARF_ANSWER_CACHE_H
#define VARIABLES_DWARF_ANSWER_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

struct answer_cache {
    struct map by_question; /* question -> pointer; values below 16: a status */
};

/*
 * answer_cache_get: whether the question has an answer; if so, sets *status, and *answer to the
 * pointer (NULL unless *status is OK). answer_cache_put: keeps an answer; `answer` counts if
 * `status` is OK, and is borrowed. Fails with NO_MEMORY only.
 */
bool answer_cache_get(const struct answer_cache *cache, uint64_t question, enum status *status,
                      const void **answer);
MUST_CHECK enum status answer_cache_put(struct answer_cache *cache, uint64_t question,
                                        enum status status, const void *answer);
void answer_cache_deinit(struct answer_cache *cache);

#endif
