/* SPDX-License-Identifier: MIT */
/*
 * Dumps of boards, made in memory, by what their makers say of the format:
 *
 *     struct bytes dump = {0};
 *     zephyr_head(&dump, 3, 5, 0);             Cortex-M, pointers of 2^5 bits, reason 0
 *     zephyr_arch(&dump, 2, words, 17);
 *     zephyr_memory(&dump, 0x20000000, stack, sizeof(stack));
 *     source = dump_source(&dump);
 */
#ifndef TESTS_DUMP_FIXTURE_H
#define TESTS_DUMP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "snapshot/import/source.h"

struct bytes {
    uint8_t data[65536];
    size_t size;
    int fd;
};

static inline void put(struct bytes *b, uint64_t value, size_t size)
{
    assert_true(b->size + size <= sizeof(b->data));
    memcpy(b->data + b->size, &value, size);
    b->size += size;
}

static inline void put_bytes(struct bytes *b, const void *bytes, size_t size)
{
    assert_true(b->size + size <= sizeof(b->data));
    memcpy(b->data + b->size, bytes, size);
    b->size += size;
}

static inline void zephyr_head(struct bytes *b, uint16_t target, uint8_t log2_bits, uint32_t reason)
{
    b->size = 0;
    put_bytes(b, "ZE", 2);
    put(b, 2, 2);
    put(b, target, 2);
    put(b, log2_bits, 1);
    put(b, 0, 1);
    put(b, reason, 4);
}

static inline void zephyr_arch(struct bytes *b, uint16_t version, unsigned word,
                               const uint64_t *words, size_t count)
{
    put_bytes(b, "A", 1);
    put(b, version, 2);
    put(b, count * word, 2);
    for (size_t i = 0; i < count; i++)
        put(b, words[i], word);
}

static inline void zephyr_memory(struct bytes *b, unsigned word, uint64_t addr, const void *bytes,
                                 size_t size)
{
    put_bytes(b, "M", 1);
    put(b, 1, 2);
    put(b, addr, word);
    put(b, addr + size, word);
    put_bytes(b, bytes, size);
}

/* The same bytes as a log has them, 32 in a line. */
static inline void zephyr_log(struct bytes *log, const struct bytes *dump, bool has_end)
{
    char line[128];

    log->size = 0;
    put_bytes(log, "*** Booting Zephyr OS build v3.7.0 ***\r\n", 40);
    put_bytes(log, "[00:00:00.010,000] <err> coredump: #CD:BEGIN#\r\n", 47);
    for (size_t at = 0; at < dump->size; at += 32) {
        put_bytes(log, "[00:00:00.010,000] <err> coredump: #CD:", 39);
        for (size_t i = at; i < at + 32 && i < dump->size; i++)
            put_bytes(log, line, (size_t)sprintf(line, "%02x", dump->data[i]));
        put_bytes(log, "\r\n", 2);
    }
    if (has_end)
        put_bytes(log, "[00:00:00.020,000] <err> coredump: #CD:END#\r\n", 45);
}

static inline enum status dump_try(struct bytes *b, struct snap_source **out, struct diag *diag)
{
    b->fd = memfd_create("dump", 0);
    assert_true(b->fd >= 0);
    assert_int_equal(write(b->fd, b->data, b->size), (ssize_t)b->size);
    *diag = (struct diag){.what = ""};
    return snap_source_open(b->fd, "dump", out, diag);
}

static inline struct snap_source *dump_source(struct bytes *b)
{
    struct snap_source *source = NULL;
    struct diag diag;
    enum status status = dump_try(b, &source, &diag);

    if (status != STATUS_OK)
        print_message("%s\n", diag.what);
    assert_int_equal(status, STATUS_OK);
    return source;
}

static inline void dump_close(struct bytes *b, struct snap_source *source)
{
    snap_source_close(source);
    close(b->fd);
}

static inline void dump_refused(struct bytes *b, enum status status, const char *what)
{
    struct snap_source *source;
    struct diag diag;

    assert_int_equal(dump_try(b, &source, &diag), status);
    if (!strstr(diag.what, what))
        print_message("%s\n", diag.what);
    assert_non_null(strstr(diag.what, what));
    close(b->fd);
}

/* The next event of a type; others are passed over. */
static inline void next_of(struct snap_source *source, enum snap_type type,
                           struct snap_event *event)
{
    struct diag diag;

    do
        assert_int_equal(snap_source_next(source, event, &diag), STATUS_OK);
    while (event->type != type);
}

#endif
