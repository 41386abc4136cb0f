/* SPDX-License-Identifier: MIT */
/*
 * Of profiles in which functions had been divided by values (splits.h): the labels of each place,
 * for which a mark stands, as names_divide wants them. The same labels have the same mark.
 */
#ifndef GRAPH_TOLD_LABELS_H
#define GRAPH_TOLD_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"

struct told_labels { /* zero it; private */
    struct pool texts;
    struct told_mark {
        size_t first, count; /* of ids */
    } * marks;
    size_t mark_count, mark_cap;
    uint32_t *ids; /* of texts, 1 and up; 0: none */
    size_t id_count, id_cap;
    struct index index;
};

void told_labels_deinit(struct told_labels *labels);

/* Of functions, the innermost first; NULL: none. *mark is 0 where all have none. Copied. */
MUST_CHECK enum status told_labels_mark(struct told_labels *labels, const char *const *list,
                                        size_t count, uint32_t *mark);

/* A names_label_fn. */
const char *told_labels_label(void *labels, uint32_t mark, uint32_t depth);

#endif
