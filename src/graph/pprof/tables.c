/* SPDX-License-Identifier: MIT */
#include "graph/pprof/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "graph/pprof/fields.h"

#define VALUE_TYPE_BYTES_MAX 22 /* two numbers, each with its field */
#define TIME_BYTES           9  /* of ns since 1970 as a varint */
#define FIELD_BYTES(number)  ((number) << 3 | 2)

struct pprof_reader {
    struct pprof_tables *tables;
    struct diag *diag;
};

/* Returns whether a value type begins here: the numbers of two texts. */
static bool begins_with_type(const uint8_t *head)
{
    return (head[0] == FIELD_BYTES(PROFILE_SAMPLE_TYPE) ||
            head[0] == FIELD_BYTES(PROFILE_PERIOD_TYPE)) &&
           head[1] >= 2 && head[1] <= VALUE_TYPE_BYTES_MAX &&
           (head[2] == VALUE_TYPE_TYPE << 3 || head[2] == VALUE_TYPE_UNIT << 3);
}

/* Returns whether a time of this century begins here, and a field follows. */
static bool begins_with_time(const uint8_t *head)
{
    if (head[0] != PROFILE_TIME_NANOS << 3)
        return false;
    for (size_t i = 1; i < TIME_BYTES; i++)
        if (!(head[i] & 0x80))
            return false;
    return !(head[TIME_BYTES] & 0x80) &&
           (head[TIME_BYTES + 1] == FIELD_BYTES(PROFILE_SAMPLE_TYPE) ||
            head[TIME_BYTES + 1] == PROFILE_DURATION_NANOS << 3 ||
            head[TIME_BYTES + 1] == FIELD_BYTES(PROFILE_PERIOD_TYPE));
}

/* Go's runtime writes times and periods first, others sample types. */
bool pprof_begins(const uint8_t *head, size_t size)
{
    return size >= TIME_BYTES + 2 && (begins_with_type(head) || begins_with_time(head));
}

size_t pprof_offset(const struct pprof_tables *tables, const struct cursor *part)
{
    return (size_t)(part->data + part->pos - tables->all.data);
}

enum status pprof_bad(const struct pprof_tables *tables, size_t off, const char *what,
                      struct diag *diag)
{
    diag_set_at(diag, tables->name, off, "of the decompressed profile: %s", what);
    return STATUS_BAD_DATA;
}

static enum status bad(const struct pprof_reader *r, const struct cursor *at, const char *what)
{
    return pprof_bad(r->tables, pprof_offset(r->tables, at), what, r->diag);
}

/* Reads the next field. END; BAD_DATA with `diag` filled. */
static enum status next(const struct pprof_reader *r, struct cursor *message,
                        struct wire_field *field)
{
    enum status status = wire_next(message, field);

    return status == STATUS_BAD_DATA ? bad(r, message, "the field does not fit its message")
                                     : status;
}

static enum status add_numbers(const struct pprof_reader *r, struct wire_numbers *numbers,
                               const struct wire_field *field)
{
    enum status status = wire_append(numbers, field);

    if (status == STATUS_BAD_DATA)
        return bad(r, &field->bytes, "a number does not fit");
    if (status == STATUS_OK && numbers->count > PPROF_ENTRIES_MAX)
        return bad(r, &r->tables->all, "has more numbers in a list than any profile");
    return status;
}

/* A number of a message, and its field; the last one counts. */
struct number_at {
    uint32_t field;
    uint64_t *number;
};

static enum status read_numbers(const struct pprof_reader *r, struct cursor message,
                                const struct number_at *places, size_t count)
{
    struct wire_field field;
    enum status status;

    while ((status = next(r, &message, &field)) == STATUS_OK)
        for (size_t i = 0; i < count && !field.is_bytes; i++)
            if (places[i].field == field.number)
                *places[i].number = field.value;
    return status == STATUS_END ? STATUS_OK : status;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static enum status read_type(const struct pprof_reader *r, struct cursor message,
                             struct pprof_value_type *type)
{
    const struct number_at places[] = {{VALUE_TYPE_TYPE, &type->type},
                                       {VALUE_TYPE_UNIT, &type->unit}};

    return read_numbers(r, message, places, COUNT_OF(places));
}

static enum status add_type(const struct pprof_reader *r, struct cursor message)
{
    struct pprof_tables *t = r->tables;

    if (vec_reserve(&t->types, &t->type_cap, t->type_count + 1, sizeof(*t->types)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    t->types[t->type_count] = (struct pprof_value_type){0, 0};
    return read_type(r, message, &t->types[t->type_count++]);
}

static enum status add_id(const struct pprof_reader *r, struct pprof_ids *ids, uint64_t id,
                          const struct cursor *at)
{
    if (id == 0)
        return bad(r, at, "the entry has no id");
    if (vec_reserve(&ids->items, &ids->cap, ids->count + 1, sizeof(*ids->items)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    ids->items[ids->count] = (struct sort_item){.key = id, .id = (uint32_t)ids->count};
    ids->count++;
    return STATUS_OK;
}

static enum status sort_ids(const struct pprof_reader *r, struct pprof_ids *ids)
{
    enum status status = sort_items(ids->items, ids->count);

    for (size_t i = 1; status == STATUS_OK && i < ids->count; i++)
        if (ids->items[i].key == ids->items[i - 1].key)
            status = bad(r, &r->tables->all, "two entries of a table have the same id");
    return status;
}

bool pprof_find(const struct pprof_ids *ids, uint64_t id, size_t *index)
{
    size_t low = 0, high = ids->count;

    /* Nearly all writers count from 1. */
    if (id - 1 < ids->count && ids->items[id - 1].key == id)
        low = (size_t)id - 1;
    else
        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (ids->items[middle].key < id)
                low = middle + 1;
            else
                high = middle;
        }
    if (low >= ids->count || ids->items[low].key != id)
        return false;
    *index = ids->items[low].id;
    return true;
}

static enum status check_count(const struct pprof_reader *r, size_t count, size_t most,
                               const struct cursor *at)
{
    return count < most ? STATUS_OK : bad(r, at, "has more entries of a table than any profile");
}

static enum status add_mapping(const struct pprof_reader *r, struct cursor message)
{
    struct pprof_tables *t = r->tables;
    struct pprof_mapping m = {.off = pprof_offset(t, &message)};
    uint64_t of_segments = 0, deleted = 0;
    const struct number_at places[] = {
        {MAPPING_ID, &m.id},
        {MAPPING_MEMORY_START, &m.start},
        {MAPPING_MEMORY_LIMIT, &m.limit},
        {MAPPING_FILE_OFFSET, &m.file_off},
        {MAPPING_FILENAME, &m.file},
        {MAPPING_BUILD_ID, &m.build_id},
        {MAPPING_KIND, &m.kind},
        {MAPPING_OF_SEGMENTS, &of_segments},
        {MAPPING_DELETED, &deleted},
    };
    enum status status = check_count(r, t->mapping_count, PPROF_ENTRIES_MAX, &message);

    if (status == STATUS_OK)
        status = read_numbers(r, message, places, COUNT_OF(places));
    if (status == STATUS_OK)
        status = add_id(r, &t->mapping_ids, m.id, &message);
    if (status == STATUS_OK)
        status =
            vec_reserve(&t->mappings, &t->mapping_cap, t->mapping_count + 1, sizeof(*t->mappings));
    if (status != STATUS_OK)
        return status;
    m.of_segments = of_segments != 0;
    m.deleted = deleted != 0;
    t->mappings[t->mapping_count++] = m;
    return STATUS_OK;
}

static enum status add_function(const struct pprof_reader *r, struct cursor message)
{
    struct pprof_tables *t = r->tables;
    struct pprof_function f = {.off = pprof_offset(t, &message)};
    uint64_t made_up = 0;
    const struct number_at places[] = {
        {FUNCTION_ID, &f.id},
        {FUNCTION_NAME, &f.name},
        {FUNCTION_SYSTEM_NAME, &f.system_name},
        {FUNCTION_FILENAME, &f.file},
        {FUNCTION_START_LINE, &f.start_line},
        {FUNCTION_START, &f.start},
        {FUNCTION_MADE_UP, &made_up},
        {FUNCTION_ENTRY_FILE, &f.entry_file},
        {FUNCTION_ENTRY_LINE, &f.entry_line},
        {FUNCTION_LABEL, &f.label},
    };
    enum status status = check_count(r, t->function_count, PPROF_ENTRIES_MAX, &message);

    if (status == STATUS_OK)
        status = read_numbers(r, message, places, COUNT_OF(places));
    if (status == STATUS_OK)
        status = add_id(r, &t->function_ids, f.id, &message);
    if (status == STATUS_OK)
        status = vec_reserve(&t->functions, &t->function_cap, t->function_count + 1,
                             sizeof(*t->functions));
    if (status != STATUS_OK)
        return status;
    f.made_up = made_up != 0;
    t->functions[t->function_count++] = f;
    return STATUS_OK;
}

static enum status add_line(const struct pprof_reader *r, struct cursor message)
{
    struct pprof_tables *t = r->tables;
    struct pprof_line line = {0};
    const struct number_at places[] = {{LINE_FUNCTION, &line.function},
                                       {LINE_LINE, &line.line},
                                       {LINE_SYSTEM_NAME, &line.system_name},
                                       {LINE_BY_NAME, &line.by_name}};
    enum status status = check_count(r, t->line_count, 4 * PPROF_ENTRIES_MAX, &message);

    if (status == STATUS_OK)
        status = read_numbers(r, message, places, COUNT_OF(places));
    if (status == STATUS_OK)
        status = vec_reserve(&t->lines, &t->line_cap, t->line_count + 1, sizeof(*t->lines));
    if (status == STATUS_OK)
        t->lines[t->line_count++] = line;
    return status;
}

static enum status add_location(const struct pprof_reader *r, struct cursor message)
{
    struct pprof_tables *t = r->tables;
    struct pprof_location l = {.off = pprof_offset(t, &message), .first_line = t->line_count};
    uint64_t in_file = 0;
    const struct number_at places[] = {{LOCATION_ID, &l.id},
                                       {LOCATION_MAPPING, &l.mapping},
                                       {LOCATION_ADDRESS, &l.addr},
                                       {LOCATION_IN_FILE, &in_file}};
    enum status status = check_count(r, t->location_count, PPROF_ENTRIES_MAX, &message);
    struct cursor rest = message;
    struct wire_field field;

    if (status == STATUS_OK)
        status = read_numbers(r, message, places, COUNT_OF(places));
    while (status == STATUS_OK && (status = next(r, &rest, &field)) == STATUS_OK)
        if (field.number == LOCATION_LINE && field.is_bytes)
            status = add_line(r, field.bytes);
    if (status == STATUS_END)
        status = add_id(r, &t->location_ids, l.id, &message);
    if (status == STATUS_OK)
        status = vec_reserve(&t->locations, &t->location_cap, t->location_count + 1,
                             sizeof(*t->locations));
    if (status != STATUS_OK)
        return status;
    l.line_count = t->line_count - l.first_line;
    l.in_file = in_file != 0;
    t->locations[t->location_count++] = l;
    return STATUS_OK;
}

static enum status add_text(const struct pprof_reader *r, struct cursor text)
{
    struct pprof_tables *t = r->tables;
    enum status status = check_count(r, t->text_count, PPROF_TEXTS_MAX, &text);

    if (status == STATUS_OK)
        status = vec_reserve(&t->texts, &t->text_cap, t->text_count + 1, sizeof(*t->texts));
    if (status == STATUS_OK)
        t->texts[t->text_count++] = text;
    return status;
}

static enum status add_message(const struct pprof_reader *r, const struct wire_field *field)
{
    struct pprof_tables *t = r->tables;

    switch (field->number) {
    case PROFILE_SAMPLE_TYPE:
        return add_type(r, field->bytes);
    case PROFILE_SAMPLE:
        t->sample_count++;
        return check_count(r, t->sample_count, PPROF_SAMPLES_MAX, &field->bytes);
    case PROFILE_MAPPING:
        return add_mapping(r, field->bytes);
    case PROFILE_LOCATION:
        return add_location(r, field->bytes);
    case PROFILE_FUNCTION:
        return add_function(r, field->bytes);
    case PROFILE_STRING_TABLE:
        return add_text(r, field->bytes);
    case PROFILE_PERIOD_TYPE:
        return read_type(r, field->bytes, &t->period_type);
    case PROFILE_COMMENT:
        return add_numbers(r, &t->comments, field);
    case PROFILE_ACCOUNT:
        return add_numbers(r, &t->account, field);
    case PROFILE_RATE:
        return add_numbers(r, &t->rate, field);
    default:
        return STATUS_OK;
    }
}

static enum status add_number(const struct pprof_reader *r, const struct wire_field *field)
{
    struct pprof_tables *t = r->tables;

    switch (field->number) {
    case PROFILE_TIME_NANOS:
        t->start_ns = field->value;
        return STATUS_OK;
    case PROFILE_DURATION_NANOS:
        t->duration_ns = field->value;
        return STATUS_OK;
    case PROFILE_PERIOD:
        t->period = field->value;
        return STATUS_OK;
    case PROFILE_ARCH:
        t->arch = field->value;
        return STATUS_OK;
    case PROFILE_COMMENT:
        return add_numbers(r, &t->comments, field);
    default:
        return STATUS_OK;
    }
}

enum status pprof_tables_read(struct pprof_tables *tables, const char *name, const uint8_t *bytes,
                              size_t size, struct diag *diag)
{
    struct pprof_reader r = {.tables = tables, .diag = diag};
    struct cursor message = cursor_init(bytes, size);
    struct wire_field field;
    enum status status = STATUS_OK;

    *tables = (struct pprof_tables){.name = name, .all = message};
    while (status == STATUS_OK && (status = next(&r, &message, &field)) == STATUS_OK)
        status = field.is_bytes ? add_message(&r, &field) : add_number(&r, &field);
    if (tables->type_count == 0 && (status == STATUS_END || status == STATUS_BAD_DATA)) {
        diag_set(diag, name, "is gzip, or looks like pprof, but holds no pprof profile");
        return STATUS_BAD_DATA;
    }
    if (status == STATUS_END)
        status = sort_ids(&r, &tables->mapping_ids);
    if (status == STATUS_OK)
        status = sort_ids(&r, &tables->function_ids);
    return status == STATUS_OK ? sort_ids(&r, &tables->location_ids) : status;
}

void pprof_tables_deinit(struct pprof_tables *tables)
{
    free(tables->texts);
    free(tables->types);
    free(tables->mappings);
    free(tables->functions);
    free(tables->lines);
    free(tables->locations);
    free(tables->comments.list);
    free(tables->account.list);
    free(tables->rate.list);
    free(tables->mapping_ids.items);
    free(tables->function_ids.items);
    free(tables->location_ids.items);
    *tables = (struct pprof_tables){0};
}

enum status pprof_text(const struct pprof_tables *tables, uint64_t id, size_t off,
                       struct cursor *text, struct diag *diag)
{
    *text = cursor_init("", 0);
    if (id == 0) /* the empty one, whether or not it is there */
        return STATUS_OK;
    if (id >= tables->text_count)
        return pprof_bad(tables, off, "names a text that is not there", diag);
    *text = tables->texts[id];
    return STATUS_OK;
}

bool pprof_text_is(const struct pprof_tables *tables, uint64_t id, const char *text)
{
    return id < tables->text_count && tables->texts[id].size == strlen(text) &&
           memcmp(tables->texts[id].data, text, tables->texts[id].size) == 0;
}
