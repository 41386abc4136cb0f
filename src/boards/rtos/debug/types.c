/* SPDX-License-Identifier: MIT */
#include "boards/rtos/debug/types.h"

#include <dwarf.h>
#include <string.h>

#define CHAIN_MAX   16 /* typedefs and qualifiers in a row */
#define NESTED_MAX  4  /* levels of unnamed members */
#define LEVELS_MAX  8  /* levels of arrays */
#define MEMBERS_MAX 4096

bool type_is_record(unsigned tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

bool type_bare(struct entries *entries, uint64_t type_off, struct entry *out)
{
    for (unsigned i = 0; i < CHAIN_MAX && type_off && entry_read(entries, type_off, out); i++) {
        switch (out->tag) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
        case DW_TAG_restrict_type:
            type_off = out->type_off;
            break;
        default:
            return true;
        }
    }
    return false;
}

bool type_member(struct entries *entries, struct entry *at, bool is_first)
{
    const struct entry before = *at;

    if (is_first && !before.has_children)
        return false;
    return (is_first ? entry_read(entries, before.next_off, at)
                     : entry_after(entries, &before, at)) &&
           at->tag != 0;
}

/* Returns the count of elements of all dimensions together. */
static uint64_t count_elements(struct entries *entries, const struct entry *array)
{
    struct entry at = *array;
    uint64_t count = 0;
    bool is_first = true;

    for (unsigned i = 0; i < LEVELS_MAX && type_member(entries, &at, is_first); i++) {
        is_first = false;
        if (at.tag != DW_TAG_subrange_type || !at.has_count || at.count > UINT32_MAX)
            continue;
        count = count ? count * at.count : at.count;
        if (count > UINT32_MAX)
            return 0;
    }
    return count;
}

bool type_elements(struct entries *entries, uint64_t type_off, uint64_t *count,
                   uint64_t *element_off)
{
    struct entry type;

    if (!type_bare(entries, type_off, &type) || type.tag != DW_TAG_array_type)
        return false;
    *element_off = type.type_off;
    *count = count_elements(entries, &type);
    return true;
}

uint64_t type_size(struct entries *entries, uint64_t type_off)
{
    uint64_t count, all = 1, element;
    struct entry type;

    for (unsigned i = 0; i < LEVELS_MAX && type_elements(entries, type_off, &count, &element);
         i++) {
        if (count && all > UINT32_MAX / count)
            return 0;
        all *= count;
        type_off = element;
    }
    if (!type_bare(entries, type_off, &type))
        return 0;
    if (!type.has_size && type.tag == DW_TAG_pointer_type)
        type.size = entries->units[0].sizes.word;
    return type.size > UINT32_MAX ? 0 : all * type.size;
}

bool type_is_signed(struct entries *entries, uint64_t type_off)
{
    struct entry type;

    return type_bare(entries, type_off, &type) && type.tag == DW_TAG_base_type &&
           (type.encoding == DW_ATE_signed || type.encoding == DW_ATE_signed_char);
}

/* Finds the structure of a type, in the middle of a path: arrays stand for their elements. */
static bool record_of(struct entries *entries, uint64_t type_off, struct entry *out)
{
    uint64_t count, element;

    for (unsigned i = 0; i < LEVELS_MAX && type_elements(entries, type_off, &count, &element); i++)
        type_off = element;
    return type_bare(entries, type_off, out) && type_is_record(out->tag);
}

static bool is_called(const char *name, const char *wanted, size_t length)
{
    return name && strncmp(name, wanted, length) == 0 && name[length] == '\0';
}

static bool find_member(struct entries *entries, const struct entry *record, const char *name,
                        size_t length, unsigned depth, struct type_place *place)
{
    struct entry at = *record, inner;
    bool is_first = true;

    for (unsigned i = 0; i < MEMBERS_MAX && type_member(entries, &at, is_first); i++) {
        const uint64_t off = place->off;

        is_first = false;
        if (at.tag != DW_TAG_member)
            continue;
        place->off = off + at.member_off;
        place->type_off = at.type_off;
        if (is_called(at.name, name, length))
            return true;
        if (!at.name && depth < NESTED_MAX && record_of(entries, at.type_off, &inner) &&
            find_member(entries, &inner, name, length, depth + 1, place))
            return true;
        place->off = off;
    }
    return false;
}

/* Begins a path: at a structure, a typedef, or a variable. */
static bool begin(struct entries *entries, const struct named *named, struct type_place *out)
{
    struct entry entry;

    *out = (struct type_place){.type_off = named->record_off};
    if (!out->type_off && named->typedef_off)
        out->type_off = named->typedef_off;
    if (!out->type_off && named->variable_off && entry_read(entries, named->variable_off, &entry))
        out->type_off = entry.type_off;
    return out->type_off != 0;
}

bool type_path(struct entries *entries, const struct named *named, const char *path, size_t length,
               struct type_place *out)
{
    size_t at = 0;

    if (!begin(entries, named, out))
        return false;
    while (at < length) {
        struct entry record;
        size_t end = ++at; /* behind the point */

        while (end < length && path[end] != '.')
            end++;
        if (!record_of(entries, out->type_off, &record) ||
            !find_member(entries, &record, path + at, end - at, 0, out))
            return false;
        at = end;
    }
    return true;
}
