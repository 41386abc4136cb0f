/* SPDX-License-Identifier: MIT */
#include "snapshot/import/names_ahead.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "snapshot/records.h"

#define NONE UINT32_MAX

/* Kinds of records, each with its own count. */
enum { NAMES, SYMBOL_FILES, PROCESSES, KINDS };

void names_ahead_deinit(struct names_ahead *ahead)
{
    free(ahead->records);
    free(ahead->payload);
    map_deinit(&ahead->by_pid);
    *ahead = (struct names_ahead){0};
}

/* Returns the record's kind; KINDS: none of these. */
static unsigned kind_of(const struct passed_record *head)
{
    switch (head->type) {
    case SNAP_NAMES:
        return NAMES;
    case SNAP_SYMBOL_FILE:
        return SYMBOL_FILES;
    case SNAP_PROCESS:
        return PROCESSES;
    default:
        return KINDS;
    }
}

/* Reads the pid that all kinds begin with. False: damaged. */
static bool read_pid(int fd, const struct passed_record *head, uint32_t *pid)
{
    uint8_t bytes[4] = {0};
    struct cursor c = cursor_init(bytes, sizeof(bytes));

    return head->len >= sizeof(bytes) &&
           pread(fd, bytes, sizeof(bytes), (off_t)(head->off + SNAP_RECORD_HEAD)) ==
               (ssize_t)sizeof(bytes) &&
           cursor_u32(&c, pid);
}

/* Adds a record. `last`: pid -> index of its last record, from its first PROCESS on. */
static enum status add(struct names_ahead *ahead, struct map *last,
                       const struct passed_record *head, uint32_t pid)
{
    const uint32_t index = (uint32_t)ahead->count;
    uint64_t *before = map_get(last, pid);

    if (vec_reserve(&ahead->records, &ahead->cap, ahead->count + 1, sizeof(*ahead->records)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    ahead->records[ahead->count++] =
        (struct record_ahead){.head = *head, .pid = pid, .next = NONE, .is_behind = before != NULL};
    if (before) {
        ahead->records[*before].next = index;
        *before = index;
    } else if (head->type == SNAP_PROCESS) {
        ahead->records[index].is_behind = true;
        if (!map_put(last, pid, index) || !map_put(&ahead->by_pid, pid, index))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* Stops at a damaged record, or a PROCESS too many: what follows could be of any program. */
enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off)
{
    unsigned counts[KINDS] = {0};
    struct map last = {0};
    struct record_heads heads;
    struct passed_record head;
    enum status status = record_heads_init(&heads, fd, off);

    if (status != STATUS_OK)
        return status;
    ahead->fd = fd;
    while (status == STATUS_OK && record_heads_next(&heads, &head)) {
        const unsigned kind = kind_of(&head);
        uint32_t pid;

        if (kind == KINDS || (kind != PROCESSES && counts[kind] >= NAMES_AHEAD_MAX))
            continue;
        if (counts[kind]++ >= NAMES_AHEAD_MAX || !read_pid(fd, &head, &pid))
            break;
        status = add(ahead, &last, &head, pid);
    }
    if (status != STATUS_OK)
        ahead->count = 0;
    map_deinit(&last);
    record_heads_deinit(&heads);
    return status;
}

void names_ahead_process(struct names_ahead *ahead, uint32_t pid)
{
    uint64_t *behind = map_get(&ahead->by_pid, pid);

    ahead->has_behind = ahead->count && behind && *behind != NONE;
    ahead->behind_pid = pid;
    if (ahead->has_behind) /* it is the PROCESS itself */
        *behind = ahead->records[*behind].next;
}

/* Reads a record's event. NOT_FOUND: damaged. */
static enum status load(struct names_ahead *ahead, const struct passed_record *head,
                        struct snap_event *event)
{
    struct snap_records records = {0};
    const char *what;
    struct cursor c;

    if (vec_reserve(&ahead->payload, &ahead->payload_cap, head->len, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (!record_payload_read(ahead->fd, head, ahead->payload))
        return STATUS_NOT_FOUND;
    c = cursor_init(ahead->payload, head->len);
    return snap_records_take(&records, head->type, 0, &c, event, &what) == STATUS_OK
               ? STATUS_OK
               : STATUS_NOT_FOUND;
}

/* Returns the next record; NULL: none. Those behind a PROCESS come after names_ahead_process. */
static const struct record_ahead *take_next(struct names_ahead *ahead)
{
    const struct record_ahead *record;
    uint64_t *behind = ahead->has_behind ? map_get(&ahead->by_pid, ahead->behind_pid) : NULL;

    if (behind) {
        record = *behind != NONE ? &ahead->records[*behind] : NULL;
        ahead->has_behind = record && record->head.type != SNAP_PROCESS;
        if (!ahead->has_behind)
            return NULL;
        *behind = record->next;
        return record;
    }
    while (ahead->next < ahead->count) {
        record = &ahead->records[ahead->next++];
        if (!record->is_behind)
            return record;
    }
    return NULL;
}

enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event)
{
    const struct record_ahead *record;

    while ((record = take_next(ahead))) {
        enum status status = load(ahead, &record->head, event);

        if (status == STATUS_OK && event->type == SNAP_NAMES)
            event->names.is_ahead = true;
        else if (status == STATUS_OK)
            event->symbol_file.is_ahead = true;
        if (status != STATUS_NOT_FOUND)
            return status;
    }
    return STATUS_END;
}
