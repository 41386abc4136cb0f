/* SPDX-License-Identifier: MIT */
/*
 * A file's bytes, however large the file is. All of it is mapped where that is a small part of the
 * address space, which costs nothing for what nobody looks at. Otherwise, as on 32-bit machines,
 * what is looked at is mapped, and the last few of such windows are kept:
 *
 *     file     |---------------------------------------------------------------|
 *     windows       |=======|              |=======|     |=======|
 *
 * Of a file that is cut short meanwhile zeroes are seen (mapped.h). On 32-bit hosts the first
 * 16 TiB can be mapped (mmap2(2)). For one thread.
 */
#ifndef BASE_WINDOWS_H
#define BASE_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define WINDOWS_MAX  8u
#define WINDOW_SIZE  (UINT64_C(8) << 20)
#define WINDOWS_STEP (WINDOW_SIZE / 2) /* each begins at a multiple of it */

struct file_window {
    const uint8_t *bytes; /* NULL: free */
    uint64_t off;
    size_t size;
    uint64_t turn; /* when it was used last */
};

struct windows {
    const char *name;     /* for messages; borrowed */
    uint64_t size;        /* of the file, when it was opened */
    const uint8_t *whole; /* all bytes; NULL: windows are used */
    int fd;               /* owned; valid where windows are used */
    struct file_window list[WINDOWS_MAX];
    uint64_t turns;
};

/*
 * Opens the first `size` bytes of `fd`, which stays borrowed and may be closed at once. IO, with
 * errno.
 */
MUST_CHECK enum status windows_open(struct windows *windows, int fd, uint64_t size,
                                    const char *name);
/* Harmless where it was zeroed, or not opened. */
void windows_close(struct windows *windows);

const uint8_t *windows_find(struct windows *windows, uint64_t off, size_t size);

/*
 * The bytes [off, off + size), valid until the next call, or with `whole` until the end. NULL: the
 * file has not so many, or they cannot be mapped: errno, and it is noted (shortage.h).
 */
static inline const uint8_t *windows_at(struct windows *windows, uint64_t off, size_t size)
{
    if (off > windows->size || size > windows->size - off)
        return NULL;
    return windows->whole ? windows->whole + off : windows_find(windows, off, size);
}

#endif
