/* SPDX-License-Identifier: MIT */
#include "graph/clone_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/text.h"

/* The functions of one name in modules of one file name, of which the first was met first. */
struct family {
    uint32_t first;
    uint32_t in_first_module; /* how many of them lie in the first one's module */
};

static const char *file_of(const struct function *function)
{
    return function->module ? text_basename(function->module->path) : "";
}

static bool same_build(const struct module *a, const struct module *b)
{
    return a == b || (a && b && a->build_id_size > 0 && a->build_id_size == b->build_id_size &&
                      memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

/* What has no name has an address for one, which in another build is another function's. */
static bool same_family(const struct function *a, const struct function *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(file_of(a), file_of(b)) == 0 &&
           (a->has_name || same_build(a->module, b->module));
}

static enum status find_family(const struct names *names, struct index *index,
                               struct family *families, size_t *count, uint32_t function,
                               uint32_t *out)
{
    const struct function *f = names_function(names, function);
    uint64_t hash = hash_words(hash_text(f->name), hash_text(file_of(f)));
    struct index_probe probe = index_find(index, hash);

    while (index_next(&probe, out))
        if (same_family(names_function(names, families[*out].first), f))
            return STATUS_OK;
    *out = (uint32_t)*count;
    if (index_add(index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    families[(*count)++] = (struct family){.first = function};
    return STATUS_OK;
}

/* Fills clones->function with each function's family, then with who stands for it. */
static enum status join(struct clone_match *clones, const struct names *names,
                        struct family *families)
{
    struct index index = {0};
    size_t family_count = 0;
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        uint32_t id;

        if (names_canonical(names, i) != i)
            continue;
        status = find_family(names, &index, families, &family_count, i, &id);
        if (status != STATUS_OK)
            break;
        clones->function[i] = id;
        families[id].in_first_module +=
            names_function(names, i)->module == names_function(names, families[id].first)->module;
    }
    index_deinit(&index);
    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        const struct family *family = &families[clones->function[i]];

        clones->function[i] =
            names_canonical(names, i) == i && family->in_first_module == 1 ? family->first : i;
    }
    return status;
}

/* The first module of a file name stands for all of that name. */
static enum status join_modules(struct clone_match *clones, const struct names *names)
{
    struct index index = {0};
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < clones->count && status == STATUS_OK; i++) {
        const struct function *f = names_function(names, i);
        uint64_t hash = hash_text(file_of(f));
        struct index_probe probe = index_find(&index, hash);
        uint32_t first = i;
        bool known = false;

        while (!known && index_next(&probe, &first))
            known = strcmp(file_of(names_function(names, first)), file_of(f)) == 0;
        if (!known)
            status = index_add(&index, hash, first = i);
        clones->module[i] = names_function(names, first)->module;
    }
    index_deinit(&index);
    return status;
}

enum status clone_match_init(struct clone_match *clones, const struct names *names)
{
    size_t count = names_function_count(names);
    struct family *families = calloc(count + 1, sizeof(*families));
    enum status status = STATUS_NO_MEMORY;

    *clones = (struct clone_match){.function = calloc(count + 1, sizeof(*clones->function)),
                                   .module = calloc(count + 1, sizeof(*clones->module)),
                                   .count = count};
    if (families && clones->function && clones->module)
        status = join(clones, names, families);
    if (status == STATUS_OK)
        status = join_modules(clones, names);
    free(families);
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
