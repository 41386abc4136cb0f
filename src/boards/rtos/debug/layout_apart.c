/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "confine/child.h"
#include "boards/rtos/debug/layout_owner.h"

/* Memory of the process that parses the file, in addition to what is in use. */
#define READER_MEMORY  (UINT64_C(256) << 20)
#define READER_SECONDS 120

/* Its answer: this, followed by the objects; on failure a diag only. */
struct flat_head {
    uint32_t system, arch; /* index in RTOS_LIST; enum arch_id */
    uint32_t object_count, code_count;
    struct {
        uint64_t value;
        uint32_t size;
        uint8_t is_there, is_signed;
    } fields[RTOS_FIELDS_MAX];
    struct rtos_code code[RTOS_CODE_MAX];
};

struct flat_object {
    uint64_t addr;
    uint16_t field;
    uint8_t is_pointer;
    char name[RTOS_NAME_MAX];
};
_Static_assert(sizeof(struct flat_head) + RTOS_OBJECTS_MAX * sizeof(struct flat_object) <=
                   RTOS_LAYOUT_FLAT_MAX,
               "the largest layout has room");

#define SYSTEM(name) &rtos_##name,
static const struct rtos_system *const systems[] = {RTOS_LIST(SYSTEM)};
#undef SYSTEM
#define SYSTEMS (sizeof(systems) / sizeof(systems[0]))

static void flatten_object(const struct rtos_object *object, struct flat_object *out)
{
    memset(out, 0, sizeof(*out));
    out->addr = object->addr;
    out->field = object->field;
    out->is_pointer = object->is_pointer;
    strncpy(out->name, object->name, sizeof(out->name) - 1);
}

size_t rtos_layout_flatten(const struct rtos_layout *layout, uint8_t out[RTOS_LAYOUT_FLAT_MAX])
{
    struct flat_head head = {.arch = layout->arch->id,
                             .object_count = (uint32_t)layout->object_count,
                             .code_count = (uint32_t)layout->code_count};
    struct flat_object object;
    uint8_t *at = out + sizeof(head);

    while (systems[head.system] != layout->system)
        head.system++;
    for (size_t i = 0; i < RTOS_FIELDS_MAX; i++) {
        head.fields[i].value = layout->fields[i].value;
        head.fields[i].size = layout->fields[i].size;
        head.fields[i].is_there = layout->fields[i].is_there;
        head.fields[i].is_signed = layout->fields[i].is_signed;
    }
    memcpy(head.code, layout->code, sizeof(head.code));
    memcpy(out, &head, sizeof(head));
    for (size_t i = 0; i < layout->object_count; i++, at += sizeof(object)) {
        flatten_object(&layout->objects[i], &object);
        memcpy(at, &object, sizeof(object));
    }
    return (size_t)(at - out);
}

static enum status restore_fields(const struct flat_head *head, struct rtos_layout *out)
{
    for (size_t i = 0; i < RTOS_FIELDS_MAX; i++)
        out->fields[i] = (struct rtos_found){.is_there = head->fields[i].is_there != 0,
                                             .value = head->fields[i].value,
                                             .size = head->fields[i].size,
                                             .is_signed = head->fields[i].is_signed != 0};
    for (size_t i = 0; i < out->system->field_count; i++)
        if (!out->fields[i].is_there && !out->system->fields[i].is_optional)
            return STATUS_BAD_DATA;
    out->code_count = head->code_count;
    memcpy(out->code, head->code, sizeof(head->code));
    return STATUS_OK;
}

static enum status restore_objects(const uint8_t *flat, size_t count, struct layout_owner *owner)
{
    owner->objects = calloc(count + 1, sizeof(*owner->objects));
    if (!owner->objects)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct flat_object object;
        const char *name;

        memcpy(&object, flat + i * sizeof(object), sizeof(object));
        if (object.field >= owner->layout.system->field_count)
            return STATUS_BAD_DATA;
        name = arena_join(&owner->names, object.name, strnlen(object.name, RTOS_NAME_MAX - 1), "");
        if (!name)
            return STATUS_NO_MEMORY;
        owner->objects[i] = (struct rtos_object){.addr = object.addr,
                                                 .name = name,
                                                 .field = object.field,
                                                 .is_pointer = object.is_pointer != 0};
    }
    owner->layout.objects = owner->objects;
    owner->layout.object_count = owner->object_count = count;
    return STATUS_OK;
}

enum status rtos_layout_restore(const uint8_t *flat, size_t size, struct rtos_layout **out)
{
    struct layout_owner *owner;
    struct flat_head head;
    enum status status;

    *out = NULL;
    if (size < sizeof(head))
        return STATUS_BAD_DATA;
    memcpy(&head, flat, sizeof(head));
    if (head.system >= SYSTEMS || head.arch >= ARCH_COUNT || head.code_count > RTOS_CODE_MAX ||
        head.object_count > RTOS_OBJECTS_MAX ||
        size != sizeof(head) + head.object_count * sizeof(struct flat_object))
        return STATUS_BAD_DATA;
    owner = calloc(1, sizeof(*owner));
    if (!owner)
        return STATUS_NO_MEMORY;
    arena_init(&owner->names);
    owner->layout.system = systems[head.system];
    owner->layout.arch = arch_get((enum arch_id)head.arch);
    status = restore_fields(&head, &owner->layout);
    if (status == STATUS_OK)
        status = restore_objects(flat + sizeof(head), head.object_count, owner);
    if (status == STATUS_OK)
        *out = &owner->layout;
    else
        rtos_layout_destroy(&owner->layout);
    return status;
}

struct layout_question {
    const struct firmware *firmware;
    const char *path;
    int64_t bias;
};

static void serve_layout(void *context, const struct child *parent, int in, int out)
{
    static uint8_t flat[RTOS_LAYOUT_FLAT_MAX];
    const struct layout_question *question = context;
    struct rtos_layout *layout;
    struct diag diag = {.has_off = false};
    const enum status status =
        layout_find(question->firmware, question->path, question->bias, &layout, &diag);

    (void)parent, (void)in;
    if (status == STATUS_OK)
        child_return(out, status, flat, rtos_layout_flatten(layout, flat));
    child_return(out, status, &diag, sizeof(diag));
}

static void restore_diag(const uint8_t *flat, size_t size, struct diag *out)
{
    if (size != sizeof(*out))
        return;
    memcpy(out->file, flat + offsetof(struct diag, file), sizeof(out->file) - 1);
    memcpy(out->what, flat + offsetof(struct diag, what), sizeof(out->what) - 1);
    memcpy(out->hint, flat + offsetof(struct diag, hint), sizeof(out->hint) - 1);
}

static enum status ask(const struct layout_question *question, struct rtos_layout **out,
                       struct diag *diag)
{
    const struct child_limits limits = {.memory = READER_MEMORY, .seconds = READER_SECONDS};
    uint8_t *flat;
    size_t size;
    enum status status = child_compute(&limits, child_wait_begin(READER_SECONDS), serve_layout,
                                       (void *)question, RTOS_LAYOUT_FLAT_MAX, &flat, &size);

    diag_set(diag, NULL, "%s", "");
    if (status == STATUS_OK)
        status = rtos_layout_restore(flat, size, out);
    else
        restore_diag(flat, size, diag);
    free(flat);
    if (diag->what[0] || status == STATUS_OK || status == STATUS_NO_MEMORY)
        return status;
    diag_set(diag, question->path, "its debug information cannot be read: %s",
             status == STATUS_IO ? "no process can be started" : "the process that did has ended");
    diag_hint(diag, "the running context alone is told");
    return STATUS_UNSUPPORTED;
}

enum status rtos_layout_load_apart(const char *path, int64_t bias, struct rtos_layout **out,
                                   struct diag *diag)
{
    struct firmware firmware;
    const struct layout_question question = {&firmware, path, bias};
    enum status status = firmware_read(path, &firmware, diag);

    *out = NULL;
    if (status == STATUS_OK)
        status = ask(&question, out, diag);
    firmware_close(&firmware);
    return status;
}
