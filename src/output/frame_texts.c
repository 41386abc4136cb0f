/* SPDX-License-Identifier: MIT */
#include "output/frame_texts.h"

#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

void frame_texts_deinit(struct frame_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i].text);
    free(texts->items);
    index_deinit(&texts->index);
    *texts = (struct frame_texts){0};
}

static bool same_frame(const struct frame *a, const struct frame *b)
{
    return a->pc_addr == b->pc_addr && a->lookup_vaddr == b->lookup_vaddr &&
           a->module == b->module && a->vaddr_known == b->vaddr_known && a->is_call == b->is_call &&
           a->trust == b->trust && a->exception == b->exception && a->mark == b->mark;
}

enum status frame_texts_find(struct frame_texts *texts, const struct frame *frame,
                             enum status (*make)(void *context, const struct frame *frame,
                                                 char **text),
                             void *context, const char **out)
{
    uint64_t hash = keyed_words(frame->pc_addr, (uintptr_t)frame->module ^ frame->trust);
    struct index_probe probe = index_find(&texts->index, hash);
    struct frame_text made = {.frame = *frame};
    enum status status;
    uint32_t id;

    while (index_next(&probe, &id)) {
        if (same_frame(&texts->items[id].frame, frame)) {
            *out = texts->items[id].text;
            return STATUS_OK;
        }
    }
    status = vec_reserve(&texts->items, &texts->cap, texts->count + 1, sizeof(*texts->items));
    if (status == STATUS_OK)
        status = make(context, frame, &made.text);
    if (status != STATUS_OK)
        return status;
    if (index_add(&texts->index, hash, (uint32_t)texts->count) != STATUS_OK) {
        free(made.text);
        return STATUS_NO_MEMORY;
    }
    texts->items[texts->count++] = made;
    *out = made.text;
    return STATUS_OK;
}
