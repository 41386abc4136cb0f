/* SPDX-License-Identifier: MIT */
#include "boards/gdb/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct features_reading {
    struct gdb_features *out;
    gdb_document_fn *read;
    void *context;
    enum status status; /* the first failure */
    unsigned documents, depth;
    uint32_t next_number;
    char *text; /* destination of the element's text; NULL: none */
    size_t text_size;
};

static void read_document(struct features_reading *r, const char *annex);

static void add_register(struct features_reading *r, const char **attributes)
{
    struct gdb_features *out = r->out;
    const char *name = gdb_xml_attribute(attributes, "name");
    const uint64_t bits = gdb_xml_number(attributes, "bitsize", 0);
    const uint64_t number = gdb_xml_number(attributes, "regnum", r->next_number);
    struct gdb_register *added;

    if (!name || !bits || bits > GDB_REGISTER_BITS_MAX || number > UINT16_MAX ||
        out->count == GDB_REGISTERS_MAX) {
        out->is_cut = true;
        return;
    }
    r->next_number = (uint32_t)number + 1;
    if (vec_reserve(&out->registers, &out->cap, out->count + 1, sizeof(*out->registers)) !=
        STATUS_OK) {
        r->status = STATUS_NO_MEMORY;
        return;
    }
    added = &out->registers[out->count++];
    *added = (struct gdb_register){.number = (uint32_t)number, .size = (uint32_t)(bits + 7) / 8};
    snprintf(added->name, sizeof(added->name), "%s", name);
}

static void on_start(void *context, const char *name, const char **attributes)
{
    struct features_reading *r = context;
    const char *value;

    r->text = NULL;
    if (strcmp(name, "reg") == 0) {
        add_register(r, attributes);
    } else if (strcmp(name, "architecture") == 0 && !r->out->architecture[0]) {
        r->text = r->out->architecture;
        r->text_size = sizeof(r->out->architecture);
    } else if (strcmp(name, "osabi") == 0 && !r->out->osabi[0]) {
        r->text = r->out->osabi;
        r->text_size = sizeof(r->out->osabi);
    } else if (strcmp(name, "feature") == 0) {
        value = gdb_xml_attribute(attributes, "name");
        r->out->is_m_profile |= value && strcmp(value, "org.gnu.gdb.arm.m-profile") == 0;
    } else if (strcmp(name, "xi:include") == 0) {
        value = gdb_xml_attribute(attributes, "href");
        if (value)
            read_document(r, value);
    }
}

static void on_end(void *context, const char *name)
{
    struct features_reading *r = context;

    (void)name;
    r->text = NULL;
}

static void on_text(void *context, const char *text)
{
    struct features_reading *r = context;

    for (size_t i = 0, used = r->text ? strlen(r->text) : 0; r->text && text[i]; i++)
        if (text[i] > ' ' && used + 1 < r->text_size)
            r->text[used++] = text[i];
}

static void read_document(struct features_reading *r, const char *annex)
{
    const struct gdb_xml xml = {.start = on_start, .end = on_end, .text = on_text, .context = r};
    struct gdb_xml_flat flat = {.size = 0};
    enum status status;

    if (r->depth == GDB_INCLUDE_DEPTH || r->documents == GDB_INCLUDES_MAX) {
        r->out->is_cut = true;
        return;
    }
    r->documents++;
    r->depth++;
    status = r->read(r->context, annex, &flat);
    if (status == STATUS_OK)
        status = gdb_xml_replay(&flat, &xml);
    gdb_xml_free(&flat);
    r->depth--;
    if (status == STATUS_BAD_DATA || (status == STATUS_NOT_FOUND && r->depth))
        r->out->is_cut = true;
    else if (status != STATUS_OK && r->status == STATUS_OK)
        r->status = status;
}

static int by_number(const void *a, const void *b)
{
    const struct gdb_register *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

enum status gdb_features_read(struct gdb_features *out, gdb_document_fn *read, void *context)
{
    struct features_reading r = {.out = out, .read = read, .context = context};
    uint32_t off = 0;

    *out = (struct gdb_features){.count = 0};
    read_document(&r, "target.xml");
    if (out->count)
        qsort(out->registers, out->count, sizeof(*out->registers), by_number);
    for (size_t i = 0; i < out->count; i++) {
        out->registers[i].off = off;
        off += out->registers[i].size;
    }
    return r.status;
}

void gdb_features_deinit(struct gdb_features *features)
{
    free(features->registers);
    *features = (struct gdb_features){.count = 0};
}

const struct gdb_register *gdb_features_find(const struct gdb_features *features, const char *name)
{
    for (size_t i = 0; i < features->count; i++)
        if (strcmp(features->registers[i].name, name) == 0)
            return &features->registers[i];
    return NULL;
}
