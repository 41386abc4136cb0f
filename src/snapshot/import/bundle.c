/* SPDX-License-Identifier: MIT */
#include "snapshot/import/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "base/cursor.h"
#include "base/map.h"
#include "base/shortage.h"
#include "base/vec.h"
#include "snapshot/import/record_heads.h"

/* Bytes of a record, with room for fields of later versions. */
#define PART_PAYLOAD_MAX (SNAP_FILE_PART_MAX + 4096)

struct bundle_part {
    struct passed_record head;
    uint32_t next; /* index + 1 of the file's next one; 0: none */
};

struct bundle_entry {
    struct bundle_file file;
    uint32_t first, last; /* index + 1 of a part; 0: none */
};

struct bundle {
    int fd; /* owned */
    char *name;
    struct bundle_entry *entries; /* owned, as the next */
    size_t count, cap;
    struct bundle_part *parts;
    size_t part_count, part_cap;
    struct map by_number;        /* -> index of an entry */
    uint8_t *payload;            /* PART_PAYLOAD_MAX bytes, owned, as the next */
    uint8_t *plain;              /* SNAP_FILE_PART_MAX bytes */
    uint64_t taken, taken_coded; /* bytes of all extracted files, and their bytes in the snapshot */
};

bool bundle_is_promised(const uint8_t *head, size_t size)
{
    struct cursor c = cursor_init(head, size);
    uint32_t features;

    return size >= SNAP_HEADER_SIZE && memcmp(head, SNAP_MAGIC, SNAP_MAGIC_SIZE) == 0 &&
           cursor_skip(&c, SNAP_FEATURES_OFF) && cursor_u32(&c, &features) &&
           features & SNAP_HAS_FILES;
}

void bundle_close(struct bundle *bundle)
{
    if (!bundle)
        return;
    for (size_t i = 0; i < bundle->count; i++) {
        free(bundle->entries[i].file.path);
        free(bundle->entries[i].file.place);
    }
    if (bundle->fd >= 0)
        close(bundle->fd);
    map_deinit(&bundle->by_number);
    free(bundle->entries);
    free(bundle->parts);
    free(bundle->payload);
    free(bundle->plain);
    free(bundle->name);
    free(bundle);
}

size_t bundle_count(const struct bundle *bundle)
{
    return bundle->count;
}

const struct bundle_file *bundle_at(const struct bundle *bundle, size_t index)
{
    return &bundle->entries[index].file;
}

static bool take_text(struct cursor *c, char **out)
{
    const uint8_t *bytes;
    uint16_t len;

    if (!cursor_u16(c, &len) || !cursor_bytes(c, len, &bytes))
        return false;
    *out = strndup((const char *)bytes, len);
    return true;
}

/* Adds the file of a FILE record. NOT_FOUND: malformed, left out. */
static enum status take_file(struct bundle *bundle, size_t size)
{
    struct cursor c = cursor_init(bundle->payload, size);
    struct bundle_file file = {.size = 0};
    uint8_t kind;
    uint64_t written_ns;
    uint32_t number;
    const uint8_t *id;

    if (bundle->count == BUNDLE_FILES_MAX || !cursor_u32(&c, &number) || !cursor_u8(&c, &kind) ||
        !cursor_u8(&c, &file.id.size) || file.id.size > SNAP_BUILD_ID_MAX ||
        !cursor_bytes(&c, file.id.size, &id) || !cursor_u64(&c, &file.size) ||
        !cursor_u64(&c, &written_ns) || kind < SNAP_FILE_MAPPED || kind > SNAP_FILE_SHARED ||
        map_get(&bundle->by_number, number))
        return STATUS_NOT_FOUND;
    file.kind = (enum snap_file_kind)kind;
    memcpy(file.id.bytes, id, file.id.size);
    if (vec_reserve(&bundle->entries, &bundle->cap, bundle->count + 1, sizeof(*bundle->entries)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    if (!take_text(&c, &file.path) || !take_text(&c, &file.place)) {
        free(file.path);
        return STATUS_NOT_FOUND;
    }
    if (!cursor_u64(&c, &file.dev) || !cursor_u64(&c, &file.inode))
        file.dev = file.inode = 0;
    bundle->entries[bundle->count++] = (struct bundle_entry){.file = file};
    return file.path && file.place && map_put(&bundle->by_number, number, bundle->count - 1)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

/* Adds a part to its file, whose number it begins with; the rest is read when it is extracted. */
static enum status take_part(struct bundle *bundle, const struct passed_record *head)
{
    uint8_t bytes[SNAP_RECORD_HEAD + 4] = {0};
    struct cursor c = cursor_init(bytes + SNAP_RECORD_HEAD, 4);
    struct bundle_entry *entry;
    const uint64_t *index;
    uint32_t number;

    if (head->len > PART_PAYLOAD_MAX || bundle->part_count == BUNDLE_PARTS_MAX ||
        pread(bundle->fd, bytes, sizeof(bytes), (off_t)head->off) != (ssize_t)sizeof(bytes) ||
        !cursor_u32(&c, &number) || !(index = map_get(&bundle->by_number, number)))
        return STATUS_NOT_FOUND;
    if (vec_reserve(&bundle->parts, &bundle->part_cap, bundle->part_count + 1,
                    sizeof(*bundle->parts)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    bundle->parts[bundle->part_count++] = (struct bundle_part){.head = *head};
    entry = &bundle->entries[*index];
    entry->file.coded_size += head->len;
    if (entry->last)
        bundle->parts[entry->last - 1].next = (uint32_t)bundle->part_count;
    else
        entry->first = (uint32_t)bundle->part_count;
    entry->last = (uint32_t)bundle->part_count;
    return STATUS_OK;
}

static enum status find_all(struct bundle *bundle)
{
    struct record_heads heads;
    struct passed_record head;
    enum status status = record_heads_init(&heads, bundle->fd, SNAP_HEADER_SIZE);

    if (status != STATUS_OK)
        return status;
    while (status != STATUS_NO_MEMORY && record_heads_next(&heads, &head)) {
        if (head.type == SNAP_FILE_PART)
            status = take_part(bundle, &head);
        else if (head.type == SNAP_FILE && head.len <= PART_PAYLOAD_MAX &&
                 record_payload_read(bundle->fd, &head, bundle->payload))
            status = take_file(bundle, head.len);
    }
    record_heads_deinit(&heads);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status bundle_open(int fd, const char *name, struct bundle **out, struct diag *diag)
{
    struct bundle *bundle = calloc(1, sizeof(*bundle));
    enum status status = STATUS_NO_MEMORY;

    if (!bundle)
        return STATUS_NO_MEMORY;
    bundle->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (bundle->fd < 0) {
        shortage_note(name, errno);
        diag_set(diag, name, "%s", strerror(errno));
        bundle_close(bundle);
        return STATUS_IO;
    }
    bundle->name = strdup(name);
    bundle->payload = malloc(PART_PAYLOAD_MAX);
    bundle->plain = malloc(SNAP_FILE_PART_MAX);
    if (bundle->name && bundle->payload && bundle->plain)
        status = find_all(bundle);
    if (status == STATUS_OK)
        *out = bundle;
    else
        bundle_close(bundle);
    return status;
}

/* Returns the bytes of a part, which must continue the file at `off`; NULL: damaged. */
static const uint8_t *decode(struct bundle *bundle, const struct bundle_part *part, uint64_t off,
                             uint32_t *size)
{
    struct cursor c = cursor_init(bundle->payload, part->head.len);
    uint32_t number, coded_size;
    const uint8_t *bytes;
    uint8_t coding;
    uint64_t at;

    if (!record_payload_read(bundle->fd, &part->head, bundle->payload) ||
        !cursor_u32(&c, &number) || !cursor_u64(&c, &at) || !cursor_u32(&c, size) ||
        !cursor_u8(&c, &coding) || !cursor_u32(&c, &coded_size) ||
        !cursor_bytes(&c, coded_size, &bytes) || at != off || !*size || *size > SNAP_FILE_PART_MAX)
        return NULL;
    if (coding == SNAP_CODING_PLAIN)
        return coded_size == *size ? bytes : NULL;
    if (coding != SNAP_CODING_ZSTD ||
        ZSTD_decompress(bundle->plain, *size, bytes, coded_size) != *size)
        return NULL;
    return bundle->plain;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Writes at `off`, where the file's end is afterwards. */
static bool write_at(int fd, uint64_t off, const uint8_t *bytes, size_t size)
{
    if (is_zero(bytes, size))
        return ftruncate(fd, (off_t)(off + size)) == 0;
    while (size) {
        const ssize_t n = pwrite(fd, bytes, size, (off_t)off);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        off += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

static enum status refuse(const struct bundle *bundle, const struct bundle_file *file,
                          const char *why, struct diag *diag)
{
    diag_set(diag, bundle->name, "the file %s in it %s", file->place, why);
    return STATUS_BAD_DATA;
}

/* Writes the file's parts; *done: bytes written. */
static enum status extract_parts(struct bundle *bundle, const struct bundle_entry *entry, int fd,
                                 uint64_t off, uint64_t *done, struct diag *diag)
{
    const struct bundle_file *file = &entry->file;
    uint32_t size;

    for (uint32_t i = entry->first; i != 0; i = bundle->parts[i - 1].next) {
        const uint8_t *bytes = decode(bundle, &bundle->parts[i - 1], *done, &size);

        if (!bytes || size > file->size - *done)
            return refuse(bundle, file, "is damaged", diag);
        if (*done == 0 && (size < 4 || memcmp(bytes, "\177ELF", 4) != 0))
            return refuse(bundle, file, "is no ELF file", diag);
        if (!write_at(fd, off + *done, bytes, size)) {
            shortage_note(file->place, errno);
            diag_set(diag, file->place, "cannot be taken out of the snapshot: %s", strerror(errno));
            diag_hint(diag, "give TMPDIR a directory with room");
            return STATUS_IO;
        }
        *done += size;
    }
    return STATUS_OK;
}

enum status bundle_extract(struct bundle *bundle, size_t index, int fd, uint64_t off,
                           struct diag *diag)
{
    const struct bundle_entry *entry = &bundle->entries[index];
    const struct bundle_file *file = &entry->file;
    uint64_t done = 0;
    enum status status;

    if (file->size > BUNDLE_SIZE_MAX ||
        (bundle->taken + file->size > BUNDLE_FREE_MAX &&
         (bundle->taken + file->size) / BUNDLE_RATIO_MAX > bundle->taken_coded + file->coded_size))
        return refuse(bundle, file, "is not all there, or nearly all a hole", diag);
    bundle->taken += file->size;
    bundle->taken_coded += file->coded_size;
    status = extract_parts(bundle, entry, fd, off, &done, diag);
    return status == STATUS_OK && done < file->size ? refuse(bundle, file, "is not all there", diag)
                                                    : status;
}
