/* SPDX-License-Identifier: MIT */
#include "boards/gdb/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "confine/child.h"

/* Memory of the process that reads a document, in addition to what is in use. */
#define READER_MEMORY  (UINT64_C(64) << 20)
#define READER_SECONDS 10u
#define NS_PER_MS      UINT64_C(1000000)
/* Attributes of one element; further ones are left out. */
#define ATTRIBUTES_MAX 64u

/* Events are strings. The last is END if the document is well-formed. */
enum event { START = 's', CLOSE = 'c', TEXT = 't', END = 'e' };

struct flattening {
    XML_Parser parser;
    struct gdb_xml_flat *out;
};

/* Adds a text; stops at too much, which default attributes can make: no document that we read. */
static void put(struct flattening *f, const char *text, size_t len)
{
    struct gdb_xml_flat *out = f->out;

    if (len >= GDB_XML_FLAT_MAX - out->size) {
        XML_StopParser(f->parser, XML_FALSE);
        return;
    }
    memcpy(out->bytes + out->size, text, len);
    out->size += len;
    out->bytes[out->size++] = '\0';
}

static void put_event(struct flattening *f, enum event event, const char *text, size_t len)
{
    const char kind = (char)event;

    if (f->out->size == GDB_XML_FLAT_MAX) {
        XML_StopParser(f->parser, XML_FALSE);
        return;
    }
    f->out->bytes[f->out->size++] = kind;
    put(f, text, len);
}

/* Writes "sNAME", names and values of attributes, and an empty name. */
static void on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    put_event(data, START, name, strlen(name));
    for (size_t i = 0; attributes[i]; i++)
        put(data, attributes[i], strlen(attributes[i]));
    put(data, "", 0);
}

static void on_end(void *data, const XML_Char *name)
{
    put_event(data, CLOSE, name, strlen(name));
}

static void on_text(void *data, const XML_Char *text, int len)
{
    put_event(data, TEXT, text, (size_t)len);
}

static void on_entity(void *data, const XML_Char *name, int is_parameter, const XML_Char *value,
                      int value_length, const XML_Char *base, const XML_Char *system_id,
                      const XML_Char *public_id, const XML_Char *notation)
{
    const struct flattening *f = data;

    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base;
    (void)system_id, (void)public_id, (void)notation;
    XML_StopParser(f->parser, XML_FALSE);
}

enum status gdb_xml_flatten(const char *document, size_t size, struct gdb_xml_flat *out)
{
    struct flattening flattening = {.parser = XML_ParserCreate(NULL), .out = out};

    *out = (struct gdb_xml_flat){.bytes = malloc(GDB_XML_FLAT_MAX)};
    if (!flattening.parser || !out->bytes) {
        if (flattening.parser)
            XML_ParserFree(flattening.parser);
        return STATUS_NO_MEMORY;
    }
    XML_SetUserData(flattening.parser, &flattening);
    XML_SetElementHandler(flattening.parser, on_start, on_end);
    XML_SetCharacterDataHandler(flattening.parser, on_text);
    XML_SetEntityDeclHandler(flattening.parser, on_entity);
    if (size <= GDB_XML_MAX &&
        XML_Parse(flattening.parser, document, (int)size, XML_TRUE) == XML_STATUS_OK)
        put_event(&flattening, END, "", 0);
    XML_ParserFree(flattening.parser);
    return STATUS_OK;
}

struct document {
    const char *text;
    size_t size;
};

static void serve_document(void *context, const struct child *parent, int in, int out)
{
    const struct document *document = context;
    struct gdb_xml_flat flat;
    const enum status status = gdb_xml_flatten(document->text, document->size, &flat);

    (void)parent, (void)in;
    child_return(out, status, flat.bytes, flat.size);
}

/* The first signal, or the end, of the capture ends the wait. */
static struct child_wait wait_within(struct gdb_bound *bound)
{
    struct child_wait wait = child_wait_begin(READER_SECONDS);
    const uint64_t left_ms = gdb_bound_left(bound) / NS_PER_MS;

    if (left_ms < READER_SECONDS * 1000)
        wait.deadline_ms = clock_now_ms() + (int64_t)left_ms;
    if (!gdb_bound_is_ending(bound)) /* else the signal that was seen is still pending */
        wait.end_fd = bound->signal_fd;
    return wait;
}

enum status gdb_xml_flatten_apart(const char *document, size_t size, struct gdb_bound *bound,
                                  struct gdb_xml_flat *out)
{
    const struct child_limits limits = {.memory = READER_MEMORY, .seconds = READER_SECONDS};
    struct document context = {document, size};
    uint8_t *bytes;
    const enum status status = child_compute(&limits, wait_within(bound), serve_document, &context,
                                             GDB_XML_FLAT_MAX, &bytes, &out->size);

    out->bytes = (char *)bytes;
    return status == STATUS_BAD_DATA ? STATUS_OK : status; /* it has no END */
}

/* Returns the text at *at, and moves *at behind it; NULL: it has no end. */
static const char *next_text(const struct gdb_xml_flat *flat, size_t *at)
{
    const char *text = flat->bytes + *at;
    const char *end = *at < flat->size ? memchr(text, '\0', flat->size - *at) : NULL;

    if (!end)
        return NULL;
    *at += (size_t)(end - text) + 1;
    return text;
}

/* Reads an element's attributes, after its name. False: malformed. */
static bool next_attributes(const struct gdb_xml_flat *flat, size_t *at,
                            const char *attributes[2 * ATTRIBUTES_MAX + 1])
{
    const char *name, *value;
    size_t count = 0;

    while ((name = next_text(flat, at)) && name[0]) {
        value = next_text(flat, at);
        if (!value)
            return false;
        if (count == 2 * ATTRIBUTES_MAX)
            continue;
        attributes[count++] = name;
        attributes[count++] = value;
    }
    attributes[count] = NULL;
    return name != NULL;
}

enum status gdb_xml_replay(const struct gdb_xml_flat *flat, const struct gdb_xml *xml)
{
    const char *attributes[2 * ATTRIBUTES_MAX + 1], *text;
    size_t at = 0;

    while ((text = next_text(flat, &at)) && text[0]) {
        switch (text[0]) {
        case START:
            if (!next_attributes(flat, &at, attributes))
                return STATUS_BAD_DATA;
            if (xml->start)
                xml->start(xml->context, text + 1, attributes);
            break;
        case CLOSE:
            if (xml->end)
                xml->end(xml->context, text + 1);
            break;
        case TEXT:
            if (xml->text)
                xml->text(xml->context, text + 1);
            break;
        case END:
            return STATUS_OK;
        default:
            return STATUS_BAD_DATA;
        }
    }
    return STATUS_BAD_DATA;
}

void gdb_xml_free(struct gdb_xml_flat *flat)
{
    free(flat->bytes);
    *flat = (struct gdb_xml_flat){.size = 0};
}

const char *gdb_xml_attribute(const char **attributes, const char *name)
{
    for (size_t i = 0; attributes[i]; i += 2) {
        const char *colon = strchr(attributes[i], ':');

        if (strcmp(colon ? colon + 1 : attributes[i], name) == 0)
            return attributes[i + 1];
    }
    return NULL;
}

uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise)
{
    const char *text = gdb_xml_attribute(attributes, name);
    unsigned long long value;
    char *end;

    if (!text || text[0] < '0' || text[0] > '9')
        return otherwise;
    errno = 0;
    value = strtoull(text, &end, 0);
    return *end || errno ? otherwise : value;
}
