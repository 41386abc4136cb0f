/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/qualified.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "symbol/dwarf/unit_scopes.h"

struct qualifier {
    struct map units; /* address of a dwarf_unit → that of its unit_scopes */
    size_t scopes_left;
    struct arena names;
};

/* A name, written from its end on. */
struct path {
    char text[QUALIFIED_NAME_MAX + 1];
    size_t at; /* its beginning */
};

enum status qualifier_create(struct qualifier **out)
{
    struct qualifier *qualifier = calloc(1, sizeof(*qualifier));

    if (!qualifier)
        return STATUS_NO_MEMORY;
    map_init(&qualifier->units);
    arena_init(&qualifier->names);
    qualifier->scopes_left = QUALIFIED_SCOPES_MAX;
    *out = qualifier;
    return STATUS_OK;
}

void qualifier_destroy(struct qualifier *qualifier)
{
    uint64_t unit, scopes;
    size_t at = 0;

    if (!qualifier)
        return;
    while (map_next(&qualifier->units, &at, &unit, &scopes))
        unit_scopes_destroy((struct unit_scopes *)(uintptr_t)scopes);
    map_deinit(&qualifier->units);
    arena_deinit(&qualifier->names);
    free(qualifier);
}

/* The scopes of a unit, read once. */
static enum status scopes_of(struct qualifier *qualifier, struct dwarf_file *file,
                             struct dwarf_unit *unit, const struct unit_scopes **out)
{
    const uint64_t key = (uintptr_t)unit;
    const uint64_t *known = map_get(&qualifier->units, key);
    struct unit_scopes *scopes;
    enum status status;

    if (known) {
        *out = (const struct unit_scopes *)(uintptr_t)*known;
        return STATUS_OK;
    }
    status = unit_scopes_create(file, unit, qualifier->scopes_left, &scopes);
    if (status != STATUS_OK)
        return status;
    if (!map_put(&qualifier->units, key, (uintptr_t)scopes)) {
        unit_scopes_destroy(scopes);
        return STATUS_NO_MEMORY;
    }
    if (unit_scopes_count(scopes) >= qualifier->scopes_left) {
        file->cut_short = true;
        qualifier->scopes_left = 0;
    } else {
        qualifier->scopes_left -= unit_scopes_count(scopes);
    }
    *out = scopes;
    return STATUS_OK;
}

/* Puts the text and the separator in front of the path. False: too long. */
static bool prepend(struct path *path, const char *text, const char *separator)
{
    const size_t len = strlen(text), more = strlen(separator);

    if (len > path->at || more > path->at - len)
        return false;
    path->at -= more;
    memcpy(path->text + path->at, separator, more);
    path->at -= len;
    memcpy(path->text + path->at, text, len);
    return true;
}

static uint64_t number_or_zero(const struct die *die, enum die_slot slot)
{
    return die_has(&die->values, slot) ? die->values.value[slot].number : 0;
}

/* Prepends {lambda at 18:12}: a record without name, by its line and column, as far as known. */
static bool prepend_nameless(struct path *path, const char *what, const struct die *die)
{
    const uint64_t line = number_or_zero(die, SLOT_DECL_LINE);
    const uint64_t column = number_or_zero(die, SLOT_DECL_COLUMN);
    char made_up[64];

    if (line && column)
        snprintf(made_up, sizeof(made_up), "{%s at %" PRIu64 ":%" PRIu64 "}", what, line, column);
    else if (line)
        snprintf(made_up, sizeof(made_up), "{%s at %" PRIu64 "}", what, line);
    else
        snprintf(made_up, sizeof(made_up), "{%s}", what);
    return prepend(path, made_up, "::");
}

/* Does the name make a record without name a lambda? So does one of its instances. */
static bool is_call(const char *name)
{
    static const char call[] = "operator()";

    return name && strncmp(name, call, sizeof(call) - 1) == 0;
}

/* Prepends the name of `die`, the scope around `at`; makes `at` its declaration. False: no room. */
static bool put_scope(struct path *path, const struct die *die, struct declaration *at)
{
    const char *of_what = is_call(at->name) ? "lambda" : "unnamed";

    if (!die_declaration(die->file, die->off, at))
        return true;
    if (at->name)
        return prepend(path, at->name, "::");
    if (die->kind == DIE_NAMESPACE)
        return prepend(path, "(anonymous namespace)", "::");
    return prepend_nameless(path, of_what, die);
}

/* Writes the whole name. *fits is false: it is too long, or in too many scopes. */
static enum status write_path(struct qualifier *qualifier, struct declaration at, struct path *path,
                              bool *fits)
{
    const struct unit_scopes *scopes;
    const struct scope *scope;
    struct dwarf_unit *unit;
    enum status status;
    struct die die;

    path->at = sizeof(path->text) - 1;
    path->text[path->at] = '\0';
    *fits = prepend(path, at.name, "");
    for (unsigned i = 0; *fits; i++) {
        unit = dwarf_unit_at(at.file, at.off);
        if (!unit)
            return STATUS_OK;
        status = scopes_of(qualifier, at.file, unit, &scopes);
        if (status != STATUS_OK)
            return status;
        scope = unit_scopes_around(scopes, at.off);
        if (!scope || !die_read(at.file, scope->off, &die))
            return STATUS_OK;
        *fits = i < QUALIFIERS_MAX && put_scope(path, &die, &at);
    }
    return STATUS_OK;
}

enum status qualifier_name(struct qualifier *qualifier, const struct declaration *declaration,
                           const char **out)
{
    struct path path;
    bool fits;
    enum status status = write_path(qualifier, *declaration, &path, &fits);
    size_t len = sizeof(path.text) - 1 - path.at;

    *out = declaration->name;
    if (status != STATUS_OK || !fits || len == strlen(declaration->name))
        return status;
    if (qualifier->names.total + len > QUALIFIED_NAMES_BUDGET) {
        declaration->file->cut_short = true;
        return STATUS_OK;
    }
    *out = arena_join(&qualifier->names, path.text + path.at, len, "");
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}
