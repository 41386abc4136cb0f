/* SPDX-License-Identifier: MIT */
#include "snapshot/writer.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32.h"
#include "snapshot/pump.h"

#define FLUSH_SIZE  (64u << 10)
#define BUFFER_SIZE (2 * ((size_t)SNAP_RECORD_HEAD + SNAP_PAYLOAD_MAX))
#define KEEP_SIZE   (256u << 10) /* of the buffer's memory after a large record */
#define POLL_MS     5            /* without a pump */

struct snap_writer {
    int fd;
    const char *name;
    /*
     * Address space for the largest record and as much before it. Pages that were never written to
     * cost no memory, and flush gives back those beyond KEEP_SIZE.
     */
    uint8_t *buffer;
    size_t used;     /* bytes in the buffer: whole records, then the record being built */
    size_t record;   /* where the record being built begins; whole records lie before it */
    bool overflow;   /* the record being built does not fit */
    bool is_file;    /* the output is a regular file */
    uint64_t handed; /* bytes of whole records handed to the kernel */
    enum status error;
    struct diag diag;
    struct pump *pump; /* borrowed; NULL: `fd` is the output itself */
    snap_wait_fn *wait;
    void *wait_context;
};

static void store(uint8_t *to, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void put(struct snap_writer *writer, const void *data, size_t size)
{
    if (size > BUFFER_SIZE - writer->used) {
        writer->overflow = true;
        return;
    }
    if (size)
        memcpy(writer->buffer + writer->used, data, size);
    writer->used += size;
}

static void put_uint(struct snap_writer *writer, uint64_t value, unsigned size)
{
    uint8_t bytes[8];

    store(bytes, value, size);
    put(writer, bytes, size);
}

static void put_file_header(struct snap_writer *writer, const struct arch *arch, uint64_t offset_ns)
{
    put(writer, SNAP_MAGIC, SNAP_MAGIC_SIZE);
    put_uint(writer, SNAP_MAJOR, 2);
    put_uint(writer, SNAP_MINOR, 2);
    put_uint(writer, 1, 1);
    put_uint(writer, arch->word_size, 1);
    put_uint(writer, arch->elf_machine, 2);
    put_uint(writer, offset_ns, 8);
    put_uint(writer, 0, 4);
    put_uint(writer, crc32_update(0, writer->buffer, writer->used), 4);
    writer->record = writer->used;
}

void snap_writer_promise_files(struct snap_writer *writer)
{
    assert(writer->used == SNAP_HEADER_SIZE);
    store(writer->buffer + SNAP_FEATURES_OFF, SNAP_HAS_FILES, 4);
    store(writer->buffer + SNAP_HEADER_SIZE - 4,
          crc32_update(0, writer->buffer, SNAP_HEADER_SIZE - 4), 4);
}

enum status snap_writer_create(int fd, const char *name, const struct arch *arch,
                               uint64_t clock_offset_ns, struct snap_writer **out,
                               struct diag *diag)
{
    struct snap_writer *writer = calloc(1, sizeof(*writer));
    struct stat st;

    if (!writer) {
        diag_set(diag, name, "out of memory");
        return STATUS_NO_MEMORY;
    }
    writer->buffer = mmap(NULL, BUFFER_SIZE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (writer->buffer == MAP_FAILED) {
        diag_set(diag, name, "no address space for the output buffer: %s", strerror(errno));
        free(writer);
        return STATUS_NO_MEMORY;
    }
    /* A huge page would cost 2 MiB for the first byte. */
    madvise(writer->buffer, BUFFER_SIZE, MADV_NOHUGEPAGE);
    writer->fd = fd;
    writer->name = name;
    writer->is_file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    put_file_header(writer, arch, clock_offset_ns);
    *out = writer;
    return STATUS_OK;
}

void snap_writer_destroy(struct snap_writer *writer)
{
    if (!writer)
        return;
    munmap(writer->buffer, BUFFER_SIZE);
    free(writer);
}

void snap_writer_use_pump(struct snap_writer *writer, struct pump *pump, snap_wait_fn *wait,
                          void *context)
{
    writer->fd = pump_fd(pump);
    writer->is_file = pump_is_file(pump);
    writer->pump = pump;
    pump_watch(pump);
    writer->wait = wait;
    writer->wait_context = context;
}

void snap_writer_begin(struct snap_writer *writer, enum snap_type type, bool required)
{
    writer->used = writer->record;
    writer->overflow = false;
    put_uint(writer, (uint64_t)type, 2);
    put_uint(writer, required ? SNAP_REQUIRED : 0, 2);
    put_uint(writer, 0, 8); /* length and CRC: filled in by end */
}

void snap_writer_u8(struct snap_writer *writer, uint8_t value)
{
    put_uint(writer, value, 1);
}

void snap_writer_u16(struct snap_writer *writer, uint16_t value)
{
    put_uint(writer, value, 2);
}

void snap_writer_u32(struct snap_writer *writer, uint32_t value)
{
    put_uint(writer, value, 4);
}

void snap_writer_u64(struct snap_writer *writer, uint64_t value)
{
    put_uint(writer, value, 8);
}

void snap_writer_str(struct snap_writer *writer, const char *text)
{
    size_t size = strlen(text);

    if (size > UINT16_MAX)
        size = UINT16_MAX;
    put_uint(writer, size, 2);
    put(writer, text, size);
}

void snap_writer_bytes(struct snap_writer *writer, const void *data, size_t size)
{
    if (size > SNAP_PAYLOAD_MAX) {
        writer->overflow = true;
        return;
    }
    put_uint(writer, size, 4);
    put(writer, data, size);
}

void snap_writer_raw(struct snap_writer *writer, const void *data, size_t size)
{
    put(writer, data, size);
}

enum status snap_writer_end(struct snap_writer *writer)
{
    uint8_t *head = writer->buffer + writer->record;
    size_t payload = writer->used - writer->record - SNAP_RECORD_HEAD;
    uint32_t crc;

    if (writer->error != STATUS_OK) {
        writer->used = writer->record;
        return writer->error;
    }
    if (writer->overflow || payload > SNAP_PAYLOAD_MAX) {
        writer->used = writer->record;
        return STATUS_NO_MEMORY;
    }
    store(head + 4, payload, 4);
    crc = crc32_update(0, head, 8);
    crc = crc32_update(crc, head + SNAP_RECORD_HEAD, payload);
    store(head + 8, crc, 4);
    writer->record = writer->used;
    return STATUS_OK;
}

static enum status fail(struct snap_writer *writer, const char *what, int error)
{
    writer->error = STATUS_IO;
    if (error == EPIPE || error == ECONNRESET)
        diag_set(&writer->diag, writer->name, "%s: the reader has gone", what);
    else if (error == ECANCELED)
        diag_set(&writer->diag, writer->name,
                 writer->is_file ? "%s: its file system takes no more"
                                 : "%s: the reader does not read",
                 what);
    else if (error == ECHILD)
        diag_set(&writer->diag, writer->name, "%s: the process that writes it was killed", what);
    else
        diag_set(&writer->diag, writer->name, "%s: %s", what, strerror(error));
    if (error == ENOSPC || error == EDQUOT)
        diag_hint(&writer->diag, "what was written is readable; free some space");
    return STATUS_IO;
}

const uint8_t *snap_writer_take(struct snap_writer *writer, size_t *size)
{
    *size = writer->record;
    writer->handed += writer->record;
    writer->record = writer->used = 0;
    return writer->buffer;
}

/* Waits until the output may take more. False: the caller's wait function gave up. */
static bool wait_for_room(struct snap_writer *writer)
{
    struct pollfd poll_fd = {.fd = writer->fd, .events = POLLOUT};

    if (writer->pump)
        return writer->wait(writer->wait_context, pump_progress(writer->pump));
    poll(&poll_fd, 1, POLL_MS);
    return true;
}

/* EPIPE from a pump means that it ended: returns the output's error then, else `error`. */
static int output_error(struct snap_writer *writer, int error)
{
    int told = error;

    if (error == EPIPE && writer->pump)
        while (!pump_is_over(writer->pump, &told))
            poll(NULL, 0, POLL_MS);
    return told;
}

enum status snap_writer_flush(struct snap_writer *writer)
{
    static const char what[] = "cannot write";
    size_t whole = writer->record;
    size_t done = 0;

    while (writer->error == STATUS_OK && done < whole) {
        ssize_t n = write(writer->fd, writer->buffer + done, whole - done);

        if (n >= 0)
            done += (size_t)n;
        else if (errno == EAGAIN) {
            if (!wait_for_room(writer))
                return fail(writer, what, ECANCELED);
        } else if (errno != EINTR)
            return fail(writer, what, output_error(writer, errno));
    }
    if (writer->error != STATUS_OK)
        return writer->error;
    if (writer->used > KEEP_SIZE)
        madvise(writer->buffer + KEEP_SIZE, BUFFER_SIZE - KEEP_SIZE, MADV_DONTNEED);
    writer->handed += whole;
    writer->record = 0;
    writer->used = 0;
    return STATUS_OK;
}

enum status snap_writer_finish(struct snap_writer *writer)
{
    static const char what[] = "not all of it has arrived";
    enum status status = snap_writer_flush(writer);
    int error;

    if (status != STATUS_OK || !writer->pump)
        return status;
    pump_end(writer->pump);
    while (!pump_is_over(writer->pump, &error))
        if (!wait_for_room(writer))
            return fail(writer, what, ECANCELED);
    return error ? fail(writer, what, error) : STATUS_OK;
}

enum status snap_writer_relieve(struct snap_writer *writer)
{
    return writer->record > FLUSH_SIZE ? snap_writer_flush(writer) : writer->error;
}

uint64_t snap_writer_size(const struct snap_writer *writer)
{
    return writer->handed + writer->record;
}

enum status snap_writer_error(const struct snap_writer *writer, struct diag *diag)
{
    if (writer->error != STATUS_OK && diag)
        *diag = writer->diag;
    return writer->error;
}
