/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/attr.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Fields of one word before the time and the id of a sample, and at the end of other records. */
#define BEFORE_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)
#define BEFORE_ID   (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
#define AFTER_ID    (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define COMMON      (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | AFTER_ID)

static size_t words(uint64_t bits)
{
    return (size_t)__builtin_popcountll(bits);
}

void perf_attrs_deinit(struct perf_attrs *attrs)
{
    free(attrs->list);
    map_deinit(&attrs->by_id);
}

enum status perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes, size_t size)
{
    struct perf_attr attr = {.attr.type = 0};

    if (size < PERF_ATTR_SIZE_VER0 || attrs->count == PERF_ATTR_MAX)
        return STATUS_BAD_DATA;
    memcpy(&attr.attr, bytes, size < sizeof(attr.attr) ? size : sizeof(attr.attr));
    if (vec_reserve(&attrs->list, &attrs->cap, attrs->count + 1, sizeof(attr)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (attrs->arch)
        perf_regs_layout(attrs->arch, attr.attr.sample_regs_user, &attr.regs);
    attrs->list[attrs->count++] = attr;
    return STATUS_OK;
}

enum status perf_attrs_add_ids(struct perf_attrs *attrs, const uint8_t *bytes, uint64_t count)
{
    if (attrs->count == 0 || count > PERF_ID_MAX - attrs->id_count)
        return STATUS_BAD_DATA;
    attrs->id_count += count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t id, *index;

        memcpy(&id, bytes + 8 * i, 8);
        index = map_put(&attrs->by_id, id, 0);
        if (!index)
            return STATUS_NO_MEMORY;
        *index = attrs->count - 1;
    }
    return STATUS_OK;
}

void perf_attrs_set_arch(struct perf_attrs *attrs, const struct arch *arch)
{
    attrs->arch = arch;
    for (size_t i = 0; i < attrs->count; i++)
        perf_regs_layout(arch, attrs->list[i].attr.sample_regs_user, &attrs->list[i].regs);
}

/* The word at `word` of a record's payload; false: the record is too short. */
static bool word_at(const struct perf_record *record, size_t word, uint64_t *out)
{
    size_t off = PERF_RECORD_HEAD + 8 * word;

    if (off + 8 > record->size)
        return false;
    memcpy(out, record->bytes + off, 8);
    return true;
}

/* The word that is the `word`-th from the end, 1 for the last. */
static bool word_from_end(const struct perf_record *record, size_t word, uint64_t *out)
{
    if (PERF_RECORD_HEAD + 8 * word > record->size)
        return false;
    memcpy(out, record->bytes + record->size - 8 * word, 8);
    return true;
}

/* Finds the id, at the same place in the records of all events: the first event says where. */
static bool find_id(const struct perf_event_attr *first, const struct perf_record *record,
                    uint64_t *id)
{
    uint64_t type = first->sample_type;

    if (record->type == PERF_RECORD_SAMPLE) {
        if (type & PERF_SAMPLE_IDENTIFIER)
            return word_at(record, 0, id);
        return type & PERF_SAMPLE_ID && word_at(record, words(type & BEFORE_ID), id);
    }
    if (!first->sample_id_all)
        return false;
    if (type & PERF_SAMPLE_IDENTIFIER)
        return word_from_end(record, 1, id);
    return type & PERF_SAMPLE_ID && word_from_end(record, 1 + words(type & AFTER_ID), id);
}

const struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs,
                                        const struct perf_record *record)
{
    uint64_t id, *index;

    if (attrs->count == 0)
        return NULL;
    if (attrs->count == 1 || !find_id(&attrs->list[0].attr, record, &id))
        return attrs->list;
    index = map_get(&attrs->by_id, id);
    if (index)
        return &attrs->list[*index];
    /* Records made by perf itself have no id, and the first event's layout. */
    return record->type == PERF_RECORD_SAMPLE ? NULL : attrs->list;
}

uint64_t perf_attrs_time(const struct perf_attrs *attrs, const struct perf_record *record)
{
    const struct perf_attr *attr = perf_attrs_find(attrs, record);
    uint64_t type = attr ? attr->attr.sample_type : 0, time_ns;
    bool known;

    if (!(type & PERF_SAMPLE_TIME))
        return 0;
    if (record->type == PERF_RECORD_SAMPLE)
        known = word_at(record, words(type & BEFORE_TIME), &time_ns);
    else
        known = attr->attr.sample_id_all &&
                word_from_end(record, words(type & COMMON & ~(uint64_t)PERF_SAMPLE_TID), &time_ns);
    return known && time_ns != UINT64_MAX ? time_ns : 0;
}

size_t perf_attrs_payload_end(const struct perf_attrs *attrs, const struct perf_record *record)
{
    const struct perf_attr *attr = perf_attrs_find(attrs, record);
    size_t common =
        attr && attr->attr.sample_id_all ? 8 * words(attr->attr.sample_type & COMMON) : 0;

    return common <= record->size - (size_t)PERF_RECORD_HEAD ? record->size - common
                                                             : PERF_RECORD_HEAD;
}
