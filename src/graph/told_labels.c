/* SPDX-License-Identifier: MIT */
#include "graph/told_labels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

void told_labels_deinit(struct told_labels *labels)
{
    pool_deinit(&labels->texts);
    free(labels->marks);
    free(labels->ids);
    index_deinit(&labels->index);
    *labels = (struct told_labels){.mark_count = 0};
}

/* Adds the ids behind all others; *hash is of them, and *any whether there is one. */
static enum status append_ids(struct told_labels *labels, const char *const *list, size_t count,
                              uint64_t *hash, bool *any)
{
    enum status status =
        vec_reserve(&labels->ids, &labels->id_cap, labels->id_count + count, sizeof(*labels->ids));

    *hash = count;
    *any = false;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t id = 0;

        if (list[i]) {
            status = pool_intern(&labels->texts, list[i], &id);
            id++;
            *any = true;
        }
        labels->ids[labels->id_count + i] = id;
        *hash = keyed_words(*hash, id);
    }
    return status;
}

enum status told_labels_mark(struct told_labels *labels, const char *const *list, size_t count,
                             uint32_t *mark)
{
    struct index_probe probe;
    enum status status;
    uint64_t hash;
    uint32_t id;
    bool any;

    *mark = 0;
    status = append_ids(labels, list, count, &hash, &any);
    if (status != STATUS_OK || !any)
        return status;
    probe = index_find(&labels->index, hash);
    while (index_next(&probe, &id)) {
        const struct told_mark *known = &labels->marks[id];

        if (known->count == count &&
            memcmp(labels->ids + known->first, labels->ids + labels->id_count,
                   count * sizeof(*labels->ids)) == 0) {
            *mark = id + 1;
            return STATUS_OK;
        }
    }
    if (vec_reserve(&labels->marks, &labels->mark_cap, labels->mark_count + 1,
                    sizeof(*labels->marks)) != STATUS_OK ||
        index_add(&labels->index, hash, (uint32_t)labels->mark_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    labels->marks[labels->mark_count++] =
        (struct told_mark){.first = labels->id_count, .count = count};
    labels->id_count += count;
    *mark = (uint32_t)labels->mark_count;
    return STATUS_OK;
}

const char *told_labels_label(void *context, uint32_t mark, uint32_t depth)
{
    const struct told_labels *labels = context;
    const struct told_mark *found;
    uint32_t id;

    if (mark == 0 || mark > labels->mark_count)
        return NULL;
    found = &labels->marks[mark - 1];
    if (depth >= found->count)
        return NULL;
    id = labels->ids[found->first + found->count - 1 - depth];
    return id ? labels->texts.texts[id - 1] : NULL;
}
