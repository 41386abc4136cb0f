/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/header.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/keyed_hash.h"
#include "base/vec.h"
#include "snapshot/import/spool.h"

#define MAGIC      "PERFILE2"
#define MAGIC_SIZE 8

struct section {
    uint64_t off, size;
};

struct file_header { /* struct perf_header of perf.data-file-format.txt */
    uint64_t size, attr_size;
    struct section attrs, data;
    uint8_t features[PERF_FEATURE_COUNT / 8];
};

void perf_header_deinit(struct perf_header *header)
{
    for (size_t i = 0; i < header->build_id_count; i++)
        free(header->build_ids[i].path);
    free(header->build_ids);
    map_deinit(&header->by_path);
    free(header->host);
    free(header->release);
}

const struct perf_build_id *perf_header_build_id(const struct perf_header *header, const char *path)
{
    uint64_t *head = map_get(&header->by_path, keyed_text(path));

    for (size_t i = head ? (size_t)*head : 0; i != 0; i = header->build_ids[i - 1].next)
        if (strcmp(header->build_ids[i - 1].path, path) == 0)
            return &header->build_ids[i - 1];
    return NULL;
}

/* struct build_id_event: a record head, pid, 20 bytes and their count, a path. */
static enum status add_build_id(struct perf_header *header, const uint8_t *bytes, size_t size)
{
    struct cursor c = cursor_init(bytes, size);
    struct perf_build_id one = {.size = PERF_BUILD_ID_MAX};
    const uint8_t *id;
    const char *path;
    uint64_t *head;
    uint16_t misc;

    if (!cursor_skip(&c, 4) || !cursor_u16(&c, &misc) || !cursor_skip(&c, 2 + 4) ||
        !cursor_bytes(&c, 24, &id) || !cursor_string(&c, &path))
        return STATUS_BAD_DATA;
    if (misc & PERF_MISC_BUILD_ID_SIZE && id[PERF_BUILD_ID_MAX] <= PERF_BUILD_ID_MAX)
        one.size = id[PERF_BUILD_ID_MAX];
    memcpy(one.id, id, one.size);
    if (one.size == 0)
        return STATUS_OK;
    /* A copy first: a mapped file may change, and lose the end of the text. */
    one.path = strndup(path, size - (size_t)(path - (const char *)bytes));
    if (!one.path)
        return STATUS_NO_MEMORY;
    if (perf_header_build_id(header, one.path)) {
        free(one.path);
        return STATUS_OK;
    }
    head = map_put(&header->by_path, keyed_text(one.path), 0);
    if (!head || vec_reserve(&header->build_ids, &header->build_id_cap, header->build_id_count + 1,
                             sizeof(one)) != STATUS_OK) {
        free(one.path);
        return STATUS_NO_MEMORY;
    }
    one.next = (size_t)*head;
    header->build_ids[header->build_id_count++] = one;
    *head = header->build_id_count;
    return STATUS_OK;
}

static enum status add_build_ids(struct perf_header *header, const uint8_t *bytes, uint64_t size)
{
    enum status status = STATUS_OK;

    while (size >= PERF_RECORD_HEAD && status == STATUS_OK) {
        uint16_t record_size;

        memcpy(&record_size, bytes + 6, 2);
        if (record_size < PERF_RECORD_HEAD || record_size > size)
            return STATUS_BAD_DATA;
        status = add_build_id(header, bytes, record_size);
        bytes += record_size;
        size -= record_size;
    }
    return status;
}

/* Returns the text of a struct perf_header_string, borrowed from `bytes`; NULL: none. */
static const char *header_string(const uint8_t *bytes, uint64_t size)
{
    struct cursor c = cursor_init(bytes, (size_t)size);
    const char *text;

    return cursor_skip(&c, 4) && cursor_string(&c, &text) ? text : NULL;
}

static enum status keep(char **where, const uint8_t *bytes, uint64_t size)
{
    const char *text = header_string(bytes, size);
    char *copy = text ? strndup(text, (size_t)size - 4) : NULL;

    if (!text)
        return STATUS_BAD_DATA;
    if (!copy)
        return STATUS_NO_MEMORY;
    free(*where);
    *where = copy;
    return STATUS_OK;
}

/* Two readings of clocks at one time: version, clock id, CLOCK_REALTIME, the records' clock. */
static enum status read_clocks(struct perf_header *header, const uint8_t *bytes, uint64_t size)
{
    struct cursor c = cursor_init(bytes, (size_t)size);
    uint64_t wall_ns, clock_ns;

    if (!cursor_skip(&c, 8) || !cursor_u64(&c, &wall_ns) || !cursor_u64(&c, &clock_ns))
        return STATUS_BAD_DATA;
    header->clock_offset = wall_ns - clock_ns;
    return STATUS_OK;
}

static enum status read_feature(struct perf_header *header, uint64_t feature, const uint8_t *bytes,
                                uint64_t size)
{
    const char *name;

    switch (feature) {
    case PERF_FEATURE_BUILD_ID:
        return add_build_ids(header, bytes, size);
    case PERF_FEATURE_HOSTNAME:
        return keep(&header->host, bytes, size);
    case PERF_FEATURE_OSRELEASE:
        return keep(&header->release, bytes, size);
    case PERF_FEATURE_ARCH:
        name = header_string(bytes, size);
        header->arch = name ? perf_arch_by_name(name) : NULL;
        return header->arch ? STATUS_OK : STATUS_UNSUPPORTED;
    case PERF_FEATURE_CLOCK_DATA:
        return read_clocks(header, bytes, size);
    default:
        return STATUS_OK;
    }
}

enum status perf_header_record(struct perf_header *header, struct perf_attrs *attrs,
                               const struct perf_record *record)
{
    const uint8_t *bytes = record->bytes + PERF_RECORD_HEAD;
    size_t size = record->size - (size_t)PERF_RECORD_HEAD;
    uint32_t attr_size;
    uint64_t feature;
    enum status status;

    switch (record->type) {
    case PERF_HEADER_ATTR:
        if (size < PERF_ATTR_SIZE_VER0)
            return STATUS_BAD_DATA;
        memcpy(&attr_size, bytes + 4, 4);
        attr_size = attr_size ? attr_size : PERF_ATTR_SIZE_VER0;
        if (attr_size > size)
            return STATUS_BAD_DATA;
        status = perf_attrs_add(attrs, bytes, attr_size);
        return status == STATUS_OK
                   ? perf_attrs_add_ids(attrs, bytes + attr_size, (size - attr_size) / 8)
                   : status;
    case PERF_HEADER_FEATURE:
        if (size < 8)
            return STATUS_BAD_DATA;
        memcpy(&feature, bytes, 8);
        return read_feature(header, feature, bytes + 8, size - 8);
    case PERF_HEADER_BUILD_ID:
        return add_build_id(header, record->bytes, record->size);
    default:
        return STATUS_OK;
    }
}

static bool read_section(struct cursor *c, struct section *out)
{
    return cursor_u64(c, &out->off) && cursor_u64(c, &out->size);
}

static enum status bad_header(const struct perf_reader *reader, uint64_t off, const char *what,
                              struct diag *diag)
{
    diag_set_at(diag, reader->input->name, off, "%s", what);
    diag_hint(diag, "is the perf.data whole?");
    return STATUS_BAD_DATA;
}

/* Each entry is a struct perf_event_attr and the section of its ids. */
static enum status read_attrs(const struct file_header *h, struct perf_attrs *attrs,
                              struct perf_reader *reader, struct diag *diag)
{
    uint64_t id_section = sizeof(struct section);
    enum status status = STATUS_OK;

    if (!perf_reader_at(reader, h->attrs.off, h->attrs.size) ||
        h->attr_size < PERF_ATTR_SIZE_VER0 + id_section)
        return bad_header(reader, h->attrs.off, "the descriptions of the events are cut", diag);
    for (uint64_t pos = 0; status == STATUS_OK && h->attrs.size - pos >= h->attr_size;
         pos += h->attr_size) {
        const uint8_t *one = perf_reader_at(reader, h->attrs.off + pos, h->attr_size), *ids;
        struct section section;

        if (!one)
            return bad_header(reader, h->attrs.off, "the descriptions of the events are cut", diag);
        memcpy(&section, one + h->attr_size - id_section, sizeof(section));
        status = perf_attrs_add(attrs, one, (size_t)(h->attr_size - id_section));
        ids = perf_reader_at(reader, section.off, section.size);
        if (status == STATUS_OK)
            status = ids ? perf_attrs_add_ids(attrs, ids, section.size / 8) : STATUS_BAD_DATA;
    }
    if (status == STATUS_BAD_DATA)
        return bad_header(reader, h->attrs.off, "the descriptions of the events are damaged", diag);
    return status;
}

/* Reads a feature's section; malformed ones are ignored. UNSUPPORTED with `diag` filled. */
static enum status read_feature_at(struct perf_header *header, unsigned bit,
                                   const struct section *at, struct perf_reader *reader,
                                   struct diag *diag)
{
    const uint8_t *bytes = perf_reader_at(reader, at->off, at->size);
    enum status status = bytes ? read_feature(header, bit, bytes, at->size) : STATUS_OK;
    const char *arch;

    if (status != STATUS_UNSUPPORTED)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    arch = header_string(bytes, at->size);
    diag_set_at(diag, reader->input->name, at->off, "was recorded on \"%.32s\"", arch ? arch : "?");
    diag_hint(diag, "these are known: %s", arch_all_names());
    return status;
}

static bool is_used(unsigned feature)
{
    return feature == PERF_FEATURE_BUILD_ID || feature == PERF_FEATURE_HOSTNAME ||
           feature == PERF_FEATURE_OSRELEASE || feature == PERF_FEATURE_ARCH ||
           feature == PERF_FEATURE_CLOCK_DATA;
}

/* The features' sections lie behind the data, in the order of their bits; a cut file has none. */
static enum status read_features(const struct file_header *h, struct perf_header *header,
                                 struct perf_reader *reader, struct diag *diag)
{
    uint64_t off = h->data.off + h->data.size;
    enum status status = STATUS_OK;

    for (unsigned bit = 0; status == STATUS_OK && bit < PERF_FEATURE_COUNT; bit++) {
        struct section section;
        const uint8_t *bytes;

        if (!(h->features[bit / 8] >> bit % 8 & 1))
            continue;
        bytes = perf_reader_at(reader, off, sizeof(section));
        if (!bytes)
            break;
        memcpy(&section, bytes, sizeof(section));
        off += sizeof(section);
        if (is_used(bit))
            status = read_feature_at(header, bit, &section, reader, diag);
    }
    return status;
}

static enum status read_file_header(struct file_header *h, struct perf_reader *reader,
                                    struct diag *diag)
{
    const uint8_t *bytes = perf_reader_at(reader, 0, PERF_FILE_HEADER_SIZE), *features;
    struct section event_types;
    struct cursor c;

    if (!bytes)
        return bad_header(reader, reader->file.size, "ends within its header", diag);
    c = cursor_init(bytes, PERF_FILE_HEADER_SIZE);
    if (!cursor_skip(&c, MAGIC_SIZE + 8) || !cursor_u64(&c, &h->attr_size) ||
        !read_section(&c, &h->attrs) || !read_section(&c, &h->data) ||
        !read_section(&c, &event_types) || !cursor_bytes(&c, sizeof(h->features), &features))
        return bad_header(reader, 0, "the header is damaged", diag);
    memcpy(h->features, features, sizeof(h->features));
    return STATUS_OK;
}

static enum status read_file(struct perf_header *header, struct perf_attrs *attrs,
                             struct perf_reader *reader, struct diag *diag)
{
    struct file_header h = {.size = 0};
    enum status status = read_file_header(&h, reader, diag);

    if (status == STATUS_OK)
        status = read_attrs(&h, attrs, reader, diag);
    if (status != STATUS_OK)
        return status;
    if (h.data.off > reader->file.size)
        return bad_header(reader, h.data.off, "ends before its records", diag);
    /* perf writes the size when it ends; it did not where there is none. */
    if (h.data.size == 0 || h.data.size > reader->file.size - h.data.off) {
        perf_reader_seek(reader, h.data.off, reader->file.size);
        reader->cut_short = true;
        return STATUS_OK;
    }
    perf_reader_seek(reader, h.data.off, h.data.off + h.data.size);
    return read_features(&h, header, reader, diag);
}

/* Copies a stream to a file and maps that: a file's header refers to bytes behind the records. */
static enum status map_stream(struct perf_reader *reader, struct diag *diag)
{
    int fd;
    enum status status = spool_stream(reader->input, &fd, diag);

    if (status != STATUS_OK)
        return status;
    status = perf_reader_map(reader, fd, diag);
    close(fd);
    return status;
}

enum status perf_header_read(struct perf_header *header, struct perf_attrs *attrs,
                             struct perf_reader *reader, struct diag *diag)
{
    const struct source_input *input = reader->input;
    enum status status;
    uint64_t size = 0;

    if (input->head_len < MAGIC_SIZE || memcmp(input->head, MAGIC, MAGIC_SIZE) != 0) {
        diag_set(diag, input->name, "is a perf.data of a machine of the other byte order");
        return STATUS_UNSUPPORTED;
    }
    if (input->head_len < PERF_PIPE_HEADER_SIZE)
        return bad_header(reader, input->head_len, "ends within its header", diag);
    memcpy(&size, input->head + MAGIC_SIZE, 8);
    if (size == PERF_PIPE_HEADER_SIZE)
        return perf_reader_begin(reader, size, diag);
    if (!reader->is_file && (status = map_stream(reader, diag)) != STATUS_OK)
        return status;
    return read_file(header, attrs, reader, diag);
}
