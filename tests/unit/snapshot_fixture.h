/* SPDX-License-Identifier: MIT */
/*
 * Snapshots for the reader's tests, written by the real writer to memory; what it would not write
 * is put together from its record primitives, so that checksums are right and only the contents are
 * wrong.
 */
#ifndef TESTS_SNAPSHOT_FIXTURE_H
#define TESTS_SNAPSHOT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "snapshot/reader.h"
#include "snapshot/writer.h"

#define PID   7
#define STACK UINT64_C(0x7ffd00001000)

struct stream {
    uint8_t *bytes; /* owned */
    size_t size;
    size_t pos, chunk; /* for stream_read: at most `chunk` bytes a read */
    int64_t error;     /* given at the end instead of 0 */
};

static inline struct snap_writer *stream_begin_of(int *fd, enum arch_id arch)
{
    struct snap_writer *writer;
    struct diag diag;

    *fd = memfd_create("snapshot", 0);
    assert_true(*fd >= 0);
    assert_int_equal(snap_writer_create(*fd, "memory", arch_get(arch), 1000000, &writer, &diag),
                     STATUS_OK);
    return writer;
}

static inline struct snap_writer *stream_begin(int *fd)
{
    return stream_begin_of(fd, ARCH_X86_64);
}

static inline struct stream stream_end(struct snap_writer *writer, int fd)
{
    struct stream stream = {.chunk = SIZE_MAX};

    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    stream.size = (size_t)snap_writer_size(writer);
    stream.bytes = malloc(stream.size);
    assert_non_null(stream.bytes);
    assert_int_equal(pread(fd, stream.bytes, stream.size, 0), stream.size);
    snap_writer_destroy(writer);
    close(fd);
    return stream;
}

static inline int64_t stream_read(void *context, void *buffer, uint64_t size)
{
    struct stream *s = context;
    size_t n = s->size - s->pos;

    if (n > size)
        n = (size_t)size;
    if (n > s->chunk)
        n = s->chunk;
    memcpy(buffer, s->bytes + s->pos, n);
    s->pos += n;
    return n ? (int64_t)n : s->error;
}

static inline void put_end(struct snap_writer *w)
{
    assert_int_equal(snap_writer_end(w), STATUS_OK);
}

/* Without flags, as version 1.0 wrote it. */
static inline void begin_process_record(struct snap_writer *w, uint32_t pid)
{
    snap_writer_begin(w, SNAP_PROCESS, true);
    snap_writer_u32(w, pid);
    snap_writer_u32(w, 1);
    snap_writer_u64(w, 10);
    snap_writer_u32(w, 4096);
    snap_writer_u32(w, 8);
    snap_writer_u64(w, 0);
    snap_writer_str(w, "/bin/prog");
    snap_writer_bytes(w, "prog\0-x", 8);
    snap_writer_bytes(w, "auxv", 4);
    snap_writer_str(w, "host");
    snap_writer_str(w, "6.1");
}

static inline void put_process(struct snap_writer *w, uint32_t pid)
{
    begin_process_record(w, pid);
    put_end(w);
}

static inline void put_thread(struct snap_writer *w, uint32_t pid, uint32_t tid, const char *name)
{
    snap_writer_begin(w, SNAP_THREAD, true);
    snap_writer_u32(w, pid);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, 20);
    snap_writer_u64(w, 777);
    snap_writer_str(w, name);
    put_end(w);
}

static inline void put_thread_end(struct snap_writer *w, uint32_t pid, uint32_t tid)
{
    snap_writer_begin(w, SNAP_THREAD_END, true);
    snap_writer_u32(w, pid);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, 30);
    put_end(w);
}

static inline void put_repeat(struct snap_writer *w, uint32_t tid, uint64_t time_ns)
{
    snap_writer_begin(w, SNAP_REPEAT, true);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    put_end(w);
}

static inline void put_idle(struct snap_writer *w, uint32_t pid, uint64_t time_ns)
{
    snap_writer_begin(w, SNAP_IDLE, true);
    snap_writer_u32(w, pid);
    snap_writer_u64(w, time_ns);
    snap_writer_u32(w, 0); /* no exceptions */
    put_end(w);
}

static inline void put_summary(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_SUMMARY, false);
    for (unsigned i = 0; i < 10; i++)
        snap_writer_u64(w, 100 + i);
    snap_writer_u32(w, SNAP_END_SIGNAL);
    put_end(w);
}

/* A sample up to its region count: register i is 1000 + i. */
static inline void put_sample_head(struct snap_writer *w, uint32_t pid, uint32_t tid,
                                   uint64_t time_ns, unsigned reg_count)
{
    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, pid);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    snap_writer_u8(w, 'S');
    snap_writer_u8(w, 0);
    snap_writer_u16(w, (uint16_t)reg_count);
    snap_writer_u64(w, 55);
    for (unsigned i = 0; i < reg_count; i++)
        snap_writer_u64(w, 1000 + i);
}

static inline void put_region(struct snap_writer *w, uint64_t start_addr, uint64_t end_addr,
                              uint64_t map_end_addr, uint32_t run_count)
{
    snap_writer_u64(w, start_addr);
    snap_writer_u64(w, end_addr);
    snap_writer_u64(w, map_end_addr);
    snap_writer_u32(w, run_count);
}

static inline void put_run(struct snap_writer *w, uint32_t off, const void *bytes, uint32_t size)
{
    snap_writer_u32(w, off);
    snap_writer_u32(w, size);
    snap_writer_raw(w, bytes, size);
}

/* A sample with one region [start, start + strlen(text)), all of it written. */
static inline void put_sample(struct snap_writer *w, uint32_t tid, uint64_t time_ns, uint64_t start,
                              const char *text)
{
    uint32_t size = (uint32_t)strlen(text);

    put_sample_head(w, PID, tid, time_ns, 17);
    snap_writer_u8(w, 1);
    put_region(w, start, start + size, start + size + 4096, 1);
    put_run(w, 0, text, size);
    put_end(w);
}

/*
 * Thread `tid` made thread `new_tid`, with one region [start, start + strlen(text)), all of it
 * written.
 */
static inline void put_creation(struct snap_writer *w, uint32_t tid, uint32_t new_tid,
                                uint64_t time_ns, uint64_t start, const char *text)
{
    uint32_t size = (uint32_t)strlen(text);

    snap_writer_begin(w, SNAP_CREATION, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, new_tid);
    snap_writer_u16(w, 17);
    for (unsigned i = 0; i < 17; i++)
        snap_writer_u64(w, 2000 + i);
    snap_writer_u8(w, 1);
    put_region(w, start, start + size, start + size + 4096, 1);
    put_run(w, 0, text, size);
    put_end(w);
}

/* A tick up to its region count: register i is 3000 + i, and it stands for 50 ns. */
static inline void put_tick_head(struct snap_writer *w, uint32_t pid, uint32_t tid,
                                 uint64_t time_ns, unsigned reg_count)
{
    snap_writer_begin(w, SNAP_TICK, false);
    snap_writer_u32(w, pid);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    snap_writer_u64(w, 50);
    snap_writer_u16(w, (uint16_t)reg_count);
    for (unsigned i = 0; i < reg_count; i++)
        snap_writer_u64(w, 3000 + i);
}

/* A tick with one region [start, start + strlen(text)), all of it written. */
static inline void put_tick(struct snap_writer *w, uint32_t tid, uint64_t time_ns, uint64_t start,
                            const char *text)
{
    uint32_t size = (uint32_t)strlen(text);

    put_tick_head(w, PID, tid, time_ns, 17);
    snap_writer_u8(w, 1);
    put_region(w, start, start + size, start + size + 4096, 1);
    put_run(w, 0, text, size);
    put_end(w);
}

static inline void put_wait_head(struct snap_writer *w, uint32_t tid, uint64_t time_ns,
                                 uint8_t kind)
{
    snap_writer_begin(w, SNAP_WAIT, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    snap_writer_u8(w, kind);
}

/* A lock in a file's data; its bytes are `text`. */
static inline void put_wait_memory(struct snap_writer *w, uint32_t tid, uint64_t time_ns,
                                   uint64_t addr, const char *text)
{
    put_wait_head(w, tid, time_ns, SNAP_WAIT_MEMORY);
    snap_writer_u64(w, addr);
    snap_writer_bytes(w, text, strlen(text));
    snap_writer_u8(w, SNAP_PLACE_FILE);
    snap_writer_u64(w, 0x600000);
    snap_writer_u64(w, 0x601000);
    snap_writer_u64(w, 0x400000);
    snap_writer_str(w, "/bin/prog");
    put_end(w);
}

static inline void put_unchanged(struct snap_writer *w, uint32_t tid, uint64_t time_ns)
{
    snap_writer_begin(w, SNAP_UNCHANGED, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, time_ns);
    snap_writer_u32(w, 1);
    snap_writer_u32(w, tid);
    put_end(w);
}

static inline void put_wait_fd(struct snap_writer *w, uint32_t tid, uint64_t time_ns, uint32_t fd,
                               const char *link)
{
    put_wait_head(w, tid, time_ns, SNAP_WAIT_FD);
    snap_writer_u32(w, fd);
    snap_writer_str(w, link);
    put_end(w);
}

#endif
