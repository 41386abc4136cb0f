/* SPDX-License-Identifier: MIT */
#include "output/json_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void json_set_memory(void)
{
    json_set_alloc_funcs(malloc, free);
}

void json_line_put(struct json_line *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object->json, key, value) != 0)
        object->failed = true;
}

struct json_line json_line_begin(const char *type)
{
    struct json_line object = {.json = json_object()};

    if (!object.json)
        object.failed = true;
    if (type)
        json_line_put(&object, "type", json_string(type));
    return object;
}

json_t *json_of_text(const char *raw)
{
    char *clean = text_clean(raw, TEXT_KEEP_C0);
    json_t *value = clean ? json_string_nocheck(clean) : NULL;

    free(clean);
    return value;
}

json_t *json_of_number(uint64_t value)
{
    return json_integer((json_int_t)(value > INT64_MAX ? INT64_MAX : value));
}

json_t *json_of_hex(uint64_t value)
{
    char buffer[20];

    snprintf(buffer, sizeof(buffer), "0x%" PRIx64, value);
    return json_string_nocheck(buffer);
}

json_t *json_of_bytes(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char buffer[2 * 64];

    if (size > sizeof(buffer) / 2)
        size = sizeof(buffer) / 2;
    for (size_t i = 0; i < size; i++) {
        buffer[2 * i] = digits[bytes[i] >> 4];
        buffer[2 * i + 1] = digits[bytes[i] & 15];
    }
    return json_stringn_nocheck(buffer, 2 * size);
}

enum status json_line_end(FILE *out, struct json_line *object)
{
    enum status status = STATUS_OK;

    if (object->failed)
        status = STATUS_NO_MEMORY;
    else if (json_dumpf(object->json, out, JSON_COMPACT) != 0 || fputc('\n', out) == EOF)
        status = STATUS_IO;
    json_decref(object->json);
    return status;
}

static void put_module(struct json_line *object, const struct frame *frame)
{
    const struct module *module = frame->module;
    uint64_t vaddr = frame->lookup_vaddr + frame->is_call;

    json_line_put(object, "module", json_of_text(module->file.path));
    if (module->file.build_id_size)
        json_line_put(object, "build_id",
                      json_of_bytes(module->file.build_id, module->file.build_id_size));
    if (frame->vaddr_known)
        json_line_put(object, "vaddr", json_of_hex(vaddr));
    else if (module->kind == MODULE_FILE)
        json_line_put(object, "file_offset", json_of_hex(vaddr));
}

json_t *json_of_place(const struct names *names, const struct frame *frame, bool pc_known,
                      const struct place *place)
{
    const struct function *function = names_function(names, place->function);
    struct json_line object = json_line_begin(NULL);

    if (pc_known)
        json_line_put(&object, "pc", json_of_hex(frame->pc_addr));
    if (frame->module)
        put_module(&object, frame);
    if (function->has_name)
        json_line_put(&object, "function", json_of_text(function->name));
    if (!place->is_inline && function->has_start)
        json_line_put(&object, "offset",
                      json_of_number(frame->lookup_vaddr + frame->is_call - function->start_vaddr));
    if (place->file)
        json_line_put(&object, "file", json_of_text(place->file));
    if (place->line)
        json_line_put(&object, "line", json_of_number(place->line));
    if (place->is_inline)
        json_line_put(&object, "inline", json_true());
    json_line_put(&object, "trust", json_string(trust_name(frame->trust)));
    if (object.failed) {
        json_decref(object.json);
        return NULL;
    }
    return object.json;
}
