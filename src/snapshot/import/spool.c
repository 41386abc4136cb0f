/* SPDX-License-Identifier: MIT */
#include "snapshot/import/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/write_all.h"

#define COPY_BLOCK (64u << 10)

/* Opens a file without name, which vanishes with its descriptor. */
static int open_unnamed(const char *dir)
{
    char path[4096];
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || (size_t)snprintf(path, sizeof(path), "%s/cgunwind-XXXXXX", dir) >= sizeof(path))
        return fd;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

/* Fills the block as far as the stream goes; negative errno on failure. */
static int64_t read_block(struct source_input *input, uint8_t *block)
{
    size_t len = 0;

    while (len < COPY_BLOCK) {
        int64_t n = source_read(input, block + len, COPY_BLOCK - len);

        if (n < 0)
            return n;
        if (n == 0)
            break;
        len += (size_t)n;
    }
    return (int64_t)len;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    return size > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Copies the stream, with holes for zeroes: most of many cores is memory never touched. */
static enum status copy_stream(struct source_input *input, int fd, const char *dir,
                               struct diag *diag)
{
    uint8_t *block = malloc(COPY_BLOCK);
    enum status status = block ? STATUS_OK : STATUS_NO_MEMORY;
    off_t size = 0;
    int64_t n = 1;

    while (status == STATUS_OK && (n = read_block(input, block)) > 0) {
        bool ok = is_zero(block, (size_t)n) ? lseek(fd, (off_t)n, SEEK_CUR) >= 0
                                            : write_all(fd, block, (size_t)n);
        size += (off_t)n;
        if (!ok)
            status = STATUS_IO;
    }
    if (status == STATUS_OK && n < 0) {
        diag_set(diag, input->name, "%s", strerror((int)-n));
        status = STATUS_IO;
    } else if (status == STATUS_IO || (status == STATUS_OK && ftruncate(fd, size) != 0)) {
        diag_set(diag, input->name, "cannot be kept in %s: %s", dir, strerror(errno));
        diag_hint(diag, "give it as a file, or TMPDIR a directory with room");
        status = STATUS_IO;
    }
    free(block);
    return status;
}

static const char *spool_directory(void)
{
    const char *dir = getenv("TMPDIR");

    return dir && *dir ? dir : "/tmp";
}

int spool_open(void)
{
    int fd = open_unnamed(spool_directory());

    return fd >= 0 ? fd : -errno;
}

/* Empties the file opened before, and returns another descriptor of it. */
static int reopen(int spool_fd)
{
    if (spool_fd < 0) {
        errno = -spool_fd;
        return -1;
    }
    if (ftruncate(spool_fd, 0) != 0 || lseek(spool_fd, 0, SEEK_SET) != 0)
        return -1;
    return fcntl(spool_fd, F_DUPFD_CLOEXEC, 0);
}

enum status spool_stream(struct source_input *input, int *fd, struct diag *diag)
{
    const char *dir = spool_directory();
    enum status status;

    *fd = input->has_spool ? reopen(input->spool_fd) : open_unnamed(dir);
    if (*fd < 0) {
        diag_set(diag, input->name, "cannot be kept in %s: %s", dir, strerror(errno));
        diag_hint(diag, "give it as a file, or TMPDIR a directory to write to");
        return STATUS_IO;
    }
    status = copy_stream(input, *fd, dir, diag);
    if (status != STATUS_OK)
        close(*fd);
    return status;
}
