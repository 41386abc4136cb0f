/* SPDX-License-Identifier: MIT */
#include "snapshot/wait_list.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that a wait points to, in the record. */
struct pieces {
    const uint8_t *bytes, *text; /* memory; path or link */
    uint16_t text_size;
};

/* Returns the block that a wait owns: its memory, then its text. */
static uint8_t *block_of(const struct snap_wait *wait)
{
    return (uint8_t *)(uintptr_t)(wait->kind == SNAP_WAIT_FD ? (const uint8_t *)wait->link
                                                             : wait->bytes);
}

void wait_list_clear(struct wait_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(block_of(&list->waits[i]));
    free(list->waits);
    *list = (struct wait_list){0};
}

static bool read_text(struct cursor *c, struct pieces *pieces)
{
    return cursor_u16(c, &pieces->text_size) && cursor_bytes(c, pieces->text_size, &pieces->text);
}

static enum status read_memory(struct cursor *c, struct snap_wait *wait, struct pieces *pieces,
                               const char **what)
{
    uint64_t end;

    if (!cursor_u64(c, &wait->addr) || !cursor_u32(c, &wait->size) ||
        !cursor_bytes(c, wait->size, &pieces->bytes) || !cursor_u8(c, &wait->place) ||
        !cursor_u64(c, &wait->map_start_addr) || !cursor_u64(c, &wait->map_end_addr) ||
        !cursor_u64(c, &wait->file_addr) || !read_text(c, pieces))
        return STATUS_BAD_DATA;
    if (wait->size > SNAP_WAIT_MEMORY_MAX || __builtin_add_overflow(wait->addr, wait->size, &end) ||
        wait->map_start_addr > wait->map_end_addr) {
        *what = "wait record is inconsistent";
        return STATUS_BAD_DATA;
    }
    if (wait->place > SNAP_PLACE_STACK)
        wait->place = SNAP_PLACE_UNKNOWN;
    return STATUS_OK;
}

static enum status read_wait(struct cursor *c, struct snap_wait *wait, struct pieces *pieces,
                             const char **what)
{
    *what = "wait record is too short";
    if (!cursor_u64(c, &wait->time_ns) || !cursor_u8(c, &wait->kind))
        return STATUS_BAD_DATA;
    switch (wait->kind) {
    case SNAP_WAIT_MEMORY:
        return read_memory(c, wait, pieces, what);
    case SNAP_WAIT_FD:
        return cursor_u32(c, &wait->fd) && read_text(c, pieces) ? STATUS_OK : STATUS_BAD_DATA;
    }
    return STATUS_NOT_FOUND;
}

/* Makes room for one more wait; lists are short. */
static bool grow(struct wait_list *list)
{
    struct snap_wait *waits = realloc(list->waits, (list->count + 1) * sizeof(*waits));

    if (waits)
        list->waits = waits;
    return waits;
}

enum status wait_list_add(struct wait_list *list, struct cursor *c, const char **what)
{
    struct snap_wait wait = {0};
    struct pieces pieces = {0};
    enum status status = read_wait(c, &wait, &pieces, what);
    size_t size = (size_t)wait.size + pieces.text_size + 1;
    uint8_t *block;

    if (status != STATUS_OK)
        return status;
    if (list->count == SNAP_WAIT_MAX) {
        *what = "a thread waits for more than the format allows";
        return STATUS_BAD_DATA;
    }
    block = grow(list) ? malloc(size) : NULL;
    if (!block)
        return STATUS_NO_MEMORY;
    if (wait.size)
        memcpy(block, pieces.bytes, wait.size);
    memcpy(block + wait.size, pieces.text, pieces.text_size);
    block[size - 1] = '\0';
    if (wait.kind == SNAP_WAIT_FD) {
        wait.link = (const char *)block;
    } else {
        wait.bytes = block;
        wait.path = (const char *)block + wait.size;
    }
    list->waits[list->count++] = wait;
    list->size += sizeof(wait) + size;
    return STATUS_OK;
}

void wait_list_unchanged(struct wait_list *list, uint64_t time_ns)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->waits[i].kind == SNAP_WAIT_MEMORY && list->waits[i].time_ns < time_ns)
            list->waits[i].time_ns = time_ns;
}
