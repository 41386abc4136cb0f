/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/answer_cache.h"

#define STATUS_END_OF_SMALL 16 /* no pointer is below that */

bool answer_cache_get(const struct answer_cache *cache, uint64_t question, enum status *status,
                      const void **answer)
{
    const uint64_t *found = map_get(&cache->by_question, question);

    if (!found)
        return false;
    *status = *found < STATUS_END_OF_SMALL ? (enum status) * found : STATUS_OK;
    *answer = *status == STATUS_OK ? (const void *)(uintptr_t)*found : NULL;
    return true;
}

enum status answer_cache_put(struct answer_cache *cache, uint64_t question, enum status status,
                             const void *answer)
{
    const uint64_t value = status == STATUS_OK ? (uintptr_t)answer : (uint64_t)status;

    return map_put(&cache->by_question, question, value) ? STATUS_OK : STATUS_NO_MEMORY;
}

void answer_cache_deinit(struct answer_cache *cache)
{
    map_deinit(&cache->by_question);
    map_init(&cache->by_question);
}
