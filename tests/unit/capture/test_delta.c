/* SPDX-License-Identifier: MIT */
#include "capture/delta.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/cursor.h"

#define BASE  UINT64_C(0x7ffc00000000)
#define SPACE 8192u

/* A target's stack memory, and a reader that restores it by FORMAT.md's rule. */
struct world {
    struct delta delta;
    struct delta_base base;
    struct snap_writer *writer;
    int fd;
    uint64_t done; /* bytes of the file that were looked at */
    uint8_t memory[SPACE];
    uint8_t kept[SPACE], known[SPACE]; /* the reader's */
    uint32_t written, runs;            /* of the last sample */
};

static void world_init(struct world *w)
{
    struct diag diag;

    *w = (struct world){0};
    delta_init(&w->delta);
    w->fd = memfd_create("delta", 0);
    assert_int_equal(snap_writer_create(w->fd, "delta", arch_get(ARCH_X86_64), 0, &w->writer,
                                        &diag),
                     STATUS_OK);
    assert_int_equal(snap_writer_flush(w->writer), STATUS_OK);
    w->done = SNAP_HEADER_SIZE;
    for (unsigned i = 0; i < SPACE; i++)
        w->memory[i] = (uint8_t)(i * 7 + i / 256);
}

static void world_deinit(struct world *w)
{
    delta_base_deinit(&w->base);
    delta_deinit(&w->delta);
    snap_writer_destroy(w->writer);
    close(w->fd);
}

static void restore_region(struct world *w, struct cursor *c, uint8_t *kept, uint8_t *known)
{
    uint64_t start = 0, end = 0, map_end = 0;
    uint32_t runs = 0, off = 0, size = 0, low = 0;
    const uint8_t *bytes = NULL;

    assert_true(cursor_u64(c, &start) && cursor_u64(c, &end) && cursor_u64(c, &map_end) &&
                cursor_u32(c, &runs));
    memcpy(kept + (start - BASE), w->kept + (start - BASE), end - start);
    memcpy(known + (start - BASE), w->known + (start - BASE), end - start);
    for (uint32_t i = 0; i < runs; i++) {
        assert_true(cursor_u32(c, &off) && cursor_u32(c, &size) && cursor_bytes(c, size, &bytes));
        assert_true(size && off >= low && off + size <= end - start);
        memcpy(kept + (start - BASE) + off, bytes, size);
        memset(known + (start - BASE) + off, 1, size);
        low = off + size;
        w->written += size;
    }
    w->runs += runs;
    for (uint64_t addr = start; addr < end; addr++) {
        assert_int_equal(known[addr - BASE], 1);
        assert_int_equal(kept[addr - BASE], w->memory[addr - BASE]);
    }
}

/* Writes a sample of the regions and checks that the reader restores the memory. */
static void sample(struct world *w, const struct snap_region *regions, unsigned count, bool commit)
{
    uint8_t record[3 * SPACE], kept[SPACE] = {0}, known[SPACE] = {0}, seen;
    struct cursor c;
    ssize_t n;

    snap_writer_begin(w->writer, SNAP_SAMPLE, true);
    assert_int_equal(delta_put(&w->delta, &w->base, regions, count, w->writer), STATUS_OK);
    assert_int_equal(snap_writer_end(w->writer), STATUS_OK);
    assert_int_equal(snap_writer_flush(w->writer), STATUS_OK);
    n = pread(w->fd, record, sizeof(record), (off_t)w->done);
    assert_true(n > SNAP_RECORD_HEAD);
    w->done += (uint64_t)n;
    w->written = 0;
    w->runs = 0;
    c = cursor_init(record + SNAP_RECORD_HEAD, (size_t)n - SNAP_RECORD_HEAD);
    assert_true(cursor_u8(&c, &seen));
    assert_int_equal(seen, count);
    for (unsigned i = 0; i < count; i++)
        restore_region(w, &c, kept, known);
    assert_int_equal(cursor_left(&c), 0);
    if (!commit)
        return;
    memcpy(w->kept, kept, SPACE);
    memcpy(w->known, known, SPACE);
    delta_commit(&w->delta, &w->base, regions, count);
}

static struct snap_region region(const struct world *w, uint64_t from, uint64_t to)
{
    return (struct snap_region){BASE + from, BASE + to, BASE + SPACE, w->memory + from};
}

static void sample_one(struct world *w, uint64_t from, uint64_t to)
{
    struct snap_region r = region(w, from, to);

    sample(w, &r, 1, true);
}

TEST_OF(delta_first_sample_is_written_whole, world, w)
{
    sample_one(w, 1000, SPACE);
    assert_int_equal(w->written, SPACE - 1000);
    assert_int_equal(w->runs, 1);
}

TEST_OF(delta_unchanged_stack_writes_nothing, world, w)
{
    sample_one(w, 1000, 8001);
    sample_one(w, 1000, 8001);
    assert_int_equal(w->written, 0);
    assert_int_equal(w->runs, 0);
}

TEST_OF(delta_changed_byte_writes_its_block, world, w)
{
    sample_one(w, 1000, SPACE);
    w->memory[5000]++;
    sample_one(w, 1000, SPACE);
    assert_int_equal(w->written, DELTA_BLOCK);
    w->memory[128 * 20]++;
    w->memory[128 * 21 + 127]++;
    w->memory[128 * 23]++;
    sample_one(w, 1000, SPACE);
    assert_int_equal(w->written, 3 * DELTA_BLOCK);
    assert_int_equal(w->runs, 2);
    w->memory[1000]++; /* in the part of a block at the start */
    sample_one(w, 1000, SPACE);
    assert_int_equal(w->written, 1024 - 1000);
}

TEST_OF(delta_deeper_stack_writes_what_is_new, world, w)
{
    sample_one(w, 4096, SPACE);
    sample_one(w, 3072, SPACE);
    assert_int_equal(w->written, 1024);
    /* A part of a block that becomes whole is written again. */
    sample_one(w, 3000, SPACE);
    sample_one(w, 2900, SPACE);
    assert_true(w->written >= 100 && w->written <= 228);
}

TEST_OF(delta_shallower_stack_forgets_what_was_below, world, w)
{
    sample_one(w, 2048, SPACE);
    sample_one(w, 4096, SPACE);
    assert_int_equal(w->written, 0);
    /* The reader does not have the bytes below any more. */
    memset(w->known, 0, 4096);
    sample_one(w, 2048, SPACE);
    assert_int_equal(w->written, 2048);
}

TEST_OF(delta_uncommitted_sample_is_no_base, world, w)
{
    struct snap_region r = region(w, 1024, SPACE);

    sample_one(w, 1024, SPACE);
    w->memory[2000]++;
    sample(w, &r, 1, false);
    assert_int_equal(w->written, DELTA_BLOCK);
    sample_one(w, 1024, SPACE);
    assert_int_equal(w->written, DELTA_BLOCK);
}

TEST_OF(delta_cleared_base_writes_whole, world, w)
{
    sample_one(w, 1024, SPACE);
    delta_base_clear(&w->base);
    memset(w->known, 0, SPACE);
    sample_one(w, 1024, SPACE);
    assert_int_equal(w->written, SPACE - 1024);
}

TEST_OF(delta_regions_come_and_go, world, w)
{
    struct snap_region two[2] = {region(w, 500, 1500), region(w, 3000, 8000)};

    sample_one(w, 2900, 8000);
    sample(w, two, 2, true);
    /* The first is new; of the second only the part of a block at its start. */
    assert_int_equal(w->written, 1000 + (3072 - 3000));
    w->memory[600]++;
    w->memory[7999]++;
    two[0] = region(w, 500, 1500);
    sample(w, two, 2, true);
    assert_int_equal(w->written, 128 + 64);
    sample_one(w, 3000, 8000);
    assert_int_equal(w->written, 0);
}

static uint32_t random_state = 1;

static uint32_t next_random(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

/*
 * Whatever changes and wherever the regions lie, the reader sees the memory: `sample` asserts it.
 */
TEST_OF(delta_random_history_is_restored, world, w)
{
    for (int i = 0; i < 3000; i++) {
        struct snap_region regions[2];
        uint64_t a = next_random(4000), b = a + next_random(90);
        uint64_t from = 4096 + next_random(2000), to = SPACE - next_random(3) * 77;
        for (uint32_t k = next_random(6); k; k--)
            w->memory[next_random(SPACE)]++;
        regions[0] = region(w, a, b + 1);
        regions[1] = region(w, from, to);
        if (next_random(3))
            sample(w, regions, 2, next_random(4) != 0);
        else
            sample(w, regions + 1, 1, next_random(4) != 0);
    }
}

static void add_size(void *context, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
}

/* Boards have memory there. */
TEST(delta_region_at_address_0_is_written_whole)
{
    static const uint8_t bytes[300];
    const struct snap_region region = {.end_addr = sizeof(bytes), .bytes = bytes};
    struct delta_base base = {.region_count = 0};
    struct delta delta;
    size_t size = 0;

    delta_init(&delta);
    assert_int_equal(delta_runs(&delta, &base, &region, 1, add_size, &size), STATUS_OK);
    assert_int_equal(size, sizeof(bytes));
    delta_deinit(&delta);
}
