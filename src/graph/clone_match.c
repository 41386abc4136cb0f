/* SPDX-License-Identifier: MIT */
#include "graph/clone_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/map.h"
#include "graph/module_match.h"
#include "symbol/clone_suffix.h"

/* The functions of one name in modules that match, with their clones. */
struct family {
    uint32_t first; /* stands for them: the first met of those with the shortest name */
    bool apart;     /* some module has several functions of this name */
};

/* A function of a family in one module. */
struct member {
    uint32_t family, function;
};

struct joiner {
    const struct names *names;
    struct module_match modules;
    struct family *families;
    struct member *members;
    size_t family_count, member_count;
    struct index family_index, member_index;
};

static bool same_build(const struct module *a, const struct module *b)
{
    return a == b ||
           (a && b && a->file.build_id_size > 0 && a->file.build_id_size == b->file.build_id_size &&
            memcmp(a->file.build_id, b->file.build_id, a->file.build_id_size) == 0);
}

static bool same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Nameless functions have an address for a name, which in another build is another function's. */
static bool same_family(const struct joiner *j, const struct function *a, const struct function *b)
{
    return same_text(a->name, clone_suffix_strip(a->name), b->name, clone_suffix_strip(b->name)) &&
           module_match_class(&j->modules, a->module) ==
               module_match_class(&j->modules, b->module) &&
           (a->has_name || same_build(a->module, b->module));
}

static enum status find_family(struct joiner *j, uint32_t function, uint32_t *out)
{
    const struct function *f = names_function(j->names, function);
    uint64_t hash = keyed_words(keyed_bytes(0, f->name, clone_suffix_strip(f->name)),
                                module_match_class(&j->modules, f->module));
    struct index_probe probe = index_find(&j->family_index, hash);

    while (index_next(&probe, out))
        if (same_family(j, names_function(j->names, j->families[*out].first), f))
            return STATUS_OK;
    *out = (uint32_t)j->family_count;
    if (index_add(&j->family_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    j->families[j->family_count++] = (struct family){.first = function};
    return STATUS_OK;
}

/* Returns whether both are parts of one function, by name: they are of one module. */
static bool same_function(const struct function *a, const struct function *b)
{
    return same_text(a->name, clone_suffix_strip_parts(a->name), b->name,
                     clone_suffix_strip_parts(b->name));
}

/* Adds a function to its family; sets `apart` if its module has another function of the name. */
static enum status add_member(struct joiner *j, uint32_t id, uint32_t function)
{
    struct family *family = &j->families[id];
    const struct function *f = names_function(j->names, function);
    uint64_t hash = keyed_words(id, (uintptr_t)f->module);
    struct index_probe probe = index_find(&j->member_index, hash);
    uint32_t member;

    if (strlen(f->name) < strlen(names_function(j->names, family->first)->name))
        family->first = function;
    family->apart |= names_ambiguous(j->names, function);
    while (index_next(&probe, &member)) {
        const struct member *known = &j->members[member];
        const struct function *other = names_function(j->names, known->function);

        if (known->family != id || other->module != f->module)
            continue;
        family->apart |= !same_function(other, f);
        return STATUS_OK;
    }
    j->members[j->member_count] = (struct member){.family = id, .function = function};
    return index_add(&j->member_index, hash, (uint32_t)j->member_count++);
}

/* Fills clones->function with each function's family, then with the one that stands for it. */
static enum status join(struct clone_match *clones, struct joiner *j)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        if (names_canonical(j->names, i) != i)
            continue;
        status = find_family(j, i, &clones->function[i]);
        if (status == STATUS_OK)
            status = add_member(j, clones->function[i], i);
    }
    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        const struct family *family = &j->families[clones->function[i]];

        clones->function[i] =
            names_canonical(j->names, i) == i && !family->apart ? family->first : i;
    }
    return status;
}

/* Fills clones->module: the first module of a class stands for it. */
static enum status join_modules(struct clone_match *clones, const struct joiner *j)
{
    struct map first = {0};
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        const struct module *module = names_function(j->names, i)->module;
        const uint64_t *known =
            map_put(&first, module_match_class(&j->modules, module), (uintptr_t)module);

        if (known)
            clones->module[i] = (const struct module *)(uintptr_t)*known;
        else
            status = STATUS_NO_MEMORY;
    }
    map_deinit(&first);
    return status;
}

enum status clone_match_init(struct clone_match *clones, const struct profile *profile)
{
    const size_t count = names_function_count(profile->names);
    struct joiner j = {.names = profile->names,
                       .families = calloc(count + 1, sizeof(*j.families)),
                       .members = calloc(count + 1, sizeof(*j.members))};
    enum status status = STATUS_NO_MEMORY;

    *clones = (struct clone_match){.function = calloc(count + 1, sizeof(*clones->function)),
                                   .module = calloc(count + 1, sizeof(*clones->module)),
                                   .count = count};
    if (j.families && j.members && clones->function && clones->module)
        status = module_match_init(&j.modules, profile);
    if (status == STATUS_OK)
        status = join(clones, &j);
    if (status == STATUS_OK)
        status = join_modules(clones, &j);
    free(j.families);
    free(j.members);
    index_deinit(&j.family_index);
    index_deinit(&j.member_index);
    module_match_deinit(&j.modules);
    if (status != STATUS_OK)
        clone_match_deinit(clones);
    return status;
}

void clone_match_deinit(struct clone_match *clones)
{
    free(clones->function);
    free(clones->module);
    *clones = (struct clone_match){0};
}
