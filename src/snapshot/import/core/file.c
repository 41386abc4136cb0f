/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/vec.h"
#include "snapshot/import/spool.h"

#define VIEW_AHEAD (64u << 10) /* bytes read at least for a view */

enum status core_file_open(struct source_input *input, struct core_file *out, struct diag *diag)
{
    *out = (struct core_file){.fd = input->fd, .name = input->name, .size = UINT64_MAX};
    if (!input->is_seekable) {
        enum status status = spool_stream(input, &out->fd, diag);
        if (status != STATUS_OK)
            return status;
        out->owns_fd = true;
    }
    core_file_check(out);
    if (windows_open(&out->mapped, out->fd, out->size, out->name) == STATUS_OK)
        return STATUS_OK;
    diag_set(diag, out->name, "cannot be mapped: %s", strerror(errno));
    core_file_close(out);
    return STATUS_IO;
}

void core_file_close(struct core_file *file)
{
    windows_close(&file->mapped);
    if (file->owns_fd)
        close(file->fd);
    free(file->view);
}

bool core_file_check(struct core_file *file)
{
    struct stat st = {.st_size = 0};
    bool known = fstat(file->fd, &st) == 0;
    uint64_t size = known && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    bool shorter = size < file->size && (known || file->size == UINT64_MAX);

    if (!known)
        shortage_note(file->name, errno);
    if (shorter)
        file->size = size;
    return !shorter;
}

size_t core_file_read(const struct core_file *file, uint64_t off, void *buffer, size_t size)
{
    size_t len = 0;

    while (len < size && off <= (uint64_t)INT64_MAX - len) {
        ssize_t n = pread(file->fd, (uint8_t *)buffer + len, size - len, (off_t)(off + len));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            shortage_note(file->name, errno); /* it does not end here */
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
