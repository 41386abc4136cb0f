/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/unit_scopes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"
#include "symbol/dwarf/die.h"

#define SCOPE_UNIT 0 /* stands for the unit, which holds all */

struct unit_scopes {
    struct scope *list; /* by offset; the first one is the unit */
    size_t count, cap;
};

struct scope_walk {
    struct unit_scopes *scopes;
    const struct abbrev_table *abbrevs;
    size_t max;
    struct cursor c; /* of the next DIE */
    size_t depth;
    uint32_t around[UNIT_SCOPES_DEPTH_MAX]; /* by depth: the scope that the DIEs there are in */
};

static enum status add_scope(struct unit_scopes *scopes, const struct scope *scope)
{
    if (vec_reserve(&scopes->list, &scopes->cap, scopes->count + 1, sizeof(*scopes->list)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    scopes->list[scopes->count++] = *scope;
    return STATUS_OK;
}

static bool is_scope(const struct abbrev *abbrev)
{
    switch ((enum die_kind)abbrev->kind) {
    case DIE_RECORD:
    case DIE_NAMESPACE:
    case DIE_FUNCTION:
        return abbrev->has_children;
    case DIE_UNIT:
    case DIE_INLINED:
    case DIE_TYPE:
    case DIE_PASSED:
        break;
    }
    return false;
}

/* Enters the current DIE, a scope in *scope, which becomes that scope. False: damaged. */
static bool enter(struct scope_walk *walk, const struct abbrev *abbrev, uint64_t off,
                  uint32_t *scope, enum status *status)
{
    struct unit_scopes *scopes = walk->scopes;
    struct scope inner = {.off = off, .end_off = walk->c.size, .parent = *scope};

    if (scopes->count >= walk->max || walk->depth + 1 >= UNIT_SCOPES_DEPTH_MAX)
        return abbrev_skip(walk->abbrevs, abbrev, &walk->c);
    if (!abbrev_skip(walk->abbrevs, abbrev, &walk->c))
        return false;
    *scope = (uint32_t)scopes->count;
    *status = add_scope(scopes, &inner);
    return true;
}

/* Ends the current list of children. */
static void leave(struct scope_walk *walk)
{
    uint32_t inner;

    if (walk->depth-- >= UNIT_SCOPES_DEPTH_MAX)
        return;
    inner = walk->around[walk->depth + 1];
    if (inner != walk->around[walk->depth])
        walk->scopes->list[inner].end_off = walk->c.pos;
}

/* Walks all DIEs of the unit, each once and in their order, up to damage. */
static enum status walk_unit(struct scope_walk *walk)
{
    enum status status = STATUS_OK;
    const struct abbrev *abbrev;
    uint64_t off, code;
    uint32_t scope;

    do {
        off = walk->c.pos;
        if (!cursor_uleb(&walk->c, &code))
            break;
        if (code == 0) {
            if (walk->depth > 0)
                leave(walk);
            continue;
        }
        abbrev = abbrev_find(walk->abbrevs, code);
        if (!abbrev)
            break;
        scope = walk->around[walk->depth < UNIT_SCOPES_DEPTH_MAX ? walk->depth
                                                                 : UNIT_SCOPES_DEPTH_MAX - 1];
        if (!(is_scope(abbrev) ? enter(walk, abbrev, off, &scope, &status)
                               : abbrev_skip(walk->abbrevs, abbrev, &walk->c)))
            break;
        if (abbrev->has_children && ++walk->depth < UNIT_SCOPES_DEPTH_MAX)
            walk->around[walk->depth] = scope;
    } while (status == STATUS_OK && walk->depth > 0);
    return status;
}

enum status unit_scopes_create(struct dwarf_file *file, struct dwarf_unit *unit, size_t max,
                               struct unit_scopes **out)
{
    struct unit_scopes *scopes = calloc(1, sizeof(*scopes));
    struct scope_walk *walk = calloc(1, sizeof(*walk));
    const struct scope whole = {.off = unit->off, .end_off = unit->end_off};
    enum status status = scopes && walk ? add_scope(scopes, &whole) : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        walk->scopes = scopes;
        walk->max = max < UINT32_MAX ? max : UINT32_MAX;
        walk->abbrevs = dwarf_abbrevs(file, unit);
        walk->c = dwarf_section_at(file, DWARF_INFO, unit->off + unit->header_size);
        walk->c.size = (size_t)unit->end_off;
        if (walk->abbrevs)
            status = walk_unit(walk);
    }
    free(walk);
    if (status != STATUS_OK) {
        unit_scopes_destroy(scopes);
        return status;
    }
    *out = scopes;
    return STATUS_OK;
}

void unit_scopes_destroy(struct unit_scopes *scopes)
{
    if (!scopes)
        return;
    free(scopes->list);
    free(scopes);
}

size_t unit_scopes_count(const struct unit_scopes *scopes)
{
    return scopes->count;
}

const struct scope *unit_scopes_around(const struct unit_scopes *scopes, uint64_t off)
{
    size_t at = SEARCH_FIRST(i, 1, scopes->count, scopes->list[i].off < off) - 1;

    while (at != SCOPE_UNIT && scopes->list[at].end_off <= off)
        at = scopes->list[at].parent;
    return at == SCOPE_UNIT ? NULL : &scopes->list[at];
}
