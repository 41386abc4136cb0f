#include "snapshot/import/core_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

#define COPY_BLOCK (64u << 10)
#define VIEW_AHEAD (64u << 10) /* what is read at least for a view */

/* A file that nobody else can open, and that is gone with its descriptor. */
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

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
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

/* Memory that was never touched makes most of many a core: it takes no room in the copy either. */
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
        diag_set(diag, input->name, "cannot keep the core in %s: %s", dir, strerror(errno));
        diag_hint(diag, "give it as a file, or TMPDIR a directory with room");
        status = STATUS_IO;
    }
    free(block);
    return status;
}

static enum status keep_stream(struct source_input *input, int *fd, struct diag *diag)
{
    const char *dir = getenv("TMPDIR");
    enum status status;

    if (!dir || !*dir)
        dir = "/tmp";
    *fd = open_unnamed(dir);
    if (*fd < 0) {
        diag_set(diag, input->name, "cannot keep the core in %s: %s", dir, strerror(errno));
        diag_hint(diag, "give it as a file, or TMPDIR a directory to write to");
        return STATUS_IO;
    }
    status = copy_stream(input, *fd, dir, diag);
    if (status != STATUS_OK)
        close(*fd);
    return status;
}

enum status core_file_open(struct source_input *input, struct core_file *out, struct diag *diag)
{
    void *map = MAP_FAILED;

    *out = (struct core_file){.fd = input->fd, .name = input->name, .size = UINT64_MAX};
    if (!input->is_seekable) {
        enum status status = keep_stream(input, &out->fd, diag);
        if (status != STATUS_OK)
            return status;
        out->owns_fd = true;
    }
    core_file_check(out);
    if (out->size && out->size <= SIZE_MAX)
        map = mmap(NULL, (size_t)out->size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, out->fd, 0);
    if (map != MAP_FAILED) {
        out->map = map;
        out->map_size = (size_t)out->size;
    }
    return STATUS_OK;
}

void core_file_close(struct core_file *file)
{
    if (file->map)
        munmap((void *)(uintptr_t)file->map, file->map_size);
    if (file->owns_fd)
        close(file->fd);
    free(file->view);
}

bool core_file_check(struct core_file *file)
{
    struct stat st;
    uint64_t size = fstat(file->fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    bool shorter = size < file->size;

    if (shorter)
        file->size = size;
    return !shorter;
}

size_t core_file_read(const struct core_file *file, uint64_t off, void *buffer, size_t size)
{
    size_t len = 0;

    while (len < size && off <= INT64_MAX - len) {
        ssize_t n = pread(file->fd, (uint8_t *)buffer + len, size - len, (off_t)(off + len));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        len += (size_t)n;
    }
    return len;
}

const uint8_t *core_file_view(struct core_file *file, uint64_t off, size_t size)
{
    size_t ahead = size > VIEW_AHEAD ? size : VIEW_AHEAD;

    if (size > CORE_VIEW_MAX)
        return NULL;
    if (off >= file->view_off && off - file->view_off <= file->view_len &&
        size <= file->view_len - (size_t)(off - file->view_off))
        return file->view + (off - file->view_off);
    file->view_len = 0;
    if (vec_reserve(&file->view, &file->view_cap, ahead, 1) != STATUS_OK)
        return NULL;
    file->view_off = off;
    file->view_len = core_file_read(file, off, file->view, ahead);
    return size <= file->view_len ? file->view : NULL;
}
