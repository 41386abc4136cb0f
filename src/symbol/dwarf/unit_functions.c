/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/unit_functions.h"

#include <stdbool.h>
#include <stdlib.h>

#include <dwarf.h>

#include "base/interval.h"
#include "base/map.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "symbol/dwarf/die.h"
#include "symbol/dwarf/die_ranges.h"

/* DW_LANG_C_plus_plus_17 and _20, which an older dwarf.h does not have. */
enum { LANGUAGE_CXX_17 = 0x2a, LANGUAGE_CXX_20 = 0x2b };

struct unit_functions {
    struct function_node *nodes;
    size_t count, cap;
    struct interval_set *ranges;     /* → index in nodes */
    struct function_origin *origins; /* of the nodes that were asked for */
    size_t origin_count, origin_cap;
    struct map origin_ids;   /* name_off → index in origins */
    struct sort_item *reals; /* real functions by name_off; NULL: not needed so far */
    size_t real_count;
    bool is_qualified; /* functions have full names */
};

struct scope_level {   /* of the DIE tree, during the walk */
    uint32_t function; /* the node that encloses the DIEs here */
    uint8_t nesting;   /* how many functions enclose them */
};

struct unit_walk {
    struct dwarf_file *file;
    struct dwarf_unit *unit;
    const struct abbrev_table *abbrevs;
    struct unit_functions *functions;
    struct interval *intervals;
    size_t interval_count, interval_cap;
    bool in_c;       /* records hold no functions */
    uint32_t node;   /* whose ranges are being read */
    uint8_t nesting; /* deeper nodes win over those they are inlined into */
    struct cursor c; /* of the next DIE */
    size_t depth;
    struct scope_level levels[UNIT_FUNCTIONS_DEPTH_MAX];
    struct die_values values; /* of the DIE at hand */
};

static enum status add_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct unit_walk *walk = context;
    struct function_node *node = &walk->functions->nodes[walk->node];

    if (walk->interval_count >= UNIT_RANGES_MAX) {
        walk->file->cut_short = true;
        return STATUS_OK;
    }
    if (vec_reserve(&walk->intervals, &walk->interval_cap, walk->interval_count + 1,
                    sizeof(*walk->intervals)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (node->start_vaddr == 0)
        node->start_vaddr = start_vaddr;
    walk->intervals[walk->interval_count++] =
        (struct interval){.start = start_vaddr,
                          .end = end_vaddr,
                          .id = walk->node,
                          .group = (uint8_t)(UINT8_MAX - walk->nesting)};
    return STATUS_OK;
}

static uint32_t number_or(const struct die_values *values, enum die_slot slot, uint32_t missing)
{
    const struct form_value *value = &values->value[slot];

    return die_has(values, slot) && value->class == FORM_CONSTANT && value->number < UINT32_MAX
               ? (uint32_t)value->number
               : missing;
}

/* False for declarations, functions that are only inlined, and inlined ones without code left. */
static bool has_code(const struct die_values *values)
{
    return die_has(values, SLOT_HIGH_PC) || die_has(values, SLOT_RANGES);
}

/*
 * The DIE to begin with for the name: copies, most of all, have none themselves. After LTO they
 * refer to other units.
 */
static uint64_t name_off(const struct unit_walk *walk, uint64_t die_off)
{
    const struct form_value *origin = &walk->values.value[SLOT_ORIGIN];
    uint64_t off;

    if (!die_has(&walk->values, SLOT_ORIGIN) || die_has(&walk->values, SLOT_NAME) ||
        die_has(&walk->values, SLOT_LINKAGE_NAME))
        return die_off;
    if (origin->class == FORM_REF)
        return origin->number + walk->unit->bases.info_off;
    if (origin->class != FORM_UNIT_REF ||
        __builtin_add_overflow(origin->number, walk->unit->off, &off) || off >= walk->c.size)
        return die_off;
    return off;
}

/* Adds a node for a function or an inlined one; *level becomes that of its children. */
static enum status visit_function(struct unit_walk *walk, uint64_t die_off, bool is_inline,
                                  struct scope_level *level)
{
    struct dwarf_file *payer = dwarf_code_file(walk->file);
    struct unit_functions *functions = walk->functions;
    const struct die_values *values = &walk->values;
    struct function_node node = {.name_off = name_off(walk, die_off),
                                 .origin = FUNCTION_NONE,
                                 .parent = FUNCTION_NONE};

    if (functions->count >= UNIT_FUNCTIONS_MAX || payer->function_budget == 0) {
        payer->cut_short = true;
        return STATUS_OK;
    }
    payer->function_budget--;
    if (is_inline) {
        node.parent = level->function;
        node.call_line = number_or(values, SLOT_CALL_LINE, 0);
        node.call_file = number_or(values, SLOT_CALL_FILE, UINT32_MAX);
    }
    if (vec_reserve(&functions->nodes, &functions->cap, functions->count + 1, sizeof(node)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    walk->node = (uint32_t)functions->count;
    walk->nesting = node.parent == FUNCTION_NONE ? 0 : level->nesting;
    functions->nodes[functions->count++] = node;
    level->function = walk->node;
    level->nesting = (uint8_t)(walk->nesting + 1); /* at most the depth, which is below 255 */
    return die_ranges(walk->file, walk->unit, values, add_range, walk);
}

/*
 * Skips the children of the current DIE by its DW_AT_sibling, which a damaged file may have
 * anywhere. False: they must be walked.
 */
static bool skip_children(struct unit_walk *walk)
{
    const struct form_value *value = &walk->values.value[SLOT_SIBLING];
    uint64_t off;

    if (!die_has(&walk->values, SLOT_SIBLING) || value->class != FORM_UNIT_REF ||
        __builtin_add_overflow(value->number, walk->unit->off, &off) || off <= walk->c.pos ||
        off > walk->c.size)
        return false;
    walk->c.pos = (size_t)off;
    return true;
}

/*
 * Visits the current DIE, with the cursor at its attributes. *level: of the DIE, then of its
 * children; *inside: these come next. False: damaged.
 */
static bool visit(struct unit_walk *walk, const struct abbrev *abbrev, uint64_t die_off,
                  struct scope_level *level, bool *inside, enum status *status)
{
    enum die_kind kind = (enum die_kind)abbrev->kind;

    *inside = abbrev->has_children;
    if (walk->depth >= UNIT_FUNCTIONS_DEPTH_MAX) {
        walk->file->cut_short |= kind == DIE_FUNCTION || kind == DIE_INLINED;
        return abbrev_skip(walk->abbrevs, abbrev, &walk->c);
    }
    switch (kind) {
    case DIE_PASSED:
    case DIE_NAMESPACE:
    case DIE_UNIT:
        return abbrev_skip(walk->abbrevs, abbrev, &walk->c);
    case DIE_RECORD:
    case DIE_TYPE:
        if (!*inside || (kind == DIE_RECORD && !walk->in_c))
            return abbrev_skip(walk->abbrevs, abbrev, &walk->c);
        if (!abbrev_read(walk->abbrevs, abbrev, &walk->c, &walk->values))
            return false;
        *inside = !skip_children(walk);
        return true;
    case DIE_FUNCTION:
    case DIE_INLINED:
        if (!abbrev_read(walk->abbrevs, abbrev, &walk->c, &walk->values))
            return false;
        if (has_code(&walk->values))
            *status = visit_function(walk, die_off, kind == DIE_INLINED, level);
        return true;
    }
    return false;
}

/* Walks all DIEs of the unit, each once and in their order, up to damage. */
static enum status walk_unit(struct unit_walk *walk)
{
    enum status status = STATUS_OK;
    struct scope_level level = {.function = FUNCTION_NONE};
    const struct abbrev *abbrev;
    uint64_t die_off, code;
    bool inside;

    do {
        die_off = walk->c.pos;
        if (!cursor_uleb(&walk->c, &code))
            break;
        if (code == 0) { /* the end of a list of children */
            if (walk->depth > 0 && --walk->depth < UNIT_FUNCTIONS_DEPTH_MAX)
                level = walk->levels[walk->depth];
            continue;
        }
        abbrev = abbrev_find(walk->abbrevs, code);
        if (walk->depth < UNIT_FUNCTIONS_DEPTH_MAX)
            walk->levels[walk->depth] = level;
        if (!abbrev || !visit(walk, abbrev, die_off, &level, &inside, &status))
            break;
        if (inside)
            walk->depth++;
        else if (walk->depth < UNIT_FUNCTIONS_DEPTH_MAX)
            level = walk->levels[walk->depth];
    } while (status == STATUS_OK && walk->depth > 0);
    return status;
}

/* Is the unit in any version of C? Then types hold only members. */
static bool is_c(const struct die_values *values)
{
    switch (number_or(values, SLOT_LANGUAGE, 0)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
        return true;
    default:
        return false;
    }
}

/* Does the language have functions in namespaces and records, with linkage names that say so? */
static bool is_qualified(const struct die_values *values)
{
    switch (number_or(values, SLOT_LANGUAGE, 0)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case LANGUAGE_CXX_17:
    case LANGUAGE_CXX_20:
    case DW_LANG_Rust:
        return true;
    default:
        return false;
    }
}

/* Begins the walk at the unit's own DIE. False: that cannot be read. */
static bool begin(struct unit_walk *walk)
{
    struct die die;

    if (!die_read_unit(walk->file, walk->unit, &die))
        return false;
    walk->in_c = is_c(&die.values);
    walk->functions->is_qualified = is_qualified(&die.values);
    walk->abbrevs = dwarf_abbrevs(walk->file, walk->unit);
    walk->c = dwarf_section_at(walk->file, DWARF_INFO, walk->unit->off + walk->unit->header_size);
    walk->c.size = (size_t)walk->unit->end_off;
    return walk->abbrevs != NULL;
}

enum status unit_functions_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                  struct unit_functions **out)
{
    struct unit_functions *functions = calloc(1, sizeof(*functions));
    struct unit_walk *walk = calloc(1, sizeof(*walk));
    enum status status = functions && walk ? STATUS_OK : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        walk->file = file;
        walk->unit = unit;
        walk->functions = functions;
        map_init(&functions->origin_ids);
        if (begin(walk))
            status = walk_unit(walk);
    }
    if (status == STATUS_OK)
        status = interval_sort(walk->intervals, walk->interval_count);
    if (status == STATUS_OK)
        status = interval_set_create(walk->intervals, walk->interval_count, &functions->ranges);
    if (walk)
        free(walk->intervals);
    free(walk);
    if (status != STATUS_OK) {
        unit_functions_destroy(functions);
        return status;
    }
    *out = functions;
    return STATUS_OK;
}

void unit_functions_destroy(struct unit_functions *functions)
{
    if (!functions)
        return;
    interval_set_destroy(functions->ranges);
    free(functions->nodes);
    free(functions->origins);
    map_deinit(&functions->origin_ids);
    free(functions->reals);
    free(functions);
}

uint32_t unit_functions_find(const struct unit_functions *functions, uint64_t vaddr)
{
    uint32_t id;

    if (interval_set_find(functions->ranges, vaddr, &id) != STATUS_OK)
        return FUNCTION_NONE;
    return id;
}

const struct function_node *unit_functions_node(const struct unit_functions *functions,
                                                uint32_t index)
{
    return &functions->nodes[index];
}

/* Makes functions->reals for find_real. */
static enum status sort_reals(struct unit_functions *functions)
{
    struct sort_item *reals = malloc((functions->count + 1) * sizeof(*reals));
    size_t count = 0;
    enum status status;

    if (!reals)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < functions->count; i++)
        if (functions->nodes[i].parent == FUNCTION_NONE)
            reals[count++] =
                (struct sort_item){.key = functions->nodes[i].name_off, .id = (uint32_t)i};
    status = sort_items(reals, count);
    if (status != STATUS_OK) {
        free(reals);
        return status;
    }
    functions->reals = reals;
    functions->real_count = count;
    return STATUS_OK;
}

/* Finds where the real function with the same name_off starts; 0: none. */
static enum status find_real(struct unit_functions *functions, uint64_t off, uint64_t *vaddr)
{
    enum status status = functions->reals ? STATUS_OK : sort_reals(functions);
    size_t at;

    *vaddr = 0;
    if (status != STATUS_OK)
        return status;
    at = SEARCH_FIRST(i, 0, functions->real_count, functions->reals[i].key < off);
    if (at < functions->real_count && functions->reals[at].key == off)
        *vaddr = functions->nodes[functions->reals[at].id].start_vaddr;
    return STATUS_OK;
}

static enum status make_origin(struct unit_functions *functions, struct dwarf_file *file,
                               struct qualifier *qualifier, uint64_t off,
                               struct function_origin *out)
{
    struct declaration declaration;
    enum status status;

    *out = (struct function_origin){.name = NULL};
    if (!die_declaration(file, off, &declaration))
        return STATUS_OK;
    out->name = declaration.linkage_name;
    if (out->name)
        return STATUS_OK;
    out->name = declaration.name;
    status = find_real(functions, off, &out->real_vaddr);
    if (status == STATUS_OK && out->name && functions->is_qualified)
        status = qualifier_name(qualifier, &declaration, &out->name);
    return status;
}

enum status unit_functions_origin(struct unit_functions *functions, struct dwarf_file *file,
                                  struct qualifier *qualifier, uint32_t index,
                                  const struct function_origin **out)
{
    struct function_node *node = &functions->nodes[index];
    enum status status = STATUS_OK;
    struct function_origin origin;
    uint64_t *known;

    if (node->origin == FUNCTION_NONE) {
        known = map_put(&functions->origin_ids, node->name_off, functions->origin_count);
        if (!known)
            return STATUS_NO_MEMORY;
        if (*known == functions->origin_count) {
            status = vec_reserve(&functions->origins, &functions->origin_cap,
                                 functions->origin_count + 1, sizeof(origin));
            if (status == STATUS_OK)
                status = make_origin(functions, file, qualifier, node->name_off, &origin);
            if (status != STATUS_OK)
                return status;
            functions->origins[functions->origin_count++] = origin;
        }
        node->origin = (uint32_t)*known;
    }
    *out = &functions->origins[node->origin];
    return STATUS_OK;
}
