/* SPDX-License-Identifier: MIT */
#include "snapshot/import/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/import/bundle.h"

#define PERF_MAGIC "PERFILE2" /* perf.data-file-format.txt in the kernel's tools/perf */
#define PERF_SWAP  "2ELIFREP" /* of a machine of the other byte order */

static int64_t read_fd(int fd, void *buffer, uint64_t size)
{
    for (;;) {
        ssize_t n = read(fd, buffer, (size_t)size);

        if (n >= 0 || errno != EINTR)
            return n >= 0 ? n : -(int64_t)errno;
    }
}

int64_t source_read(void *context, void *buffer, uint64_t size)
{
    struct source_input *input = context;
    size_t left = input->head_len - input->head_read;

    if (left == 0 || input->is_seekable)
        return read_fd(input->fd, buffer, size);
    if (size < left)
        left = (size_t)size;
    memcpy(buffer, input->head + input->head_read, left);
    input->head_read += left;
    return (int64_t)left;
}

/* Fills the head; where the file can be sought its position stays at the beginning. */
static enum status read_head(struct source_input *input, struct diag *diag)
{
    input->is_seekable = lseek(input->fd, 0, SEEK_SET) == 0;
    while (input->head_len < sizeof(input->head)) {
        int64_t n = read_fd(input->fd, input->head + input->head_len,
                            sizeof(input->head) - input->head_len);

        if (n < 0) {
            diag_set(diag, input->name, "%s", strerror((int)-n));
            return STATUS_IO;
        }
        if (n == 0)
            break;
        input->head_len += (size_t)n;
    }
    if (input->is_seekable && lseek(input->fd, 0, SEEK_SET) != 0) {
        diag_set(diag, input->name, "%s", strerror(errno));
        return STATUS_IO;
    }
    return STATUS_OK;
}

static bool begins(const struct source_input *input, const char *magic, size_t size)
{
    return input->head_len >= size && memcmp(input->head, magic, size) == 0;
}

static enum status open_kind(struct source_input *input, struct snap_source **out,
                             struct diag *diag)
{
    if (begins(input,
               "\x7f"
               "ELF",
               4))
        return core_source_open(input, out, diag);
    if (begins(input, PERF_MAGIC, 8) || begins(input, PERF_SWAP, 8))
        return perf_source_open(input, out, diag);
    if (zephyr_begins(input->head, input->head_len))
        return zephyr_source_open(input, out, diag);
    /* Refuses other inputs, with a message on what is read. */
    return snapshot_source_open(input, out, diag);
}

enum status source_input_open(int fd, const char *name, struct source_input **out,
                              struct diag *diag)
{
    struct source_input *input = calloc(1, sizeof(*input));
    char *copy = strdup(name);
    enum status status = input && copy ? STATUS_OK : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        *input = (struct source_input){.fd = fd, .name = copy};
        status = read_head(input, diag);
    } else {
        diag_set(diag, name, "out of memory");
    }
    if (status == STATUS_OK) {
        *out = input;
        return STATUS_OK;
    }
    free(copy);
    free(input);
    return status;
}

void source_input_close(struct source_input *input)
{
    if (input) {
        if (input->owns_fd)
            close(input->fd);
        free((char *)input->name);
    }
    free(input);
}

enum status snap_source_open_input(struct source_input *input, struct snap_source **out,
                                   struct diag *diag)
{
    enum status status = open_kind(input, out, diag);

    if (status == STATUS_OK) {
        (*out)->input = input;
        return STATUS_OK;
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, input->name, "out of memory");
    source_input_close(input);
    return status;
}

enum status snap_source_open(int fd, const char *name, struct snap_source **out, struct diag *diag)
{
    struct source_input *input;
    enum status status = source_input_open(fd, name, &input, diag);

    return status == STATUS_OK ? snap_source_open_input(input, out, diag) : status;
}

void snap_source_close(struct snap_source *source)
{
    struct source_input *input;

    if (!source)
        return;
    input = source->input;
    bundle_close(source->bundle);
    source->ops->destroy(source);
    source_input_close(input);
}

uint64_t source_pac_mask(const struct arch *arch, uint64_t told)
{
    return told || !arch ? told : arch->pac_mask;
}

struct diag *source_note(struct snap_source *source)
{
    if (source->note_count < SOURCE_NOTE_MAX)
        source->note_count++;
    return &source->notes[source->note_count - 1];
}
