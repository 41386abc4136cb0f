/* SPDX-License-Identifier: MIT */
/*
 * Labels read from profiles whose functions had been divided by values (splits.h): a mark stands
 * for the labels of one place, for names_divide. Equal labels have the same mark.
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
        size_t first, count; /* range in ids */
    } * marks;
    size_t mark_count, mark_cap;
    uint32_t *ids; /* 1 + index in texts; 0: none */
    size_t id_count, id_cap;
    struct index index;
};

void told_labels_deinit(struct told_labels *labels);

/*
 * Interns the labels of a place's functions, the innermost first (NULL: no label); *mark is 0 if
 * there are none. Copies texts. NO_MEMORY.
 */
MUST_CHECK enum status told_labels_mark(struct told_labels *labels, const char *const *list,
                                        size_t count, uint32_t *mark);

/* A names_label_fn; its context is the labels. */
const char *told_labels_label(void *labels, uint32_t mark, uint32_t depth);

#endif
