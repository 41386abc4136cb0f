/* SPDX-License-Identifier: MIT */
#include "symbol/elf/file_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_file.h"
#include "base/mapped.h"
#include "base/shortage.h"

#define COPY_PAD 64

/* Whole pages, and one more. */
static size_t map_size(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (size + 2 * page - 1) & ~(page - 1);
}

/* The file replaces the beginning of a range of zeroes. */
static void *map_fd(int fd, off_t off, size_t size)
{
    size_t whole = map_size(size);
    void *bytes = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (bytes == MAP_FAILED)
        return NULL;
    if (mmap(bytes, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, off) == MAP_FAILED) {
        munmap(bytes, whole);
        return NULL;
    }
    return bytes;
}

/*
 * Is most of the file a hole? Work grows with a file's size, and zeroes without disk blocks must
 * not cause any. File systems that compress, or report no blocks (0), pass.
 */
static bool is_hollow(const struct stat *st)
{
    const uint64_t there = (uint64_t)st->st_blocks * 512, size = (uint64_t)st->st_size;

    return there && size > FILE_MAP_HOLES_MAX && size / FILE_MAP_RATIO_MAX > there;
}

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

/* Maps the file into out->bytes; out->size is set. */
static enum status map_to(int fd, off_t off, const char *name, struct file_map *out,
                          struct diag *diag)
{
    out->bytes = map_fd(fd, off, out->size);
    if (out->bytes) {
        mapped_add(out->bytes, out->size, name);
        return STATUS_OK;
    }
    shortage_note(name, errno);
    diag_set(diag, name, "cannot be mapped: %s", strerror(errno));
    return STATUS_IO;
}

/* Can the file be mapped? BAD_DATA, or OK. */
static enum status check(const struct stat *st, const char *name, struct diag *diag)
{
    if (!S_ISREG(st->st_mode) || st->st_size <= 0) {
        diag_set(diag, name, S_ISREG(st->st_mode) ? "not an ELF file" : "not a regular file");
        return STATUS_BAD_DATA;
    }
    if ((uint64_t)st->st_size > SIZE_MAX / 2) {
        diag_set(diag, name, "has more bytes than this machine has addresses for one file");
        return STATUS_BAD_DATA;
    }
    if (is_hollow(st)) {
        diag_set(diag, name, "is nearly all a hole: %llu of %llu bytes are there",
                 (unsigned long long)st->st_blocks * 512, (unsigned long long)st->st_size);
        return STATUS_BAD_DATA;
    }
    return STATUS_OK;
}

static enum status fail_open(const char *name, struct diag *diag)
{
    shortage_note_open(name, errno);
    diag_set(diag, name, "cannot be opened: %s",
             errno == EWOULDBLOCK ? "another program has a lease on it" : strerror(errno));
    return STATUS_IO;
}

enum status file_map_open_fd(int fd, const char *name, struct file_map *out, struct diag *diag)
{
    struct stat st;
    enum status status = fstat(fd, &st) == 0 ? check(&st, name, diag) : fail_open(name, diag);

    if (status == STATUS_OK) {
        *out = (struct file_map){.size = (size_t)st.st_size,
                                 .mapped = true,
                                 .written_ns = nanoseconds(&st.st_mtim),
                                 .changed_ns = nanoseconds(&st.st_ctim)};
        status = map_to(fd, 0, name, out, diag);
    }
    close(fd);
    return status;
}

enum status file_map_open(const char *path, struct file_map *out, struct diag *diag)
{
    const int fd = in_file_open(path);

    if (fd >= 0)
        return file_map_open_fd(fd, path, out, diag);
    if (errno != EMEDIUMTYPE)
        return fail_open(path, diag);
    diag_set(diag, path, "not a regular file");
    return STATUS_BAD_DATA;
}

enum status file_map_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                               struct file_map *out, struct diag *diag)
{
    if (size > SIZE_MAX / 2 || off > (uint64_t)INT64_MAX - size) {
        diag_set(diag, name, "too large");
        return STATUS_IO;
    }
    *out = (struct file_map){.size = (size_t)size, .mapped = true};
    return map_to(fd, (off_t)off, name, out, diag);
}

enum status file_map_copy(const void *bytes, size_t size, struct file_map *out)
{
    *out = (struct file_map){.size = size};
    if (size < SIZE_MAX / 2)
        out->bytes = calloc(1, size + COPY_PAD);
    if (!out->bytes)
        return STATUS_NO_MEMORY;
    if (size > 0)
        memcpy(out->bytes, bytes, size);
    return STATUS_OK;
}

void file_map_let_go(const struct file_map *map, const uint8_t *bytes, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);

    if (map->mapped && bytes >= map->bytes && (size_t)(bytes - map->bytes) <= map->size &&
        size <= map->size - (size_t)(bytes - map->bytes) && start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

void file_map_close(struct file_map *map)
{
    if (map->mapped && map->bytes) {
        mapped_remove(map->bytes);
        munmap(map->bytes, map_size(map->size));
    } else {
        free(map->bytes);
    }
    *map = (struct file_map){0};
}
