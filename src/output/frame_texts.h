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
 * Sets *out to the text of a frame, borrowed until frame_texts_deinit. For a new frame `make` sets
 * *text to it, malloc'ed. Returns what `make` does, or NO_MEMORY.
 */
MUST_CHECK enum status frame_texts_find(struct frame_texts *texts, const struct frame *frame,
                                        enum status (*make)(void *context,
                                                            const struct frame *frame, char **text),
                                        void *context, const char **out);

#endif
