/* SPDX-License-Identifier: MIT */
/*
 * Read access to a file of any size by mapping. The whole file is mapped if it is smaller than an
 * eighth of the address space. Otherwise (on 32-bit machines) windows of it are mapped when they
 * are needed, and the last few are kept:
 *
 *     file     |---------------------------------------------------------------|
 *     windows       |=======|              |=======|     |=======|
 *
 * If the file is cut short meanwhile, the missing bytes read as zeroes (mapped.h). On 32-bit hosts
 * only the first 16 TiB can be mapped (mmap2(2)). Not thread-safe.
 */
#ifndef BASE_WINDOWS_H
#define BASE_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define WINDOWS_MAX  8u
#define WINDOW_SIZE  (UINT64_C(8) << 20)
#define WINDOWS_STEP (WINDOW_SIZE / 2) /* each window begins at a multiple */

struct file_window {
    const uint8_t *bytes; /* NULL: free */
    uint64_t off;
    size_t size;
    uint64_t turn; /* time of the last use, in calls */
};

struct windows {
    const char *name;     /* for messages; borrowed */
    uint64_t size;        /* bytes, when the file was opened */
    const uint8_t *whole; /* the whole file, if it is mapped; NULL: windows are used */
    int fd;               /* owned; valid where windows are used */
    struct file_window list[WINDOWS_MAX];
    uint64_t turns;
};

/*
 * Opens the first `size` bytes of `fd` for reading. `fd` may be closed at once. `name` is borrowed.
 * Fails with IO only; errno.
 */
MUST_CHECK enum status windows_open(struct windows *windows, int fd, uint64_t size,
                                    const char *name);
/* May be called on a zeroed struct, and after windows_open has failed. */
void windows_close(struct windows *windows);

/* For windows_at, where the file is not mapped whole. */
const uint8_t *windows_find(struct windows *windows, uint64_t off, size_t size);

/*
 * Returns the bytes [off, off + size), valid until the next call (if `whole`: until windows_close).
 * NULL: they reach beyond `size`, or cannot be mapped, which sets errno and is noted (shortage.h).
 */
static inline const uint8_t *windows_at(struct windows *windows, uint64_t off, size_t size)
{
    if (off > windows->size || size > windows->size - off)
        return NULL;
    return windows->whole ? windows->whole + off : windows_find(windows, off, size);
}

#endif
