/* SPDX-License-Identifier: MIT */
/*
 * Caches the text of each distinct frame, for formats that list samples: most frames were there
 * before, and making their text again would be most of the work.
 */
#ifndef OUTPUT_FRAME_TEXTS_H
#define OUTPUT_FRAME_TEXTS_H

#include <stddef.h>

#include "base/index.h"
#include "base/status.h"
#include "unwind/chain.h"

struct frame_text {
    struct frame frame;
    char *text; /* owned */
};

struct frame_texts { /* zeroed: empty */
    struct frame_text *items;
    size_t count, cap;
    struct index index;
};

void frame_texts_deinit(struct frame_texts *texts);

/*
 * Sets *out to the text of a frame, owned by `texts`. For a frame that has none yet, `make` sets
 * *text to its text, malloc'ed, which `texts` then owns; `context` is passed to `make`. Returns the
 * status of `make`, or NO_MEMORY.
 */
MUST_CHECK enum status frame_texts_find(struct frame_texts *texts, const struct frame *frame,
                                        enum status (*make)(void *context,
                                                            const struct frame *frame, char **text),
                                        void *context, const char **out);

#endif
