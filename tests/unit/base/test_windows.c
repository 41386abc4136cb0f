/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/windows.h"

/* More than the address space has; mmap(2) reaches 2^32 pages of a file where it has 32 bits. */
#define LARGE (UINT64_C(1) << (sizeof(void *) == 8 ? 56 : 43))
#define MANY  64

/* Of so many bytes, in which eight at each multiple of `step` are their own offset. */
static int make_file(uint64_t size, uint64_t step)
{
    int fd = memfd_create("file", MFD_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t off = i * step;

        assert_int_equal(pwrite(fd, &off, sizeof(off), (off_t)off), sizeof(off));
    }
    return fd;
}

/* Opens it, and closes the descriptor. */
static void open_windows(struct windows *windows, uint64_t size, uint64_t step)
{
    int fd = make_file(size, step);

    assert_int_equal(windows_open(windows, fd, size, "file"), STATUS_OK);
    close(fd);
}

static uint64_t word_at(struct windows *windows, uint64_t off)
{
    const uint8_t *bytes = windows_at(windows, off, sizeof(off));
    uint64_t word;

    assert_non_null(bytes);
    memcpy(&word, bytes, sizeof(word));
    return word;
}

TEST(windows_of_a_small_file_are_one)
{
    struct windows windows;

    open_windows(&windows, 4096, 64);
    assert_non_null(windows.whole);
    assert_int_equal(word_at(&windows, 128), 128);
    assert_ptr_equal(windows_at(&windows, 0, 4096), windows.whole);
    windows_close(&windows);
}

TEST(windows_of_a_large_file_show_each_place_of_it)
{
    const uint64_t step = WINDOW_SIZE / 3 * 8;
    struct windows windows;

    open_windows(&windows, LARGE, step);
    assert_null(windows.whole);
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(word_at(&windows, i * step), i * step);
    for (uint64_t i = MANY; i-- > 0;)
        assert_int_equal(word_at(&windows, i * step), i * step);
    assert_non_null(windows_at(&windows, LARGE - 8, 8));
    windows_close(&windows);
}

/* Neither a window's end nor its size limits what can be asked for. */
TEST(windows_hold_what_lies_across_and_what_is_larger)
{
    struct windows windows;
    const uint8_t *bytes;

    open_windows(&windows, LARGE, WINDOWS_STEP);
    bytes = windows_at(&windows, WINDOWS_STEP - 8, 16);
    assert_memory_equal(bytes + 8, &(uint64_t){WINDOWS_STEP}, 8);
    bytes = windows_at(&windows, 8, 3 * WINDOW_SIZE);
    for (uint64_t off = WINDOWS_STEP; off < 3 * WINDOW_SIZE; off += WINDOWS_STEP)
        assert_memory_equal(bytes + off - 8, &off, sizeof(off));
    windows_close(&windows);
}

TEST(windows_that_are_used_stay)
{
    struct windows windows;
    const uint8_t *first;

    open_windows(&windows, LARGE, 2 * WINDOW_SIZE);
    first = windows_at(&windows, 0, 8);
    for (uint64_t i = 1; i < MANY; i++) {
        assert_int_equal(word_at(&windows, 2 * i * WINDOW_SIZE), 2 * i * WINDOW_SIZE);
        assert_ptr_equal(windows_at(&windows, 0, 8), first);
    }
    windows_close(&windows);
}

TEST(windows_end_with_the_file)
{
    struct windows small, large;

    open_windows(&small, 4096, 64);
    open_windows(&large, LARGE, 64);
    assert_null(windows_at(&small, 4096, 1));
    assert_null(windows_at(&small, 4089, 8));
    assert_null(windows_at(&small, UINT64_MAX, 8));
    assert_null(windows_at(&large, LARGE, 1));
    assert_null(windows_at(&large, LARGE - 7, 8));
    assert_null(windows_at(&large, UINT64_MAX, 8));
    windows_close(&small);
    windows_close(&large);
}

TEST(windows_of_an_empty_file_are_none)
{
    struct windows windows;
    int fd = memfd_create("file", MFD_CLOEXEC);

    assert_int_equal(windows_open(&windows, fd, 0, "file"), STATUS_OK);
    assert_null(windows_at(&windows, 0, 1));
    windows_close(&windows);
    close(fd);
}
