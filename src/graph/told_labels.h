/* SPDX-License-Identifier: MIT */
/*
 * Labels read from profiles whose functions had been divided by values (splits.h). A mark is a
 * number for the list of labels of the functions at a place, by which names_divide divides them.
 */
#ifndef GRAPH_TOLD_LABELS_H
#define GRAPH_TOLD_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"

struct told_labels { /* zeroed: empty; private */
    struct pool texts;
    struct told_mark {
        size_t first, count; /* range in `ids` */
    } * marks;               /* owned; by mark - 1 */
    size_t mark_count, mark_cap;
    uint32_t *ids; /* owned; 1 + index in `texts`; 0: no label */
    size_t id_count, id_cap;
    struct index index;
};

void told_labels_deinit(struct told_labels *labels);

/*
 * Sets *mark to the mark of the labels of a place's functions, the innermost first (NULL: no
 * label). Equal lists have the same mark; a list without any label has 0. Copies texts. NO_MEMORY.
 */
MUST_CHECK enum status told_labels_mark(struct told_labels *labels, const char *const *list,
                                        size_t count, uint32_t *mark);

/*
 * A names_label_fn, whose context is `labels`: returns the label of the function at `depth`, 0 the
 * outermost, for this mark; NULL: none. Lives as long as `labels`.
 */
const char *told_labels_label(void *labels, uint32_t mark, uint32_t depth);

#endif
