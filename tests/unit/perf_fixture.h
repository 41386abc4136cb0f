/* SPDX-License-Identifier: MIT */
/*
 * perf.data files in memory, record by record as linux/perf_event.h lays them out, and their
 * events:
 *
 *     struct perf_file f = perf_file(ARCH_X86_64);
 *     put_comm(&f, 7, 7, "main", 10);
 *     put_sample(&f, 7, 7, 20, "stack bytes");
 *     struct events e = read_file(&f);
 */
#ifndef TESTS_PERF_FIXTURE_H
#define TESTS_PERF_FIXTURE_H

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "snapshot/import/perf/format.h"
#include "snapshot/import/source.h"

#define PERF_FILE_MAX (1u << 20)
#define SAMPLE_TYPE                                                                                \
    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                    \
     PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define STACK_LIMIT 64

struct bytes {
    uint8_t *at;
    size_t len;
};

static inline void put(struct bytes *b, const void *bytes, size_t size)
{
    assert_true(b->len + size <= PERF_FILE_MAX);
    memcpy(b->at + b->len, bytes, size);
    b->len += size;
}

static inline void put_u16(struct bytes *b, uint16_t value)
{
    put(b, &value, 2);
}

static inline void put_u32(struct bytes *b, uint32_t value)
{
    put(b, &value, 4);
}

static inline void put_u64(struct bytes *b, uint64_t value)
{
    put(b, &value, 8);
}

/* A text with NUL, padded to whole words. */
static inline void put_text(struct bytes *b, const char *text)
{
    size_t size = strlen(text) + 1;

    put(b, text, size);
    for (; size % 8; size++)
        put(b, "", 1);
}

static const struct {
    const char *name;
    uint64_t mask, abi;
} perf_archs[ARCH_COUNT] = {
    [ARCH_X86_64] = {"x86_64", 0xff0fff, PERF_SAMPLE_REGS_ABI_64},
    [ARCH_I386] = {"i686", 0xffff, PERF_SAMPLE_REGS_ABI_32},
    [ARCH_ARM] = {"armv7l", 0xffff, PERF_SAMPLE_REGS_ABI_32},
    [ARCH_AARCH64] = {"aarch64", 0x1ffffffff, PERF_SAMPLE_REGS_ABI_64},
    [ARCH_RISCV64] = {"riscv64", 0xffffffff, PERF_SAMPLE_REGS_ABI_64},
    [ARCH_RISCV32] = {"riscv32", 0xffffffff, PERF_SAMPLE_REGS_ABI_32},
};

struct perf_file {
    enum arch_id arch;
    struct perf_event_attr attrs[4];
    size_t attr_count;
    uint64_t ids[4];
    struct bytes records, build_ids;
    size_t record; /* where the record at hand begins */
};

static inline struct perf_file perf_file(enum arch_id arch)
{
    struct perf_file f = {.arch = arch, .attr_count = 1, .ids = {100, 101, 102, 103}};

    f.records.at = malloc(PERF_FILE_MAX);
    f.build_ids.at = malloc(PERF_FILE_MAX);
    assert_non_null(f.records.at);
    assert_non_null(f.build_ids.at);
    f.attrs[0] = (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
                                          .size = sizeof(f.attrs[0]),
                                          .config = PERF_COUNT_SW_CPU_CLOCK,
                                          .freq = 1,
                                          .sample_type = SAMPLE_TYPE,
                                          .sample_id_all = 1,
                                          .sample_regs_user = perf_archs[arch].mask,
                                          .sample_stack_user = STACK_LIMIT};
    return f;
}

static inline void perf_file_free(struct perf_file *f)
{
    free(f->records.at);
    free(f->build_ids.at);
}

static inline void begin_record(struct perf_file *f, uint32_t type, uint16_t misc)
{
    f->record = f->records.len;
    put_u32(&f->records, type);
    put_u16(&f->records, misc);
    put_u16(&f->records, 0);
}

static inline void end_record(struct perf_file *f)
{
    uint16_t size = (uint16_t)(f->records.len - f->record);

    memcpy(f->records.at + f->record + 6, &size, 2);
}

/* The common fields at the end of what is no sample, in the layout of the first event. */
static inline void end_timed(struct perf_file *f, uint32_t pid, uint32_t tid, uint64_t time)
{
    uint64_t type = f->attrs[0].sample_type;

    if (type & PERF_SAMPLE_TID) {
        put_u32(&f->records, pid);
        put_u32(&f->records, tid);
    }
    if (type & PERF_SAMPLE_TIME)
        put_u64(&f->records, time);
    if (type & PERF_SAMPLE_IDENTIFIER)
        put_u64(&f->records, f->ids[0]);
    end_record(f);
}

static inline void put_comm(struct perf_file *f, uint32_t pid, uint32_t tid, const char *name,
                            uint64_t time, bool exec)
{
    begin_record(f, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
    put_u32(&f->records, pid);
    put_u32(&f->records, tid);
    put_text(&f->records, name);
    end_timed(f, pid, tid, time);
}

static inline void put_task(struct perf_file *f, uint32_t type, uint32_t pid, uint32_t ppid,
                            uint32_t tid, uint32_t ptid, uint64_t time)
{
    begin_record(f, type, 0);
    put_u32(&f->records, pid);
    put_u32(&f->records, ppid);
    put_u32(&f->records, tid);
    put_u32(&f->records, ptid);
    put_u64(&f->records, time);
    end_timed(f, pid, tid, time);
}

static inline void put_mmap(struct perf_file *f, uint32_t pid, uint64_t start, uint64_t size,
                            const char *path, uint64_t time)
{
    begin_record(f, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
    put_u32(&f->records, pid);
    put_u32(&f->records, pid);
    put_u64(&f->records, start);
    put_u64(&f->records, size);
    put_u64(&f->records, 0x1000);
    put_text(&f->records, path);
    end_timed(f, pid, pid, time);
}

/* `build_id` of 20 bytes, or NULL. */
static inline void put_mmap2(struct perf_file *f, uint32_t pid, uint64_t start, uint64_t size,
                             const char *path, const uint8_t *build_id, uint32_t prot,
                             uint64_t time)
{
    begin_record(f, PERF_RECORD_MMAP2,
                 (uint16_t)(PERF_RECORD_MISC_USER |
                            (build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0)));
    put_u32(&f->records, pid);
    put_u32(&f->records, pid);
    put_u64(&f->records, start);
    put_u64(&f->records, size);
    put_u64(&f->records, 0x1000);
    if (build_id) {
        put_u32(&f->records, 20);
        put(&f->records, build_id, 20);
    } else {
        put_u32(&f->records, 8);
        put_u32(&f->records, 1);
        put_u64(&f->records, 42);
        put_u64(&f->records, 0);
    }
    put_u32(&f->records, prot);
    put_u32(&f->records, 2);
    put_text(&f->records, path);
    end_timed(f, pid, pid, time);
}

static inline void put_round(struct perf_file *f)
{
    begin_record(f, PERF_FINISHED_ROUND, 0);
    end_record(f);
}

/* What begins a sample, up to its chain. */
static inline void begin_sample(struct perf_file *f, uint32_t pid, uint32_t tid, uint64_t time,
                                uint16_t mode)
{
    begin_record(f, PERF_RECORD_SAMPLE, mode);
    if (f->attrs[0].sample_type & PERF_SAMPLE_IDENTIFIER)
        put_u64(&f->records, f->ids[0]);
    put_u64(&f->records, 0x1234);
    put_u32(&f->records, pid);
    put_u32(&f->records, tid);
    put_u64(&f->records, time);
    put_u64(&f->records, 1000);
}

static inline void put_chain(struct perf_file *f, size_t count, const uint64_t *addrs)
{
    put_u64(&f->records, count);
    for (size_t i = 0; i < count; i++)
        put_u64(&f->records, addrs[i]);
}

/* Registers of which each has 0x1000 times its number of perf's as value. */
static inline void put_regs(struct perf_file *f, uint64_t abi)
{
    put_u64(&f->records, abi);
    for (unsigned bit = 0; abi && bit < 64; bit++)
        if (f->attrs[0].sample_regs_user >> bit & 1)
            put_u64(&f->records, 0x1000 * (uint64_t)bit);
}

static inline void put_stack(struct perf_file *f, const char *stack, size_t size)
{
    uint8_t room[STACK_LIMIT] = {0};

    memcpy(room, stack, size);
    put_u64(&f->records, STACK_LIMIT);
    put(&f->records, room, sizeof(room));
    put_u64(&f->records, size);
}

/* A sample of user space: no chain, registers, a stack. */
static inline void put_sample(struct perf_file *f, uint32_t pid, uint32_t tid, uint64_t time,
                              const char *stack)
{
    begin_sample(f, pid, tid, time, PERF_RECORD_MISC_USER);
    put_chain(f, 0, NULL);
    put_regs(f, perf_archs[f->arch].abi);
    put_stack(f, stack, strlen(stack));
    end_record(f);
}

static inline void put_build_id(struct perf_file *f, const char *path, const uint8_t *id)
{
    size_t begin = f->build_ids.len;
    uint16_t size;

    put_u32(&f->build_ids, PERF_HEADER_BUILD_ID);
    put_u16(&f->build_ids, 0);
    put_u16(&f->build_ids, 0);
    put_u32(&f->build_ids, (uint32_t)-1);
    put(&f->build_ids, id, 20);
    put_u32(&f->build_ids, 0);
    put_text(&f->build_ids, path);
    size = (uint16_t)(f->build_ids.len - begin);
    memcpy(f->build_ids.at + begin + 6, &size, 2);
}

/* struct perf_header_string */
static inline void put_header_text(struct bytes *b, const char *text)
{
    put_u32(b, 64);
    put(b, text, strlen(text) + 1);
    for (size_t i = strlen(text) + 1; i < 64; i++)
        put(b, "", 1);
}

static inline void put_section(struct bytes *b, uint64_t off, uint64_t size)
{
    put_u64(b, off);
    put_u64(b, size);
}

/* The whole file, with ids behind the header and the features HOSTNAME, OSRELEASE, ARCH, BUILD_ID.
 * The caller's to free. */
static inline struct bytes file_image(const struct perf_file *f)
{
    struct bytes b = {.at = malloc(PERF_FILE_MAX)};
    uint64_t attr_size = sizeof(struct perf_event_attr) + 16;
    uint64_t attrs = PERF_FILE_HEADER_SIZE + 8 * f->attr_count;
    uint64_t data = attrs + attr_size * f->attr_count, end = data + f->records.len;

    assert_non_null(b.at);
    put(&b, "PERFILE2", 8);
    put_u64(&b, PERF_FILE_HEADER_SIZE);
    put_u64(&b, attr_size);
    put_section(&b, attrs, attr_size * f->attr_count);
    put_section(&b, data, f->records.len);
    put_section(&b, 0, 0);
    put_u64(&b, 1u << PERF_FEATURE_BUILD_ID | 1u << PERF_FEATURE_HOSTNAME |
                    1u << PERF_FEATURE_OSRELEASE | 1u << PERF_FEATURE_ARCH);
    for (int i = 0; i < 3; i++)
        put_u64(&b, 0);
    for (size_t i = 0; i < f->attr_count; i++)
        put_u64(&b, f->ids[i]);
    for (size_t i = 0; i < f->attr_count; i++) {
        put(&b, &f->attrs[i], sizeof(f->attrs[i]));
        put_section(&b, PERF_FILE_HEADER_SIZE + 8 * i, 8);
    }
    put(&b, f->records.at, f->records.len);
    put_section(&b, end + 64, f->build_ids.len);
    for (uint64_t i = 0; i < 3; i++)
        put_section(&b, end + 64 + f->build_ids.len + 68 * i, 68);
    put(&b, f->build_ids.at, f->build_ids.len);
    put_header_text(&b, "host");
    put_header_text(&b, "6.1.0");
    put_header_text(&b, perf_archs[f->arch].name);
    return b;
}

/* The same as perf writes it to a pipe. */
static inline struct bytes pipe_image(const struct perf_file *f)
{
    struct bytes b = {.at = malloc(PERF_FILE_MAX)};

    assert_non_null(b.at);
    put(&b, "PERFILE2", 8);
    put_u64(&b, PERF_PIPE_HEADER_SIZE);
    for (size_t i = 0; i < f->attr_count; i++) {
        put_u32(&b, PERF_HEADER_ATTR);
        put_u16(&b, 0);
        put_u16(&b, (uint16_t)(8 + sizeof(f->attrs[i]) + 8));
        put(&b, &f->attrs[i], sizeof(f->attrs[i]));
        put_u64(&b, f->ids[i]);
    }
    put_u32(&b, PERF_HEADER_FEATURE);
    put_u16(&b, 0);
    put_u16(&b, 8 + 8 + 68);
    put_u64(&b, PERF_FEATURE_ARCH);
    put_header_text(&b, perf_archs[f->arch].name);
    put(&b, f->records.at, f->records.len);
    return b;
}

/* A source over bytes, as a file or from a pipe. */
struct opened {
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;
    int fd;
};

static inline enum status try_open(struct opened *o, const struct bytes *b, bool from_pipe)
{
    int fds[2];

    *o = (struct opened){.diag.what = ""};
    if (from_pipe) {
        pid_t child;

        assert_int_equal(pipe(fds), 0);
        child = fork(); /* a pipe holds less than a file may have */
        if (child == 0) {
            size_t done = 0;
            ssize_t n;

            close(fds[0]);
            while (done < b->len && (n = write(fds[1], b->at + done, b->len - done)) > 0)
                done += (size_t)n;
            _exit(0);
        }
        close(fds[1]);
        o->fd = fds[0];
    } else {
        o->fd = memfd_create("perf.data", 0);
        assert_int_equal(write(o->fd, b->at, b->len), b->len);
    }
    return snap_source_open(o->fd, "perf.data", &o->source, &o->diag);
}

static inline void close_source(struct opened *o)
{
    snap_source_close(o->source);
    close(o->fd);
}

static inline void open_file(struct opened *o, const struct perf_file *f)
{
    struct bytes b = file_image(f);

    assert_int_equal(try_open(o, &b, false), STATUS_OK);
    free(b.at);
}

static inline void open_pipe(struct opened *o, const struct perf_file *f)
{
    struct bytes b = pipe_image(f);

    assert_int_equal(try_open(o, &b, true), STATUS_OK);
    free(b.at);
}

static inline const struct snap_event *next(struct opened *o, enum snap_type type)
{
    assert_int_equal(snap_source_next(o->source, &o->event, &o->diag), STATUS_OK);
    assert_int_equal(o->event.type, type);
    return &o->event;
}

/* Passes over what is told before the next sample. */
static inline const struct snap_sample *next_sample(struct opened *o)
{
    do
        assert_int_equal(snap_source_next(o->source, &o->event, &o->diag), STATUS_OK);
    while (o->event.type != SNAP_SAMPLE);
    return &o->event.sample;
}

static inline void expect_end(struct opened *o)
{
    assert_int_equal(snap_source_next(o->source, &o->event, &o->diag), STATUS_END);
    assert_false(o->source->cut_short);
}

#endif
