/* SPDX-License-Identifier: MIT */
/*
 * Reads a file of any size by mapping. The whole file is mapped if it is smaller than an eighth of
 * the address space. Otherwise (on 32-bit machines) windows of the file are mapped when they are
 * needed, and the WINDOWS_MAX used last are kept:
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
#define WINDOWS_STEP (WINDOW_SIZE / 2) /* each window begins at a multiple of this file offset */

struct file_window {
    const uint8_t *bytes; /* the mapping, owned; NULL: this element of the list is unused */
    uint64_t off;         /* file offset of bytes[0] */
    size_t size;          /* number of mapped bytes */
    uint64_t turn;        /* value of windows.turns at the last use */
};

struct windows {
    const char *name;     /* name of the file, for messages; borrowed */
    uint64_t size;        /* bytes of the file that can be read, as given to windows_open */
    const uint8_t *whole; /* the whole file, if it is mapped; NULL: windows are used */
    int fd;               /* owned; valid where windows are used */
    struct file_window list[WINDOWS_MAX];
    uint64_t turns; /* counts the calls of windows_find */
};

/*
 * Opens the first `size` bytes of the file `fd` for reading. The caller may close `fd` afterwards.
 * `name` is borrowed, for messages. Fails with IO only; errno says why.
 */
MUST_CHECK enum status windows_open(struct windows *windows, int fd, uint64_t size,
                                    const char *name);
/* Frees all; may be called on a zeroed struct, and after windows_open has failed. */
void windows_close(struct windows *windows);

/* Does windows_at's work where the file is not mapped whole; for windows_at only. */
const uint8_t *windows_find(struct windows *windows, uint64_t off, size_t size);

/*
 * Returns the file's bytes [off, off + size), valid until the next call (if windows->whole: until
 * windows_close). NULL: they reach beyond windows->size; or they cannot be mapped, which sets errno
 * and is noted (shortage.h).
 */
static inline const uint8_t *windows_at(struct windows *windows, uint64_t off, size_t size)
{
    if (off > windows->size || size > windows->size - off)
        return NULL;
    return windows->whole ? windows->whole + off : windows_find(windows, off, size);
}

#endif
