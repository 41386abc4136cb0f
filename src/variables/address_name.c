/* SPDX-License-Identifier: MIT */
#include "variables/address_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "variables/address_types.h"

#define NEST_MAX 16 /* nested aggregates and arrays */

/* The name of the part that is being looked at. */
struct address_path {
    char text[ADDRESS_NAME_MAX];
    size_t length;
    bool is_pointed;  /* the part is what `text` points to */
    bool is_cut;      /* the name is too long */
    bool is_part;     /* of an object with a name of its own */
    bool is_reserved; /* contains a name of a library's own */
    bool is_own;      /* the variable is artificial, such as `this` */
    unsigned pointers;
};

static void append(struct address_path *path, const char *text)
{
    const size_t length = strlen(text);

    if (length >= sizeof(path->text) - path->length) {
        path->is_cut = true;
        return;
    }
    memcpy(path->text + path->length, text, length + 1);
    path->length += length;
}

static void put_before(struct address_path *path, const char *text)
{
    const size_t length = strlen(text);

    if (length >= sizeof(path->text) - path->length) {
        path->is_cut = true;
        return;
    }
    memmove(path->text + length, path->text, path->length + 1);
    memcpy(path->text, text, length);
    path->length += length;
}

/* Is the name reserved for the implementation, by C's and C++'s rule? */
static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

static void append_member(struct address_path *path, const char *name)
{
    append(path, path->is_pointed ? "->" : ".");
    append(path, name);
    path->is_pointed = false;
    path->is_part = true;
    path->is_reserved |= is_reserved(name);
}

static void append_index(struct address_path *path, const struct type_dimension *dim,
                         uint64_t index)
{
    char text[24];

    if (path->is_pointed) {
        put_before(path, "(*");
        append(path, ")");
        path->is_pointed = false;
    }
    snprintf(text, sizeof(text), "[%" PRId64 "]", (int64_t)((uint64_t)dim->lower + index));
    append(path, text);
    path->is_part = true;
}

/* Appends a dereference; a reference is written as its target. */
static void append_pointer(struct address_path *path, const struct type *type)
{
    if (path->is_pointed) {
        put_before(path, "(*");
        append(path, ")");
    }
    path->is_pointed = type->kind == TYPE_POINTER;
    path->pointers++;
}

/* Keeps the name if it says more than the best so far. */
static void take(struct address_search *search, const struct address_path *path)
{
    struct address_path whole = *path;
    const bool is_bare = (path->pointers > 0 && !path->is_part) || path->is_reserved;

    if (whole.is_pointed)
        put_before(&whole, "*");
    if (whole.is_cut ||
        (!path->is_part && path->pointers > 0 && (path->is_own || path->is_reserved)))
        return;
    if (search->name[0] && (is_bare > search->is_bare ||
                            (is_bare == search->is_bare && path->pointers >= search->pointers)))
        return;
    memcpy(search->name, whole.text, whole.length + 1);
    search->is_bare = is_bare;
    search->pointers = path->pointers;
}

static bool is_pointer(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
           type->kind == TYPE_RVALUE_REFERENCE;
}

/* Has the member an address of its own, the same in all objects? */
static bool is_placed(const struct type_member *member)
{
    return !member->is_static && !member->bit_size && !member->off_unknown && !member->is_variant &&
           !member->is_discriminant;
}

static uint64_t least_size(const struct address_search *search)
{
    return search->size ? search->size : ADDRESS_WORD_MIN;
}

/* Is the object, which begins `off` bytes before the address, the one to name, and no part? */
static bool is_whole(const struct address_search *search, const struct address_type *of,
                     uint64_t off)
{
    if (of->size < least_size(search))
        return false;
    if (off > 0)
        return of->lock == LOCK_OF_WORDS && search->size == ADDRESS_SIZE_UNKNOWN;
    return of->lock == LOCK_OF_WORDS || of->size <= search->size ||
           (!address_type_has_parts(of->type) && of->type->kind != TYPE_UNKNOWN);
}

static enum status find_within(struct address_search *search, const struct address_type *of,
                               uint64_t start_addr, unsigned nest, struct address_path *path,
                               bool *found);

/*
 * Does the member fit? Its type is only declared, as clang does for classes that a library defines:
 * it extends up to the next member.
 */
static bool is_incomplete_member(const struct address_search *search, const struct address_type *of,
                                 const struct type_member *member, uint64_t start_addr)
{
    uint64_t end = of->size;

    for (size_t i = 0; i < of->type->member_count; i++)
        if (of->type->members[i].off > member->off && of->type->members[i].off < end)
            end = of->type->members[i].off;
    return of->type->kind != TYPE_UNION && search->addr == start_addr + member->off &&
           end > member->off && end - member->off >= least_size(search);
}

/* Is the member what the lock guards, and not part of the lock? */
static bool is_guarded(const struct type_member *member)
{
    return member->name &&
           (strcmp(member->name, "data") == 0 || strcmp(member->name, "value") == 0);
}

/*
 * Searches the members. All members of a union are there, and which one is meant is not known: if
 * several fit, the union itself is named.
 */
static enum status find_in_members(struct address_search *search, const struct address_type *of,
                                   uint64_t start_addr, unsigned nest, struct address_path *path,
                                   bool *found)
{
    const struct type *type = of->type;
    struct address_path first = *path;
    unsigned count = 0;

    for (size_t i = 0; i < type->member_count && search->steps < ADDRESS_STEPS_MAX; i++) {
        const struct type_member *member = &type->members[i];
        struct address_path inner = *path;
        struct address_type part;
        bool is_there = false;
        enum status status;

        search->steps++;
        if (!is_placed(member) || member->off > search->addr - start_addr)
            continue;
        status = address_type_of(search->source, member->type, &part);
        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK)
            continue;
        if (member->name && !member->is_base && !address_type_is_smart(type))
            append_member(&inner, member->name);
        if (part.type->is_declaration)
            is_there = is_incomplete_member(search, of, member, start_addr);
        else
            status =
                find_within(search, &part, start_addr + member->off, nest + 1, &inner, &is_there);
        if (status != STATUS_OK)
            return status;
        if (of->lock == LOCK_OF_LANGUAGE && !is_guarded(member))
            inner = *path;
        if (is_there && count++ == 0)
            first = inner;
        if (count > 0 && type->kind != TYPE_UNION)
            break;
    }
    *found = count == 1 || (count > 1 && search->addr == start_addr);
    if (count == 1)
        *path = first;
    return STATUS_OK;
}

static enum status find_in_array(struct address_search *search, const struct address_type *of,
                                 uint64_t start_addr, unsigned nest, struct address_path *path,
                                 bool *found)
{
    struct address_type element;
    enum status status = address_type_element(search->source, of, &element);
    uint64_t index;

    if (status != STATUS_OK || element.size == 0)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    index = (search->addr - start_addr) / element.size;
    append_index(path, &of->type->dimensions[of->dims_passed], index);
    return find_within(search, &element, start_addr + index * element.size, nest + 1, path, found);
}

/* Extends the path to the part that begins at the address, if the object has one. */
static enum status find_within(struct address_search *search, const struct address_type *of,
                               uint64_t start_addr, unsigned nest, struct address_path *path,
                               bool *found)
{
    const uint64_t off = search->addr - start_addr;

    *found = false;
    if (search->addr < start_addr || off >= of->size || nest > NEST_MAX ||
        search->steps++ >= ADDRESS_STEPS_MAX)
        return STATUS_OK;
    *found = is_whole(search, of, off);
    if (*found || of->size < least_size(search))
        return STATUS_OK;
    return of->type->kind == TYPE_ARRAY
               ? find_in_array(search, of, start_addr, nest, path, found)
               : find_in_members(search, of, start_addr, nest, path, found);
}

/* A part of `root` that is searched for pointers; `root` may be changed. */
struct followed {
    struct object *root;
    die_ref ref;
    uint64_t bit_off;
    /* inside a type that stands for a pointer, whose members are no part of the name */
    bool is_smart;
};

static enum status follow(struct address_search *search, const struct followed *in,
                          const struct address_type *of, unsigned nest,
                          const struct address_path *path);

static enum status follow_pointer(struct address_search *search, const struct followed *in,
                                  const struct address_type *of, const struct address_path *path)
{
    struct address_path pointed = *path, inner;
    struct address_type target;
    struct object memory;
    uint64_t addr;
    bool is_signed, found;
    enum status status;

    if (!of->type->target || path->pointers == ADDRESS_POINTERS_MAX)
        return STATUS_OK;
    in->root->type = in->ref;
    in->root->bit_off = in->bit_off;
    in->root->bit_size = 0;
    if (!is_known(value_number(search->source, in->root, &addr, &is_signed)) || addr == 0)
        return STATUS_OK;
    status = address_type_of(search->source, of->type->target, &target);
    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    append_pointer(&pointed, of->type);
    inner = pointed;
    status = find_within(search, &target, addr, 0, &inner, &found);
    if (status != STATUS_OK)
        return status;
    if (found)
        take(search, &inner);
    if (found || pointed.pointers == ADDRESS_POINTERS_MAX || target.size == 0)
        return STATUS_OK;
    memory = (struct object){.place = {.count = 1}};
    memory.place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = addr};
    return follow(search, &(struct followed){.root = &memory, .ref = of->type->target}, &target, 0,
                  &pointed);
}

static enum status follow_members(struct address_search *search, const struct followed *in,
                                  const struct address_type *of, unsigned nest,
                                  const struct address_path *path)
{
    const bool is_smart = in->is_smart || address_type_is_smart(of->type);

    for (size_t i = 0; i < of->type->member_count && search->steps < ADDRESS_STEPS_MAX; i++) {
        const struct type_member *member = &of->type->members[i];
        struct followed part = {.root = in->root, .ref = member->type, .is_smart = is_smart};
        struct address_path inner = *path;
        struct address_type type;
        enum status status;

        search->steps++;
        if (!is_placed(member) || member->is_artificial || member->off > of->size)
            continue;
        part.bit_off = in->bit_off + 8 * member->off;
        status = address_type_of(search->source, member->type, &type);
        if (status == STATUS_OK && type.size <= of->size - member->off) {
            if (member->name && !member->is_base && !is_smart)
                append_member(&inner, member->name);
            status = follow(search, &part, &type, nest + 1, &inner);
        }
        if (status == STATUS_NO_MEMORY)
            return status;
    }
    return STATUS_OK;
}

static enum status follow_elements(struct address_search *search, const struct followed *in,
                                   const struct address_type *of, unsigned nest,
                                   const struct address_path *path)
{
    struct address_type element;
    enum status status = address_type_element(search->source, of, &element);

    if (status != STATUS_OK || !(is_pointer(element.type) || address_type_has_parts(element.type)))
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    for (uint64_t i = 0; i < ADDRESS_ELEMENTS_MAX && element.size * (i + 1) <= of->size; i++) {
        struct followed part = *in;
        struct address_path inner = *path;

        if (element.dims_passed == 0)
            part.ref = of->type->target;
        part.bit_off = in->bit_off + 8 * element.size * i;
        append_index(&inner, &of->type->dimensions[of->dims_passed], i);
        status = follow(search, &part, &element, nest + 1, &inner);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status follow(struct address_search *search, const struct followed *in,
                          const struct address_type *of, unsigned nest,
                          const struct address_path *path)
{
    /* A name with more pointers than the present one is no better. */
    const bool is_enough =
        search->name[0] && !search->is_bare && search->pointers <= path->pointers + 1;

    if (nest > NEST_MAX || is_enough || of->size == 0 || of->size > VALUE_BYTES_MAX ||
        search->steps++ >= ADDRESS_STEPS_MAX)
        return STATUS_OK;
    if (is_pointer(of->type))
        return follow_pointer(search, in, of, path);
    if (of->lock != LOCK_NOT || !address_type_has_parts(of->type))
        return STATUS_OK;
    return of->type->kind == TYPE_ARRAY ? follow_elements(search, in, of, nest, path)
                                        : follow_members(search, in, of, nest, path);
}

/* Is the object in memory as a whole? */
static bool has_address(const struct object *object)
{
    const struct object_piece *piece = &object->place.pieces[0];

    return object->place.count == 1 && piece->kind == PIECE_MEMORY && !piece->bit_off &&
           !object->bit_off;
}

bool address_search_variable(struct address_search *search, const struct scope_variable *variable,
                             const struct object *object)
{
    struct object root = *object;
    const struct followed in = {.root = &root, .ref = object->type, .bit_off = object->bit_off};
    struct address_path path = {.is_own = variable->is_artificial,
                                .is_reserved = is_reserved(variable->name)};
    struct address_type type;
    enum status status = address_type_of(search->source, object->type, &type);

    append(&path, variable->name);
    if (status == STATUS_OK && has_address(object)) {
        struct address_path inner = path;
        bool found;

        status = find_within(search, &type, object->place.pieces[0].addr, 0, &inner, &found);
        if (status == STATUS_OK && found)
            take(search, &inner);
    }
    if (status == STATUS_OK)
        status = follow(search, &in, &type, 0, &path);
    return status != STATUS_NO_MEMORY;
}
