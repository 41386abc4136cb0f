/* SPDX-License-Identifier: MIT */
#include "snapshot/import/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "snapshot/format.h"
#include "snapshot/import/bundle.h"
#include "snapshot/import/gunzip.h"

#define PART_SIZE  65536      /* of what source_read_all reads at once */
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

    if (input->is_seekable || (left == 0 && !input->gunzip))
        return read_fd(input->fd, buffer, size);
    if (left == 0)
        return gunzip_read(input->gunzip, buffer, size);
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

/* Replaces the head by that of the decompressed bytes, which cannot be sought. */
static enum status begin_gunzip(struct source_input *input, struct diag *diag)
{
    enum status status = gunzip_create(input, &input->gunzip);
    int64_t n = 0;

    if (status != STATUS_OK) {
        diag_set(diag, input->name, "%s", status_name(status));
        return status;
    }
    input->is_seekable = false;
    input->head_len = 0;
    do {
        input->head_len += (size_t)n;
        n = gunzip_read(input->gunzip, input->head + input->head_len,
                        sizeof(input->head) - input->head_len);
    } while (n > 0 && input->head_len < sizeof(input->head));
    return n >= 0 ? STATUS_OK : source_failed(input, STATUS_IO, diag);
}

enum status source_failed(const struct source_input *input, enum status status, struct diag *diag)
{
    const struct diag *problem = input && input->gunzip ? gunzip_problem(input->gunzip) : NULL;

    if (!problem)
        return status;
    *diag = *problem;
    return STATUS_BAD_DATA;
}

static bool begins(const struct source_input *input, const char *magic, size_t size)
{
    return input->head_len >= size && memcmp(input->head, magic, size) == 0;
}

bool source_input_is_known(const struct source_input *input)
{
    return begins(input,
                  "\x7f"
                  "ELF",
                  4) ||
           begins(input, PERF_MAGIC, 8) || begins(input, PERF_SWAP, 8) ||
           begins(input, SNAP_MAGIC, SNAP_MAGIC_SIZE) ||
           zephyr_begins(input->head, input->head_len);
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
        if (status == STATUS_OK && gunzip_begins(input->head, input->head_len))
            status = begin_gunzip(input, diag);
    } else {
        diag_set(diag, name, "out of memory");
    }
    if (status == STATUS_OK) {
        *out = input;
        return STATUS_OK;
    }
    if (input)
        gunzip_destroy(input->gunzip);
    free(copy);
    free(input);
    return status;
}

void source_input_close(struct source_input *input)
{
    if (input) {
        if (input->owns_fd)
            close(input->fd);
        gunzip_destroy(input->gunzip);
        free((char *)input->name);
    }
    free(input);
}

/* Reads up to the end; more than `max` bytes are BAD_DATA. */
static enum status read_bytes(struct source_input *input, size_t max, uint8_t **bytes, size_t *size,
                              struct diag *diag)
{
    enum status status = STATUS_OK;
    size_t cap = 0;

    while ((status = vec_reserve(bytes, &cap, *size + PART_SIZE, 1)) == STATUS_OK) {
        const int64_t n = source_read(input, *bytes + *size, PART_SIZE);

        if (n < 0) {
            diag_set(diag, input->name, "%s", strerror((int)-n));
            return source_failed(input, STATUS_IO, diag);
        }
        if (n == 0)
            return source_failed(input, STATUS_OK, diag);
        *size += (size_t)n;
        if (*size > max) {
            diag_set(diag, input->name, "is larger than %zu bytes%s, which is more than is read",
                     max, input->gunzip ? " decompressed" : "");
            return STATUS_BAD_DATA;
        }
    }
    diag_set(diag, input->name, "%s", status_name(status));
    return status;
}

enum status source_read_all(struct source_input *input, size_t max, uint8_t **bytes, size_t *size,
                            struct diag *diag)
{
    enum status status;

    *bytes = NULL;
    *size = 0;
    status = read_bytes(input, max, bytes, size, diag);
    if (status != STATUS_OK || *size == 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum status snap_source_open_input(struct source_input *input, struct snap_source **out,
                                   struct diag *diag)
{
    enum status status = open_kind(input, out, diag);

    if (status == STATUS_OK) {
        (*out)->input = input;
        return STATUS_OK;
    }
    if (status == STATUS_IO)
        status = source_failed(input, status, diag);
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
