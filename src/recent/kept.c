/* SPDX-License-Identifier: MIT */
#include "recent/kept.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "base/vec.h"
#include "snapshot/format.h"

/* In a MAP's payload: offsets of the build-id's length, and of the build-id; addresses follow. */
#define MAP_ID_SIZE_OFF 7u
#define MAP_START_OFF   8u

void kept_deinit(struct kept_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->records[i].bytes);
    free(list->records);
    *list = (struct kept_list){0};
}

enum status kept_add(struct kept_list *list, struct record_bytes record, struct recent_record what)
{
    if (vec_reserve(&list->records, &list->cap, list->count + 1, sizeof(*list->records)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    what.bytes = malloc(record.size);
    what.size = record.size;
    if (!what.bytes)
        return STATUS_NO_MEMORY;
    memcpy(what.bytes, record.bytes, record.size);
    list->records[list->count++] = what;
    list->size += record.size;
    return STATUS_OK;
}

/* Removes records in one pass; the order stays. */
static void remove_if(struct kept_list *list,
                      bool (*is_meant)(const struct recent_record *record,
                                       const struct recent_record *wanted),
                      struct recent_record wanted)
{
    size_t stay = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (is_meant(&list->records[i], &wanted)) {
            list->size -= list->records[i].size;
            free(list->records[i].bytes);
        } else {
            list->records[stay++] = list->records[i];
        }
    }
    list->count = stay;
}

void kept_remove(struct kept_list *list, size_t index)
{
    list->size -= list->records[index].size;
    free(list->records[index].bytes);
    memmove(&list->records[index], &list->records[index + 1],
            (list->count - index - 1) * sizeof(*list->records));
    list->count--;
}

static bool is_of_pid(const struct recent_record *record, const struct recent_record *wanted)
{
    return record->pid == wanted->pid;
}

static bool overlaps(const struct recent_record *record, const struct recent_record *wanted)
{
    return record->pid == wanted->pid && record->start < wanted->end && record->end > wanted->start;
}

static bool is_covered(const struct recent_record *record, const struct recent_record *wanted)
{
    return record->pid == wanted->pid && record->start >= wanted->start &&
           record->end <= wanted->end;
}

void kept_remove_pid(struct kept_list *list, uint32_t pid)
{
    remove_if(list, is_of_pid, (struct recent_record){.pid = pid});
}

void kept_remove_overlapped(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end)
{
    remove_if(list, overlaps, (struct recent_record){.pid = pid, .start = start, .end = end});
}

void kept_remove_covered(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end)
{
    remove_if(list, is_covered, (struct recent_record){.pid = pid, .start = start, .end = end});
}

static void put_u64(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

/* Makes the MAP one of a part of its range. */
static void narrow(struct recent_record *map, uint64_t start, uint64_t end)
{
    uint8_t *payload = map->bytes + SNAP_RECORD_HEAD;
    uint8_t *addrs = payload + MAP_START_OFF + payload[MAP_ID_SIZE_OFF];
    struct cursor c = cursor_init(addrs + 16, 8);
    uint64_t file_off = 0;
    uint32_t crc = crc32_update(0, map->bytes, 8);

    (void)!cursor_u64(&c, &file_off); /* the reader has checked it */
    put_u64(addrs, start);
    put_u64(addrs + 8, end);
    put_u64(addrs + 16, file_off + (start - map->start));
    crc = crc32_update(crc, payload, map->size - SNAP_RECORD_HEAD);
    for (unsigned i = 0; i < 4; i++)
        map->bytes[8 + i] = (uint8_t)(crc >> (8 * i));
    map->start = start;
    map->end = end;
}

/* Adds the part behind `end` as a record of its own. */
static enum status add_behind(struct kept_list *list, size_t index, uint64_t end)
{
    const struct recent_record map = list->records[index];
    enum status status = kept_add(list, (struct record_bytes){map.bytes, map.size}, map);

    if (status == STATUS_OK)
        narrow(&list->records[list->count - 1], end, map.end);
    return status;
}

enum status kept_cut_maps(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end)
{
    const size_t count = list->count;
    enum status status = STATUS_OK;

    kept_remove_covered(list, pid, start, end);
    for (size_t i = 0; i < list->count && i < count && status == STATUS_OK; i++) {
        struct recent_record *map = &list->records[i];

        if (map->pid != pid || map->start >= end || map->end <= start)
            continue;
        if (map->start < start && map->end > end)
            status = add_behind(list, i, end);
        map = &list->records[i];
        if (status == STATUS_OK && map->start < start)
            narrow(map, map->start, start);
        else if (status == STATUS_OK)
            narrow(map, end, map->end);
    }
    return status;
}
