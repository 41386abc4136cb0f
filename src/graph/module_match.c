/* SPDX-License-Identifier: MIT */
#include "graph/module_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The profiles that something is in; bits. */
enum { SIDE_NOW = 1, SIDE_BASE = 2 };

#define FILE_NONE UINT32_MAX

/* Key of the main program: no file has this name. */
static const char main_program[] = "/";

struct module_seen {
    const struct module *module; /* NULL: it has no functions */
    uint32_t file, key;          /* ids of texts: the file's name; its key for comparison */
    uint8_t sides;
};

struct key_use {        /* by id of the key's text */
    uint32_t now, base; /* files with this key, or FILE_NONE */
    bool mixes;         /* several files of one side have the key */
};

struct matcher {
    const struct profile *profile;
    struct module_seen *modules; /* by the module's id */
    size_t count;
    struct pool texts;
    struct key_use *keys;
    bool has_programs; /* both main programs are among the modules */
};

static enum status find_modules(struct matcher *m)
{
    const struct names *names = m->profile->names;
    const size_t function_count = names_function_count(names);

    for (uint32_t i = 0; i < function_count; i++) {
        const struct module *module = names_function(names, i)->module;

        if (module && module->id >= m->count)
            m->count = (size_t)module->id + 1;
    }
    m->modules = calloc(m->count + 1, sizeof(*m->modules));
    if (!m->modules)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < function_count; i++) {
        const struct module *module = names_function(names, i)->module;

        if (module)
            m->modules[module->id].module = module;
    }
    return STATUS_OK;
}

/* Notes which profiles each module is in. A path's sides are those of all paths through it. */
static enum status find_sides(struct matcher *m)
{
    const struct profile *profile = m->profile;
    const struct trie *trie = &profile->trie;
    uint8_t *sides = calloc(trie->len + 1, 1);

    if (!sides)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->cell_count; i++)
        sides[profile->chains[profile->cells[i].chain].leaf] |=
            profile->cells[i].is_base ? SIDE_BASE : SIDE_NOW;
    for (size_t i = trie->len; i-- > 1;) {
        const struct module *module = profile->frames[trie->nodes[i].key].module;

        sides[trie->nodes[i].parent] |= sides[i];
        if (module && module->id < m->count)
            m->modules[module->id].sides |= sides[i];
    }
    free(sides);
    return STATUS_OK;
}

/* Returns the length of the name, of a library's without its version. */
static size_t versionless(const char *name)
{
    const char *at = strstr(name, ".so.");

    return at ? (size_t)(at - name) + 3 : strlen(name);
}

static bool is_program(const struct module_seen *seen, uint8_t side, const char *program)
{
    return seen->sides & side && program && strcmp(seen->module->file.path, program) == 0;
}

static void find_programs(struct matcher *m)
{
    uint8_t sides = 0;

    for (size_t i = 0; i < m->count; i++) {
        if (is_program(&m->modules[i], SIDE_NOW, m->profile->program))
            sides |= SIDE_NOW;
        if (is_program(&m->modules[i], SIDE_BASE, m->profile->base_program))
            sides |= SIDE_BASE;
    }
    m->has_programs = sides == (SIDE_NOW | SIDE_BASE);
}

static enum status name_module(struct matcher *m, struct module_seen *seen)
{
    const char *file = text_basename(seen->module->file.path);
    enum status status = pool_intern(&m->texts, file, &seen->file);
    char *key;

    if (status != STATUS_OK)
        return status;
    if (m->has_programs && (is_program(seen, SIDE_NOW, m->profile->program) ||
                            is_program(seen, SIDE_BASE, m->profile->base_program)))
        return pool_intern(&m->texts, main_program, &seen->key);
    key = strndup(file, versionless(file));
    status = key ? pool_intern(&m->texts, key, &seen->key) : STATUS_NO_MEMORY;
    free(key);
    return status;
}

static void use_key(struct key_use *key, uint32_t *side, uint32_t file)
{
    if (*side == FILE_NONE)
        *side = file;
    key->mixes |= *side != file;
}

static enum status use_keys(struct matcher *m)
{
    m->keys = calloc(m->texts.len + 1, sizeof(*m->keys));
    if (!m->keys)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < m->texts.len; i++)
        m->keys[i] = (struct key_use){.now = FILE_NONE, .base = FILE_NONE};
    for (size_t i = 0; i < m->count; i++) {
        const struct module_seen *seen = &m->modules[i];
        struct key_use *key = &m->keys[seen->key];

        if (!seen->module)
            continue;
        if (seen->sides & SIDE_NOW)
            use_key(key, &key->now, seen->file);
        if (seen->sides & SIDE_BASE)
            use_key(key, &key->base, seen->file);
    }
    return STATUS_OK;
}

static enum status match_modules(struct matcher *m, uint32_t *classes)
{
    enum status status = STATUS_OK;

    find_programs(m);
    for (size_t i = 0; i < m->count && status == STATUS_OK; i++)
        if (m->modules[i].module)
            status = name_module(m, &m->modules[i]);
    if (status == STATUS_OK)
        status = use_keys(m);
    for (size_t i = 0; i < m->count && status == STATUS_OK; i++) {
        const struct module_seen *seen = &m->modules[i];

        if (seen->module)
            classes[i] = m->keys[seen->key].mixes ? seen->file : seen->key;
    }
    return status;
}

enum status module_match_init(struct module_match *match, const struct profile *profile)
{
    struct matcher m = {.profile = profile};
    enum status status;

    *match = (struct module_match){.classes = NULL};
    pool_init(&m.texts);
    status = find_modules(&m);
    if (status == STATUS_OK)
        status = find_sides(&m);
    if (status == STATUS_OK) {
        match->count = m.count;
        match->classes = calloc(m.count + 1, sizeof(*match->classes));
        status = match->classes ? match_modules(&m, match->classes) : STATUS_NO_MEMORY;
    }
    free(m.modules);
    free(m.keys);
    pool_deinit(&m.texts);
    if (status != STATUS_OK)
        module_match_deinit(match);
    return status;
}

void module_match_deinit(struct module_match *match)
{
    free(match->classes);
    *match = (struct module_match){.classes = NULL};
}
