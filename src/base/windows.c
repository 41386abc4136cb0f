/* SPDX-License-Identifier: MIT */
#include "base/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/shortage.h"

#define WHOLE_MAX (SIZE_MAX / 8) /* bytes; a larger mapping leaves too little address space */

static const uint8_t *map(int fd, uint64_t off, size_t size, const char *name)
{
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, (off_t)off);

    if (bytes == MAP_FAILED)
        return NULL;
    mapped_add(bytes, size, name);
    return bytes;
}

static void unmap(const uint8_t *bytes, size_t size)
{
    mapped_remove(bytes);
    munmap((void *)(uintptr_t)bytes, size);
}

enum status windows_open(struct windows *windows, int fd, uint64_t size, const char *name)
{
    *windows = (struct windows){.name = name, .size = size, .fd = -1};
    if (size > 0 && size <= WHOLE_MAX)
        windows->whole = map(fd, 0, (size_t)size, name);
    if (windows->whole || size == 0)
        return STATUS_OK;
    windows->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return windows->fd >= 0 ? STATUS_OK : STATUS_IO;
}

static void drop(struct file_window *window)
{
    if (window->bytes)
        unmap(window->bytes, window->size);
    *window = (struct file_window){0};
}

void windows_close(struct windows *windows)
{
    if (windows->whole)
        unmap(windows->whole, (size_t)windows->size);
    else if (windows->size > 0 && windows->fd >= 0)
        close(windows->fd);
    for (size_t i = 0; i < WINDOWS_MAX; i++)
        drop(&windows->list[i]);
    *windows = (struct windows){0};
}

/* Returns the window that contains the bytes; else frees the least recently used, for them. */
static struct file_window *choose(struct windows *windows, uint64_t off, size_t size)
{
    struct file_window *oldest = &windows->list[0];

    for (size_t i = 0; i < WINDOWS_MAX; i++) {
        struct file_window *window = &windows->list[i];

        if (off >= window->off && off - window->off < window->size &&
            size <= window->size - (size_t)(off - window->off))
            return window;
        if (window->turn < oldest->turn)
            oldest = window;
    }
    drop(oldest);
    return oldest;
}

/* Maps a window from the last multiple of WINDOWS_STEP on; without room, unmaps all others. */
static void fill(struct windows *windows, struct file_window *window, uint64_t off, size_t size)
{
    const uint64_t start = off - off % WINDOWS_STEP, left = windows->size - start;
    uint64_t length = off - start + size;

    if (length < WINDOW_SIZE)
        length = WINDOW_SIZE;
    if (length > left)
        length = left;
    window->off = start;
    window->size = (size_t)length;
    window->bytes = map(windows->fd, start, window->size, windows->name);
    if (window->bytes)
        return;
    for (size_t i = 0; i < WINDOWS_MAX; i++)
        if (&windows->list[i] != window)
            drop(&windows->list[i]);
    window->bytes = map(windows->fd, start, window->size, windows->name);
}

const uint8_t *windows_find(struct windows *windows, uint64_t off, size_t size)
{
    struct file_window *window = choose(windows, off, size);

    if (!window->bytes)
        fill(windows, window, off, size);
    if (!window->bytes) {
        const int error = errno;

        shortage_note(windows->name, error);
        *window = (struct file_window){0};
        errno = error;
        return NULL;
    }
    window->turn = ++windows->turns;
    return window->bytes + (off - window->off);
}
