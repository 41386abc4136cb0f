/* SPDX-License-Identifier: MIT */
/*
 * The text of each distinct frame, made once: for formats that list samples, where most of the work
 * would be their frames' text, and most frames were there before.
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

struct frame_texts { /* zeroed: none yet */
    struct frame_text *items;
    size_t count, cap;
    struct index index;
};

void frame_texts_deinit(struct frame_texts *texts);

/*
 * The text of a frame; `make` makes it (malloc'ed) when it is new. *out is valid as long as the
 * texts.
 */
MUST_CHECK enum status frame_texts_find(struct frame_texts *texts, const struct frame *frame,
                                        enum status (*make)(void *context,
                                                            const struct frame *frame, char **text),
                                        void *context, const char **out);

#endif
