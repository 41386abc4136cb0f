#include "symbol/unit_functions.h"

#include <stdlib.h>

#include "base/vec.h"
#include "symbol/interval.h"

/*
 * DW_AT_abstract_origin of a concrete function, then DW_AT_specification of that …: no compiler
 * needs more.
 */
#define REFERENCES_MAX 8

struct unit_functions {
    struct function_node *nodes;
    size_t count, cap;
    struct interval_set *ranges; /* → index in nodes */
};

struct level { /* of the DIE tree, while it is walked */
    Dwarf_Die die;
    Dwarf_Off off;
    uint32_t function; /* the node that encloses the DIE */
};

struct walk {
    struct dwarf_file *file;
    struct unit_functions *functions;
    struct interval *intervals;
    size_t interval_count, interval_cap;
    const struct unit_bases *bases;
    uint32_t node;   /* whose ranges are being read */
    uint8_t nesting; /* deeper nodes win over those they are inlined into */
    struct level levels[UNIT_FUNCTIONS_DEPTH_MAX];
    unsigned depth;
    Dwarf_Off last_off; /* where the DIE before was */
};

static enum status add_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct walk *walk = context;
    struct function_node *node = &walk->functions->nodes[walk->node];

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

/*
 * How many functions enclose a node. Nesting is at most the depth of the tree, which is below 255.
 */
static uint8_t nesting_of(const struct unit_functions *functions, uint32_t parent)
{
    uint8_t nesting = 0;

    for (; parent != FUNCTION_NONE && nesting < UNIT_FUNCTIONS_DEPTH_MAX; nesting++)
        parent = functions->nodes[parent].parent;
    return nesting;
}

/* Notes a function or an inlined one; *function becomes its node. */
static enum status visit_function(struct walk *walk, Dwarf_Die die, Dwarf_Half tag,
                                  uint32_t *function)
{
    struct unit_functions *functions = walk->functions;
    bool is_inline = tag == DW_TAG_inlined_subroutine;
    struct function_node node = {.parent = is_inline ? *function : FUNCTION_NONE};
    uint64_t line;
    Dwarf_Off off;

    if (functions->count >= UNIT_FUNCTIONS_MAX ||
        !dwarf_ok(walk->file, dwarf_dieoffset(die, &off, &walk->file->error)))
        return STATUS_OK;
    node.die_off = off;
    if (is_inline) {
        if (die_number(walk->file, die, DW_AT_call_line, &line) && line <= UINT32_MAX)
            node.call_line = (uint32_t)line;
        if (!die_number(walk->file, die, DW_AT_call_file, &node.call_file))
            node.call_file = UINT64_MAX;
    }
    if (vec_reserve(&functions->nodes, &functions->cap, functions->count + 1, sizeof(node)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    walk->node = (uint32_t)functions->count;
    walk->nesting = nesting_of(functions, node.parent);
    functions->nodes[functions->count++] = node;
    *function = walk->node;
    return die_ranges(walk->file, walk->bases, die, add_range, walk);
}

/* Goes to the first child of the DIE on top. False: it has none. */
static bool descend(struct walk *walk, uint32_t function)
{
    Dwarf_Die child;

    if (!dwarf_ok(walk->file,
                  dwarf_child(walk->levels[walk->depth - 1].die, &child, &walk->file->error)))
        return false;
    walk->levels[walk->depth++] = (struct level){.die = child, .function = function};
    return true;
}

/*
 * Goes to the next DIE that is no child of the one on top; false at the end of the unit. To find
 * it, libdwarf goes over all that lies below the one on top once more: that is paid for here.
 */
static bool next_sibling(struct walk *walk)
{
    struct dwarf_file *file = walk->file;

    while (walk->depth > 1) { /* the unit's own DIE is the caller's */
        struct level *level = &walk->levels[walk->depth - 1];
        bool paid = dwarf_spend(file, walk->last_off - level->off + 1);
        Dwarf_Die sibling;

        if (paid &&
            dwarf_ok(file, dwarf_siblingof_b(file->dbg, level->die, 1, &sibling, &file->error))) {
            dwarf_dealloc_die(level->die);
            level->die = sibling;
            return true;
        }
        dwarf_dealloc_die(level->die);
        walk->depth--;
        if (!paid)
            return false;
    }
    return false;
}

/* Notes where the DIE on top is. DIEs follow each other in the file; what does not is damage. */
static bool goes_forward(struct walk *walk)
{
    struct level *level = &walk->levels[walk->depth - 1];

    if (!dwarf_ok(walk->file, dwarf_dieoffset(level->die, &level->off, &walk->file->error)) ||
        level->off <= walk->last_off)
        return false;
    walk->last_off = level->off;
    return true;
}

/* Gives back the DIEs of an unfinished walk. */
static void abandon(struct walk *walk)
{
    while (walk->depth > 1)
        dwarf_dealloc_die(walk->levels[--walk->depth].die);
}

static enum status walk_unit(struct walk *walk, Dwarf_Die unit_die)
{
    enum status status = STATUS_OK;
    bool more = true;

    walk->levels[0] = (struct level){.die = unit_die, .function = FUNCTION_NONE};
    walk->depth = 1;
    while (more && walk->depth < UNIT_FUNCTIONS_DEPTH_MAX && goes_forward(walk)) {
        const struct level *level = &walk->levels[walk->depth - 1];
        uint32_t function = level->function;
        Dwarf_Half tag = 0;

        if (!dwarf_ok(walk->file, dwarf_tag(level->die, &tag, &walk->file->error)))
            break;
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            status = visit_function(walk, level->die, tag, &function);
        if (status != STATUS_OK)
            break;
        more = descend(walk, function) || next_sibling(walk);
    }
    abandon(walk);
    return status;
}

enum status unit_functions_create(struct dwarf_file *file, Dwarf_Die unit_die,
                                  const struct unit_bases *bases, struct unit_functions **out)
{
    struct unit_functions *functions = calloc(1, sizeof(*functions));
    struct walk *walk = calloc(1, sizeof(*walk));
    enum status status = functions && walk ? STATUS_OK : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        walk->file = file;
        walk->functions = functions;
        walk->bases = bases;
        status = walk_unit(walk, unit_die);
    }
    if (status == STATUS_OK) {
        interval_sort(walk->intervals, walk->interval_count);
        status = interval_set_create(walk->intervals, walk->interval_count, &functions->ranges);
    }
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

/* A name the DIE itself has; *plain gets DW_AT_name where there is no linkage name. */
static const char *own_name(struct dwarf_file *file, Dwarf_Die die, const char **plain)
{
    const char *name = die_string(file, die, DW_AT_linkage_name);

    if (!name)
        name = die_string(file, die, DW_AT_MIPS_linkage_name);
    if (!name && !*plain)
        *plain = die_string(file, die, DW_AT_name);
    return name;
}

/* Follows the references from `die`, which it gives back, until a linkage name is found. */
static const char *resolve_name(struct dwarf_file *file, Dwarf_Die die)
{
    const char *plain = NULL, *name = NULL;

    for (unsigned i = 0; i < REFERENCES_MAX && die; i++) {
        struct dwarf_file *next_file;
        Dwarf_Die next = NULL;

        name = own_name(file, die, &plain);
        if (!name && !die_reference(file, die, DW_AT_abstract_origin, &next_file, &next) &&
            !die_reference(file, die, DW_AT_specification, &next_file, &next))
            next = NULL;
        dwarf_dealloc_die(die);
        die = next;
        file = next ? next_file : file;
    }
    if (die)
        dwarf_dealloc_die(die);
    return name ? name : plain;
}

const char *unit_functions_name(struct unit_functions *functions, struct dwarf_file *file,
                                uint32_t index)
{
    struct function_node *node = &functions->nodes[index];
    Dwarf_Die die;

    if (node->named)
        return node->name;
    node->named = true;
    if (dwarf_ok(file, dwarf_offdie_b(file->dbg, node->die_off, 1, &die, &file->error)))
        node->name = resolve_name(file, die);
    return node->name;
}
