/* SPDX-License-Identifier: MIT */
#include "unwind/functions/kept_calls.h"

#include <stdlib.h>
#include <string.h>

#define CODE_MIN (UINT64_C(1) << 20) /* bytes of code, which are scanned in a millisecond or two */

struct kept_range {
    uint64_t start_vaddr, size, targets;
};

static size_t first_count(uint64_t size)
{
    return (size_t)(size / CALLS_BLOCK) + 2;
}

/* Are the blocks' first indices ascending, from 0 to the number of targets? */
static bool is_sound(const struct called_range *range, uint64_t targets)
{
    const size_t last = first_count(range->size) - 1;

    for (size_t i = 0; i < last; i++)
        if (range->first[i] > range->first[i + 1])
            return false;
    return range->first[0] == 0 && range->first[last] == targets;
}

/* Unpacks one range, which must be the file's, with `size` scanned bytes. */
static bool unpack(struct cursor *c, const struct vaddr_range *code, uint64_t size,
                   struct called_range *range)
{
    const uint8_t *first, *offs;
    struct kept_range head;

    if (cursor_left(c) < sizeof(head))
        return false;
    memcpy(&head, c->data + c->pos, sizeof(head));
    c->pos += sizeof(head);
    if (head.start_vaddr != code->start_vaddr || head.size != size || head.targets > UINT32_MAX ||
        !cursor_bytes(c, first_count(head.size) * sizeof(*range->first), &first) ||
        !cursor_bytes(c, head.targets * sizeof(*range->offs), &offs))
        return false;
    range->start_vaddr = head.start_vaddr;
    range->size = head.size;
    range->first = malloc(first_count(head.size) * sizeof(*range->first));
    range->offs = malloc((size_t)(head.targets + 1) * sizeof(*range->offs));
    if (!range->first || !range->offs)
        return false;
    memcpy(range->first, first, first_count(head.size) * sizeof(*range->first));
    memcpy(range->offs, offs, (size_t)head.targets * sizeof(*range->offs));
    return is_sound(range, head.targets);
}

bool kept_calls_find(struct kept_search *kept, enum kept_kind kind, const struct elf_image *image,
                     struct calls *out)
{
    const struct kept_id id = {.kind = (uint32_t)kind};
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);
    uint64_t left = CALLS_BYTES_MAX;
    struct cursor c;

    *out = (struct calls){0};
    if (!kept_search_find(kept, &id, &c))
        return false;
    out->ranges = calloc(count + 1, sizeof(*out->ranges));
    for (size_t i = 0; out->ranges && i < count; i++) {
        const uint64_t size = calls_range_size(image, &ranges[i], &left);

        if (size > 0 && !unpack(&c, &ranges[i], size, &out->ranges[out->count++])) {
            calls_deinit(out);
            return false;
        }
    }
    return out->ranges != NULL;
}

void kept_calls_put(struct kept_search *kept, enum kept_kind kind, const struct calls *calls)
{
    const struct kept_id id = {.kind = (uint32_t)kind};
    uint64_t code_size = 0;
    size_t size = 0;
    uint8_t *bytes, *at;

    for (size_t i = 0; i < calls->count; i++) {
        const struct called_range *range = &calls->ranges[i];
        const size_t firsts = first_count(range->size);

        code_size += range->size;
        size += sizeof(struct kept_range) + firsts * sizeof(*range->first) +
                range->first[firsts - 1] * sizeof(*range->offs);
    }
    if (code_size < CODE_MIN || !(bytes = malloc(size)))
        return;
    at = bytes;
    for (size_t i = 0; i < calls->count; i++) {
        const struct called_range *range = &calls->ranges[i];
        const size_t firsts = first_count(range->size);
        const struct kept_range head = {range->start_vaddr, range->size, range->first[firsts - 1]};

        memcpy(at, &head, sizeof(head));
        at += sizeof(head);
        memcpy(at, range->first, firsts * sizeof(*range->first));
        at += firsts * sizeof(*range->first);
        memcpy(at, range->offs, (size_t)head.targets * sizeof(*range->offs));
        at += head.targets * sizeof(*range->offs);
    }
    kept_search_put(kept, &id, bytes, size);
}
