/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/sample.h"

#include "base/cursor.h"

/* Skips `count` items of `size` bytes. */
static bool skip_items(struct cursor *c, uint64_t count, uint64_t size)
{
    uint64_t bytes;

    return !__builtin_mul_overflow(count, size, &bytes) && cursor_skip(c, bytes);
}

/* struct read_format of perf_event_open(2) */
static bool skip_read(struct cursor *c, uint64_t format)
{
    uint64_t count = 1;
    uint64_t words = 1, times = 0;

    words += (format & PERF_FORMAT_ID) != 0;
    words += (format & PERF_READ_LOST) != 0;
    times += (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0;
    times += (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0;
    if (format & PERF_FORMAT_GROUP && !cursor_u64(c, &count))
        return false;
    return cursor_skip(c, 8 * times) && skip_items(c, count, 8 * words);
}

static bool skip_branches(struct cursor *c, uint64_t type)
{
    uint64_t count;

    if (!cursor_u64(c, &count) || (type & PERF_BRANCH_HW_INDEX && !cursor_skip(c, 8)))
        return false;
    return skip_items(c, count, 24) && (!(type & PERF_BRANCH_COUNTERS) || skip_items(c, count, 8));
}

static bool skip_raw(struct cursor *c)
{
    uint32_t size;

    return cursor_u32(c, &size) && cursor_skip(c, size);
}

static bool read_regs(struct cursor *c, const struct perf_attr *attr, struct perf_sample *out)
{
    if (!cursor_u64(c, &out->regs_abi))
        return false;
    return out->regs_abi == PERF_SAMPLE_REGS_ABI_NONE ||
           cursor_bytes(c, 8 * (uint64_t)attr->regs.count, &out->regs);
}

/* Reads the room for the stack, then how much of it was filled. */
static bool read_stack(struct cursor *c, struct perf_sample *out)
{
    if (!cursor_u64(c, &out->stack_limit))
        return false;
    if (out->stack_limit == 0)
        return true;
    return cursor_bytes(c, out->stack_limit, &out->stack) && cursor_u64(c, &out->stack_size) &&
           out->stack_size <= out->stack_limit;
}

/* The fields of one word. */
static bool read_words(struct cursor *c, uint64_t type, struct perf_sample *out)
{
    return (!(type & PERF_SAMPLE_IDENTIFIER) || cursor_skip(c, 8)) &&
           (!(type & PERF_SAMPLE_IP) || cursor_u64(c, &out->ip)) &&
           (!(type & PERF_SAMPLE_TID) || (cursor_u32(c, &out->pid) && cursor_u32(c, &out->tid))) &&
           (!(type & PERF_SAMPLE_TIME) || cursor_u64(c, &out->time_ns)) &&
           (!(type & PERF_SAMPLE_ADDR) || cursor_skip(c, 8)) &&
           (!(type & PERF_SAMPLE_ID) || cursor_skip(c, 8)) &&
           (!(type & PERF_SAMPLE_STREAM_ID) || cursor_skip(c, 8)) &&
           (!(type & PERF_SAMPLE_CPU) || cursor_skip(c, 8)) &&
           (!(type & PERF_SAMPLE_PERIOD) || cursor_u64(c, &out->period));
}

static bool read_chain(struct cursor *c, struct perf_sample *out)
{
    return cursor_u64(c, &out->chain_count) && out->chain_count <= cursor_left(c) / 8 &&
           cursor_bytes(c, 8 * out->chain_count, &out->chain);
}

enum status perf_sample_parse(const struct perf_attr *attr, const struct perf_record *record,
                              struct perf_sample *out)
{
    const struct perf_event_attr *a = &attr->attr;
    struct cursor c = cursor_init(record->bytes, record->size);
    uint64_t type = a->sample_type;
    bool whole;

    *out = (struct perf_sample){.period = a->freq ? 0 : a->sample_period};
    whole = cursor_skip(&c, PERF_RECORD_HEAD) && read_words(&c, type, out) &&
            (!(type & PERF_SAMPLE_READ) || skip_read(&c, a->read_format)) &&
            (!(type & PERF_SAMPLE_CALLCHAIN) || read_chain(&c, out)) &&
            (!(type & PERF_SAMPLE_RAW) || skip_raw(&c)) &&
            (!(type & PERF_SAMPLE_BRANCH_STACK) || skip_branches(&c, a->branch_sample_type)) &&
            (!(type & PERF_SAMPLE_REGS_USER) || read_regs(&c, attr, out)) &&
            (!(type & PERF_SAMPLE_STACK_USER) || read_stack(&c, out));
    return whole ? STATUS_OK : STATUS_BAD_DATA;
}
