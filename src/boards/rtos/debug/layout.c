/* SPDX-License-Identifier: MIT */
#include "boards/rtos/debug/layout.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "boards/rtos/debug/layout_owner.h"
#include "boards/rtos/debug/types.h"

#define ALTERNATIVES_MAX (4 * RTOS_FIELDS_MAX)
#define NESTED_MAX       4       /* levels of structures that are searched for objects */
#define ELEMENTS_MAX     64      /* elements of an array that are searched */
#define LOOKS_MAX        2000000 /* members and elements that are searched, in all */
#define ORIGINS_MAX      4

struct layout_loader {
    struct firmware firmware;
    struct entries entries;
    const struct rtos_system *system;
    struct layout_owner *owner;
    struct named names[ALTERNATIVES_MAX]; /* ascending by name */
    size_t name_count;
    int64_t bias;
    unsigned looks_left;
    bool no_memory;
};

/* One of a field's alternatives. */
struct alternative {
    const char *text;
    size_t length, head; /* length of all of it; of its first name */
};

/* Takes the next alternative and moves *at behind it. False: no more. */
static bool next_alternative(const char **at, struct alternative *out)
{
    if (!**at)
        return false;
    out->text = *at;
    out->length = strcspn(*at, "|");
    out->head = strcspn(*at, "|.");
    *at += out->length;
    *at += **at == '|' ? 1 : 0;
    return true;
}

static bool is_text(const struct alternative *a, const char *name, size_t length)
{
    return a->length == length && memcmp(a->text, name, length) == 0;
}

/* Length of a symbol's name without a suffix of link-time optimization ("x.lto_priv.0"). */
static size_t plain_length(const char *name)
{
    return strcspn(name, ".");
}

/* Finds the field's symbol; prefers an exact name to one with a suffix. */
static void take_symbol(struct layout_loader *l, const struct rtos_field *field,
                        struct rtos_found *found)
{
    const char *names = field->name;
    struct alternative a;

    while (!found->is_there && next_alternative(&names, &a)) {
        struct firmware_symbol symbol;
        bool is_exact = false;
        size_t at = 0;

        while (!is_exact && firmware_symbol(&l->firmware, &at, &symbol)) {
            if (!symbol.is_data || !is_text(&a, symbol.name, plain_length(symbol.name)))
                continue;
            is_exact = symbol.name[a.length] == '\0';
            if (found->is_there && !is_exact)
                continue;
            *found =
                (struct rtos_found){.is_there = true,
                                    .value = symbol.vaddr + (uint64_t)l->bias,
                                    .size = symbol.size <= UINT32_MAX ? (uint32_t)symbol.size : 0};
        }
    }
}

static bool has_symbols(struct layout_loader *l, const struct rtos_system *system)
{
    for (size_t i = 0; i < system->field_count; i++) {
        struct rtos_found found = {0};

        if (system->fields[i].kind != RTOS_SYMBOL || system->fields[i].is_optional)
            continue;
        take_symbol(l, &system->fields[i], &found);
        if (!found.is_there)
            return false;
    }
    return true;
}

static enum status find_system(struct layout_loader *l, const char *path, struct diag *diag)
{
#define RTOS_ADDRESS(name) &rtos_##name,
    static const struct rtos_system *const systems[] = {RTOS_LIST(RTOS_ADDRESS)};
#undef RTOS_ADDRESS

    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
        if (has_symbols(l, systems[i])) {
            l->system = systems[i];
            return STATUS_OK;
        }
    diag_set(diag, path, "the symbols of no RTOS that is known");
    return STATUS_NOT_FOUND;
}

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const size_t least = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->name, y->name, least);

    if (order != 0)
        return order;
    return x->length < y->length ? -1 : x->length > y->length;
}

static struct named *find_named(struct layout_loader *l, const char *name, size_t length)
{
    const struct named key = {.name = name, .length = length};

    return bsearch(&key, l->names, l->name_count, sizeof(key), compare_named);
}

/* Collects the first names of all paths, each once. */
static void collect_names(struct layout_loader *l)
{
    size_t kept = 0;

    for (size_t i = 0; i < l->system->field_count; i++) {
        const char *names = l->system->fields[i].name;
        struct alternative a;

        while (l->name_count < ALTERNATIVES_MAX && next_alternative(&names, &a))
            l->names[l->name_count++] = (struct named){.name = a.text, .length = a.head};
    }
    qsort(l->names, l->name_count, sizeof(l->names[0]), compare_named);
    for (size_t i = 0; i < l->name_count; i++)
        if (kept == 0 || compare_named(&l->names[kept - 1], &l->names[i]) != 0)
            l->names[kept++] = l->names[i];
    l->name_count = kept;
}

/* Is `name` that of a type of objects or, if `is_handle`, of pointers to them? */
static bool names_object(const struct alternative *a, const char *name, bool is_handle)
{
    const struct alternative pointed = {.text = a->text + 1, .length = a->length - 1};

    if (!is_handle)
        return is_text(a, name, strlen(name));
    return a->text[0] == '*' && is_text(&pointed, name, strlen(name));
}

/* Returns the RTOS_OBJECT field whose type, or handle, has this name; field_count: none. */
static size_t object_field(const struct layout_loader *l, const char *name, bool is_handle)
{
    for (size_t i = 0; name && i < l->system->field_count; i++) {
        const char *names = l->system->fields[i].name;
        struct alternative a;

        while (l->system->fields[i].kind == RTOS_OBJECT && next_alternative(&names, &a))
            if (names_object(&a, name, is_handle))
                return i;
    }
    return l->system->field_count;
}

/* object_field for a type, by its own name or a typedef's. */
static size_t type_object(struct layout_loader *l, uint64_t type_off, bool is_handle)
{
    size_t field = l->system->field_count;
    struct entry type;

    for (unsigned i = 0; i < ORIGINS_MAX && type_off && field == l->system->field_count &&
                         entry_read(&l->entries, type_off, &type);
         i++) {
        if (type.tag != DW_TAG_typedef && type.tag != DW_TAG_const_type &&
            type.tag != DW_TAG_volatile_type && !type_is_record(type.tag))
            break;
        field = object_field(l, type.name, is_handle);
        type_off = type_is_record(type.tag) ? 0 : type.type_off;
    }
    return field;
}

static void add_object(struct layout_loader *l, uint64_t addr, const char *name, size_t field,
                       bool is_pointer)
{
    struct layout_owner *owner = l->owner;
    struct rtos_object object = {.addr = addr + (uint64_t)l->bias,
                                 .field = (uint16_t)field,
                                 .is_pointer = is_pointer};

    if (owner->object_count == RTOS_OBJECTS_MAX)
        return;
    object.name = arena_join(&owner->names, name, strlen(name), "");
    l->no_memory =
        !object.name || vec_reserve(&owner->objects, &owner->object_cap, owner->object_count + 1,
                                    sizeof(object)) != STATUS_OK;
    if (!l->no_memory)
        owner->objects[owner->object_count++] = object;
}

static void find_objects(struct layout_loader *l, uint64_t type_off, uint64_t addr,
                         const char *name, unsigned depth);

static void find_in_elements(struct layout_loader *l, uint64_t element_off, uint64_t count,
                             uint64_t addr, const char *name, unsigned depth)
{
    const uint64_t size = type_size(&l->entries, element_off);
    char inner[TYPES_PATH_MAX + 24];

    for (uint64_t i = 0; i < count && i < ELEMENTS_MAX && size; i++) {
        snprintf(inner, sizeof(inner), "%.*s[%llu]", TYPES_PATH_MAX, name, (unsigned long long)i);
        find_objects(l, element_off, addr + i * size, inner, depth + 1);
    }
}

static void find_in_members(struct layout_loader *l, const struct entry *record, uint64_t addr,
                            const char *name, unsigned depth)
{
    struct entry at = *record;
    char inner[2 * TYPES_PATH_MAX];
    bool is_first = true;

    while (l->looks_left > 0 && type_member(&l->entries, &at, is_first)) {
        is_first = false;
        if (at.tag != DW_TAG_member)
            continue;
        snprintf(inner, sizeof(inner), "%.*s%s%.64s", TYPES_PATH_MAX, name, at.name ? "." : "",
                 at.name ? at.name : "");
        find_objects(l, at.type_off, addr + at.member_off, inner, depth + 1);
    }
}

/* Adds what is, points to, or contains an object in a variable, or a part of it, of this type. */
static void find_objects(struct layout_loader *l, uint64_t type_off, uint64_t addr,
                         const char *name, unsigned depth)
{
    uint64_t count, element;
    struct entry type;
    size_t field;

    if (l->looks_left == 0 || l->no_memory || depth > NESTED_MAX)
        return;
    l->looks_left--;
    field = type_object(l, type_off, false);
    if (field < l->system->field_count) {
        add_object(l, addr, name, field, false);
        return;
    }
    if (type_elements(&l->entries, type_off, &count, &element)) {
        find_in_elements(l, element, count, addr, name, depth);
        return;
    }
    if (!type_bare(&l->entries, type_off, &type))
        return;
    if (type.tag == DW_TAG_pointer_type) {
        field = type_object(l, type.type_off, false);
        if (field == l->system->field_count)
            field = type_object(l, type_off, true);
        if (field < l->system->field_count)
            add_object(l, addr, name, field, true);
    } else if (type_is_record(type.tag)) {
        find_in_members(l, &type, addr, name, depth);
    }
}

/* Takes a variable. A definition may have name and type at its declaration. */
static void take_variable(struct layout_loader *l, const struct entry *entry)
{
    struct entry variable = *entry, origin;
    uint64_t origin_off = entry->origin_off;
    struct named *named;

    for (unsigned i = 0;
         i < ORIGINS_MAX && origin_off && entry_read(&l->entries, origin_off, &origin); i++) {
        variable.name = variable.name ? variable.name : origin.name;
        variable.type_off = variable.type_off ? variable.type_off : origin.type_off;
        origin_off = origin.origin_off;
    }
    if (!variable.name || !variable.type_off)
        return;
    named = find_named(l, variable.name, strlen(variable.name));
    /* An extern array may be declared without its size. */
    if (named && entry->type_off &&
        (!named->variable_off || (entry->has_addr && !entry->is_declaration)))
        named->variable_off = entry->off;
    if (variable.has_addr)
        find_objects(l, variable.type_off, variable.addr, variable.name, 0);
}

static void take_entry(struct layout_loader *l, const struct entry *entry)
{
    struct named *named;

    if (entry->tag == DW_TAG_variable) {
        take_variable(l, entry);
        return;
    }
    if (!entry->name || entry->is_declaration ||
        (entry->tag != DW_TAG_typedef && entry->tag != DW_TAG_enumerator &&
         !type_is_record(entry->tag)))
        return;
    named = find_named(l, entry->name, strlen(entry->name));
    if (!named)
        return;
    if (entry->tag == DW_TAG_typedef && !named->typedef_off) {
        named->typedef_off = entry->off;
    } else if (entry->tag == DW_TAG_enumerator && !named->has_value) {
        named->has_value = entry->has_value;
        named->value = entry->value;
    } else if (type_is_record(entry->tag) && !named->record_off) {
        named->record_off = entry->off;
    }
}

static void take_entries(struct layout_loader *l)
{
    struct entry entry;

    for (size_t i = 0; i < l->entries.unit_count && !l->no_memory; i++) {
        const struct entry_unit *unit = &l->entries.units[i];
        uint64_t off = unit->first_off;

        while (off < unit->end_off && !l->no_memory &&
               entry_read_in(&l->entries, unit, off, &entry)) {
            if (entry.tag != 0)
                take_entry(l, &entry);
            off = entry.next_off;
        }
    }
}

static void take_place(struct layout_loader *l, enum rtos_field_kind kind,
                       const struct type_place *place, struct rtos_found *found)
{
    struct entries *entries = &l->entries;
    uint64_t count, element;
    const bool is_array = type_elements(entries, place->type_off, &count, &element);
    const uint64_t size = type_size(entries, place->type_off);

    found->size = (uint32_t)size;
    found->is_signed = type_is_signed(entries, place->type_off);
    switch (kind) {
    case RTOS_MEMBER:
        found->value = place->off;
        found->is_there = true;
        break;
    case RTOS_SIZE:
    case RTOS_OBJECT:
        found->value = is_array ? type_size(entries, element) : size;
        found->is_there = found->value != 0;
        break;
    case RTOS_COUNT:
        found->value = is_array ? count : 0;
        found->is_there = found->value != 0;
        break;
    case RTOS_SYMBOL:
    case RTOS_VALUE:
        break;
    }
}

static void take_field(struct layout_loader *l, const struct rtos_field *field,
                       struct rtos_found *found)
{
    const char *names = field->name;
    struct alternative a;

    if (field->kind == RTOS_SYMBOL) {
        take_symbol(l, field, found);
        return;
    }
    while (!found->is_there && next_alternative(&names, &a)) {
        const struct named *named = find_named(l, a.text, a.head);
        struct type_place place;

        if (named && field->kind == RTOS_VALUE) {
            found->is_there = named->has_value;
            found->value = named->value;
        } else if (named &&
                   type_path(&l->entries, named, a.text + a.head, a.length - a.head, &place)) {
            take_place(l, field->kind, &place, found);
        }
    }
}

static enum status take_fields(struct layout_loader *l, const char *path, struct diag *diag)
{
    static const char *const kinds[] = {
        [RTOS_SYMBOL] = "address", [RTOS_MEMBER] = "member", [RTOS_SIZE] = "size",
        [RTOS_COUNT] = "count of", [RTOS_VALUE] = "value",   [RTOS_OBJECT] = "type"};
    struct rtos_layout *layout = &l->owner->layout;

    for (size_t i = 0; i < l->system->field_count; i++) {
        const struct rtos_field *field = &l->system->fields[i];

        take_field(l, field, &layout->fields[i]);
        if (layout->fields[i].is_there || field->is_optional)
            continue;
        diag_set(diag, path, "%s, but its debug information has no %s '%.*s'", l->system->name,
                 kinds[field->kind], (int)strcspn(field->name, "|"), field->name);
        diag_hint(diag, "build its kernel with -g; without, the running context alone is told");
        return STATUS_UNSUPPORTED;
    }
    return STATUS_OK;
}

static int compare_objects(const void *a, const void *b)
{
    const struct rtos_object *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Removes duplicates: several units may declare a variable. */
static void settle_objects(struct layout_owner *owner)
{
    size_t kept = 0;

    if (owner->object_count)
        qsort(owner->objects, owner->object_count, sizeof(*owner->objects), compare_objects);
    for (size_t i = 0; i < owner->object_count; i++)
        if (kept == 0 || owner->objects[kept - 1].addr != owner->objects[i].addr)
            owner->objects[kept++] = owner->objects[i];
    owner->layout.objects = owner->objects;
    owner->layout.object_count = kept;
}

static void take_code(struct layout_loader *l)
{
    struct rtos_layout *layout = &l->owner->layout;
    struct rtos_code code;
    unsigned at = 0;

    while (layout->code_count < RTOS_CODE_MAX &&
           firmware_code(&l->firmware, &at, &code.start_addr, &code.end_addr)) {
        code.start_addr += (uint64_t)l->bias;
        code.end_addr += (uint64_t)l->bias;
        layout->code[layout->code_count++] = code;
    }
}

static enum status open_entries(struct layout_loader *l, const char *path, struct diag *diag)
{
    const enum status status = entries_open(&l->firmware, &l->entries);

    if (status != STATUS_BAD_DATA)
        return status;
    if (l->firmware.is_compressed) {
        diag_set(diag, path, "%s, but its debug information is compressed", l->system->name);
        diag_hint(diag, "objcopy --decompress-debug-sections makes a file that can be used");
    } else {
        diag_set(diag, path, "%s, but without debug information", l->system->name);
        diag_hint(diag, "build it with -g; without, the running context alone is told");
    }
    return STATUS_UNSUPPORTED;
}

static enum status load(struct layout_loader *l, const char *path, struct diag *diag)
{
    enum status status = find_system(l, path, diag);

    if (status == STATUS_OK)
        status = open_entries(l, path, diag);
    if (status != STATUS_OK)
        return status;
    l->owner = calloc(1, sizeof(*l->owner));
    if (!l->owner)
        return STATUS_NO_MEMORY;
    arena_init(&l->owner->names);
    l->owner->layout.system = l->system;
    l->owner->layout.arch = l->firmware.arch;
    collect_names(l);
    take_entries(l);
    status = take_fields(l, path, diag);
    if (l->no_memory || l->entries.no_memory)
        status = STATUS_NO_MEMORY;
    settle_objects(l->owner);
    take_code(l);
    return status;
}

enum status layout_find(const struct firmware *firmware, const char *path, int64_t bias,
                        struct rtos_layout **out, struct diag *diag)
{
    struct layout_loader *l = calloc(1, sizeof(*l));
    enum status status;

    *out = NULL;
    if (!l)
        return STATUS_NO_MEMORY;
    l->bias = bias;
    l->looks_left = LOOKS_MAX;
    l->firmware = *firmware;
    status = firmware_parse(&l->firmware, path, diag);
    if (status == STATUS_OK) {
        status = load(l, path, diag);
        entries_close(&l->entries);
    }
    if (status == STATUS_OK)
        *out = &l->owner->layout;
    else if (l->owner)
        rtos_layout_destroy(&l->owner->layout);
    free(l);
    return status;
}

enum status rtos_layout_load(const char *path, int64_t bias, struct rtos_layout **out,
                             struct diag *diag)
{
    struct firmware firmware;
    enum status status = firmware_read(path, &firmware, diag);

    *out = NULL;
    if (status == STATUS_OK)
        status = layout_find(&firmware, path, bias, out, diag);
    firmware_close(&firmware);
    return status;
}

void rtos_layout_destroy(struct rtos_layout *layout)
{
    struct layout_owner *owner = (struct layout_owner *)layout;

    if (!owner)
        return;
    free(owner->objects);
    arena_deinit(&owner->names);
    free(owner);
}
