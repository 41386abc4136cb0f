/* SPDX-License-Identifier: MIT */
/* Files that a snapshot brings along: found, taken out, and refused when they are not all there. */
#include "snapshot_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <zstd.h>

#include "snapshot/import/bundle.h"

#define SIZE 200000u

static uint8_t content[SIZE];

static void put_file(struct snap_writer *w, uint32_t number, uint8_t kind, const char *id,
                     uint64_t size, const char *path)
{
    snap_writer_begin(w, SNAP_FILE, false);
    snap_writer_u32(w, number);
    snap_writer_u8(w, kind);
    snap_writer_u8(w, (uint8_t)strlen(id));
    snap_writer_raw(w, id, strlen(id));
    snap_writer_u64(w, size);
    snap_writer_u64(w, 1);
    snap_writer_str(w, path);
    snap_writer_str(w, "/a/place");
    snap_writer_u64(w, 5);
    snap_writer_u64(w, 6);
    put_end(w);
}

static void put_coded(struct snap_writer *w, uint32_t number, uint64_t off, uint32_t size,
                      uint8_t coding, const void *bytes, size_t coded_size)
{
    snap_writer_begin(w, SNAP_FILE_PART, false);
    snap_writer_u32(w, number);
    snap_writer_u64(w, off);
    snap_writer_u32(w, size);
    snap_writer_u8(w, coding);
    snap_writer_bytes(w, bytes, coded_size);
    put_end(w);
}

static void put_plain(struct snap_writer *w, uint32_t number, uint32_t off, uint32_t size)
{
    put_coded(w, number, off, size, SNAP_CODING_PLAIN, content + off, size);
}

static void put_zstd(struct snap_writer *w, uint32_t number, uint64_t off, uint32_t size,
                     const uint8_t *bytes, size_t bytes_size)
{
    static uint8_t coded[2 * SNAP_FILE_PART_MAX];
    const size_t n = ZSTD_compress(coded, sizeof(coded), bytes, bytes_size, 3);

    assert_false(ZSTD_isError(n));
    put_coded(w, number, off, size, SNAP_CODING_ZSTD, coded, n);
}

static struct snap_writer *begin(int *fd)
{
    struct snap_writer *w = stream_begin(fd);

    for (size_t i = 0; i < SIZE; i++)
        content[i] = (uint8_t)(i * i >> 7);
    memcpy(content, "\177ELF", 4);
    snap_writer_promise_files(w);
    put_process(w, PID);
    return w;
}

static struct bundle *end(struct snap_writer *w, int fd)
{
    struct bundle *bundle;
    struct diag diag;

    put_summary(w);
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    snap_writer_destroy(w);
    assert_int_equal(bundle_open(fd, "snap", &bundle, &diag), STATUS_OK);
    close(fd);
    return bundle;
}

/* Takes the file out to an offset, and compares it with `content`. */
static void expect_whole(struct bundle *bundle, size_t index, size_t size)
{
    static uint8_t found[SIZE];
    int out = memfd_create("out", 0);
    struct diag diag;

    assert_int_equal(bundle_extract(bundle, index, out, 8192, &diag), STATUS_OK);
    assert_int_equal(lseek(out, 0, SEEK_END), 8192 + (off_t)size);
    assert_int_equal(pread(out, found, size, 8192), size);
    assert_memory_equal(found, content, size);
    close(out);
}

static void expect_refused(struct bundle *bundle, size_t index, const char *why)
{
    int out = memfd_create("out", 0);
    struct diag diag;

    assert_int_equal(bundle_extract(bundle, index, out, 0, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, why));
    close(out);
}

/* Of a snapshot with one file, whose parts `put` writes. */
static void expect_one_refused(void (*put)(struct snap_writer *w), uint64_t size, const char *why)
{
    int fd;
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", size, "/bin/x");
    put(w);
    bundle = end(w, fd);
    assert_int_equal(bundle_count(bundle), 1);
    expect_refused(bundle, 0, why);
    bundle_close(bundle);
}

TEST(a_promise_is_read_from_the_first_bytes)
{
    int fd;
    struct snap_writer *w = begin(&fd);
    struct stream s = stream_end(w, fd), plain = stream_end(stream_begin(&fd), fd);

    assert_true(bundle_is_promised(s.bytes, s.size));
    assert_false(bundle_is_promised(s.bytes, SNAP_HEADER_SIZE - 1));
    assert_false(bundle_is_promised(plain.bytes, plain.size));
    s.bytes[0] ^= 1;
    assert_false(bundle_is_promised(s.bytes, s.size));
    free(s.bytes);
    free(plain.bytes);
}

TEST(files_are_found_with_what_they_are)
{
    int fd;
    struct snap_writer *w = begin(&fd);
    const struct bundle_file *file;
    struct bundle *bundle;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", 3, "/bin/x");
    put_plain(w, 0, 0, 3);
    put_file(w, 7, SNAP_FILE_DEBUG, "", 0, "/bin/y");
    put_file(w, 8, 9, "", 0, "a kind that is not known");
    put_file(w, 7, SNAP_FILE_SHARED, "", 0, "a number twice");
    bundle = end(w, fd);
    assert_int_equal(bundle_count(bundle), 2);
    file = bundle_at(bundle, 0);
    assert_int_equal(file->kind, SNAP_FILE_MAPPED);
    assert_int_equal(file->id.size, 2);
    assert_memory_equal(file->id.bytes, "id", 2);
    assert_int_equal(file->size, 3);
    assert_string_equal(file->path, "/bin/x");
    assert_string_equal(file->place, "/a/place");
    assert_int_equal(file->dev, 5);
    assert_int_equal(file->inode, 6);
    assert_int_equal(bundle_at(bundle, 1)->kind, SNAP_FILE_DEBUG);
    assert_int_equal(bundle_at(bundle, 1)->id.size, 0);
    bundle_close(bundle);
}

TEST(parts_of_both_codings_make_a_file)
{
    int fd;
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", SIZE, "/bin/x");
    put_file(w, 1, SNAP_FILE_MAPPED, "di", 1000, "/bin/y");
    put_zstd(w, 0, 0, SNAP_FILE_PART_MAX, content, SNAP_FILE_PART_MAX);
    put_plain(w, 1, 0, 1000); /* between the other's */
    put_plain(w, 0, SNAP_FILE_PART_MAX, SIZE - SNAP_FILE_PART_MAX);
    bundle = end(w, fd);
    expect_whole(bundle, 0, SIZE);
    expect_whole(bundle, 1, 1000);
    expect_whole(bundle, 0, SIZE); /* again */
    bundle_close(bundle);
}

static void put_first_half(struct snap_writer *w)
{
    put_plain(w, 0, 0, 1000);
}

static void put_hole(struct snap_writer *w)
{
    put_plain(w, 0, 0, 1000);
    put_plain(w, 0, 1001, 999);
}

static void put_too_much(struct snap_writer *w)
{
    put_plain(w, 0, 0, 1000);
    put_plain(w, 0, 1000, 1001);
}

static void put_size_that_differs(struct snap_writer *w)
{
    put_zstd(w, 0, 0, 2000, content, 2001);
}

static void put_other_size(struct snap_writer *w)
{
    put_coded(w, 0, 0, 2000, SNAP_CODING_PLAIN, content, 1999);
}

static void put_unknown_coding(struct snap_writer *w)
{
    put_coded(w, 0, 0, 2000, 2, content, 2000);
}

static void put_large_part(struct snap_writer *w)
{
    put_zstd(w, 0, 0, SNAP_FILE_PART_MAX + 1, content, SNAP_FILE_PART_MAX + 1);
}

static void put_empty_parts(struct snap_writer *w)
{
    put_coded(w, 0, 0, 0, SNAP_CODING_PLAIN, "", 0);
    put_plain(w, 0, 0, 2000);
}

TEST(files_that_are_not_all_there_are_refused)
{
    expect_one_refused(put_first_half, 2000, "is not all there");
    expect_one_refused(put_hole, 2000, "damaged");
    expect_one_refused(put_too_much, 2000, "damaged");
}

TEST(parts_that_lie_are_refused)
{
    expect_one_refused(put_size_that_differs, 2000, "damaged");
    expect_one_refused(put_other_size, 2000, "damaged");
    expect_one_refused(put_unknown_coding, 2000, "damaged");
    expect_one_refused(put_large_part, SNAP_FILE_PART_MAX + 1, "damaged");
    expect_one_refused(put_empty_parts, 2000, "damaged");
}

static void put_script(struct snap_writer *w)
{
    put_coded(w, 0, 0, 2000, SNAP_CODING_PLAIN, content + 4, 2000);
}

TEST(what_is_no_elf_file_is_refused)
{
    expect_one_refused(put_script, 2000, "no ELF file");
}

/* Repeats a byte, which takes hardly any room in the snapshot. */
static void put_repeats(struct snap_writer *w, uint32_t number, uint64_t size)
{
    static uint8_t bytes[SNAP_FILE_PART_MAX];

    memset(bytes, 'x', sizeof(bytes));
    memcpy(bytes, "\177ELF", 4);
    for (uint64_t off = 0; off < size; off += sizeof(bytes))
        put_zstd(w, number, off, sizeof(bytes), bytes, sizeof(bytes));
}

TEST(files_that_take_no_room_in_the_snapshot_fill_no_disk)
{
    int fd, out = memfd_create("out", 0);
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;
    struct diag diag;

    expect_one_refused(put_first_half, UINT64_MAX, "hole");
    for (uint32_t i = 0; i < 4; i++) {
        put_file(w, i, SNAP_FILE_MAPPED, i ? "id" : "di", BUNDLE_FREE_MAX / 2, "/bin/x");
        put_repeats(w, i, BUNDLE_FREE_MAX / 2);
    }
    bundle = end(w, fd);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(bundle_extract(bundle, i, out, 0, &diag),
                         i < 2 ? STATUS_OK : STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "hole"));
    bundle_close(bundle);
    close(out);
}

TEST(zeroes_become_holes)
{
    static uint8_t zeroes[SNAP_FILE_PART_MAX];
    int fd, out = memfd_create("out", 0);
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;
    struct diag diag;
    struct stat st;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", 1000 + sizeof(zeroes), "/bin/x");
    put_plain(w, 0, 0, 1000);
    put_zstd(w, 0, 1000, sizeof(zeroes), zeroes, sizeof(zeroes));
    bundle = end(w, fd);
    assert_int_equal(bundle_extract(bundle, 0, out, 0, &diag), STATUS_OK);
    assert_int_equal(fstat(out, &st), 0);
    assert_int_equal(st.st_size, 1000 + sizeof(zeroes));
    assert_true((uint64_t)st.st_blocks * 512 < sizeof(zeroes) / 2);
    bundle_close(bundle);
    close(out);
}

TEST(a_damaged_part_is_of_its_file_alone)
{
    int fd;
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;
    uint64_t off;
    uint8_t byte;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", 1000, "/bin/x");
    put_file(w, 1, SNAP_FILE_MAPPED, "di", 1000, "/bin/y");
    put_plain(w, 0, 0, 1000);
    off = snap_writer_size(w) - 1;
    put_plain(w, 1, 0, 1000);
    bundle = end(w, fcntl(fd, F_DUPFD_CLOEXEC, 0));
    assert_int_equal(pread(fd, &byte, 1, (off_t)off), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)off), 1);
    expect_refused(bundle, 0, "damaged");
    expect_whole(bundle, 1, 1000);
    bundle_close(bundle);
    close(fd);
}

TEST(what_cannot_be_written_is_told)
{
    int fd, out = memfd_create("out", MFD_ALLOW_SEALING);
    struct snap_writer *w = begin(&fd);
    struct bundle *bundle;
    struct diag diag;

    put_file(w, 0, SNAP_FILE_MAPPED, "id", 1000, "/bin/x");
    put_plain(w, 0, 0, 1000);
    bundle = end(w, fd);
    assert_int_equal(fcntl(out, F_ADD_SEALS, F_SEAL_GROW), 0);
    assert_int_equal(bundle_extract(bundle, 0, out, 0, &diag), STATUS_IO);
    assert_non_null(strstr(diag.what, "cannot be taken out"));
    bundle_close(bundle);
    close(out);
}
