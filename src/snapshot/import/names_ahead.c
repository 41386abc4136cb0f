/* SPDX-License-Identifier: MIT */
#include "snapshot/import/names_ahead.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "snapshot/records.h"

#define RECORDS_MAX 65536u /* so many are found ahead */

/* Is it of those that may tell of samples before them? */
static bool tells_later(uint16_t type)
{
    return type == SNAP_NAMES || type == SNAP_SYMBOL_FILE;
}

void names_ahead_deinit(struct names_ahead *ahead)
{
    free(ahead->heads);
    free(ahead->payload);
    *ahead = (struct names_ahead){0};
}

static enum status add(struct names_ahead *ahead, const struct passed_record *head)
{
    enum status status =
        vec_reserve(&ahead->heads, &ahead->cap, ahead->count + 1, sizeof(*ahead->heads));

    if (status == STATUS_OK)
        ahead->heads[ahead->count++] = *head;
    return status;
}

enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off)
{
    struct record_heads heads;
    struct passed_record head;
    enum status status = record_heads_init(&heads, fd, off);

    if (status != STATUS_OK)
        return status;
    ahead->fd = fd;
    while (status == STATUS_OK && ahead->count < RECORDS_MAX && record_heads_next(&heads, &head))
        if (tells_later(head.type))
            status = add(ahead, &head);
    if (status != STATUS_OK)
        ahead->count = 0;
    record_heads_deinit(&heads);
    return status;
}

/* NOT_FOUND: it is damaged. */
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

enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event)
{
    while (ahead->next < ahead->count) {
        enum status status = load(ahead, &ahead->heads[ahead->next++], event);

        if (status == STATUS_OK && event->type == SNAP_NAMES)
            event->names.is_ahead = true;
        else if (status == STATUS_OK)
            event->symbol_file.is_ahead = true;
        if (status != STATUS_NOT_FOUND)
            return status;
    }
    return STATUS_END;
}
