/* SPDX-License-Identifier: MIT */
#include "variables/frame_entry.h"

#include <dwarf.h>
#include <string.h>

#include "variables/frame_base.h"

#define TAILS_MAX 64   /* functions whose tail calls are followed */
#define CALLS_MAX 1024 /* for one object */

/* The register that the whole expression is; REG_NONE: another expression. */
static uint64_t register_of(const struct location *location)
{
    const struct location_op *op = location->ops;

    if (location->count != 1)
        return REG_NONE;
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        return op->atom - DW_OP_reg0;
    return op->atom == DW_OP_regx || op->atom == DW_OP_regval_type ? op->operand[0] : REG_NONE;
}

/*
 * The register that the expression dereferences (breg with offset 0, deref), and the size read;
 * REG_NONE: another expression.
 */
static uint64_t pointer_of(const struct location *location, unsigned word_size, uint64_t *size)
{
    const struct location_op *op = location->ops;

    if (location->count != 2 || (op[1].atom != DW_OP_deref && op[1].atom != DW_OP_deref_size) ||
        op[0].atom < DW_OP_breg0 || op[0].atom > DW_OP_breg31 || op[0].operand[0] != 0)
        return REG_NONE;
    *size = op[1].atom == DW_OP_deref_size ? op[1].operand[0] : word_size;
    if (*size == 0 || *size > word_size)
        return REG_NONE;
    return op[0].atom - DW_OP_breg0;
}

/* Known: the function cannot get back to its beginning without being called. */
static struct known_how comes_back(struct frame_view *view)
{
    uint64_t todo[TAILS_MAX] = {view->scope->entry_vaddr};
    size_t count = 1;

    for (size_t i = 0; i < count; i++) {
        const struct pc_scope *scope = view->scope;

        /* In another module, or without debug information: it may jump anywhere, as for gdb. */
        if (i > 0 && (debug_info_scope(view->info, todo[i], &scope) != STATUS_OK ||
                      scope->entry_vaddr != todo[i]))
            return unavailable("the function leaves by jumps");
        if (scope->has_other_tails)
            return unavailable("the function leaves by jumps");
        for (size_t j = 0; j < scope->tail_count; j++) {
            size_t k = 0;

            if (scope->tail_vaddrs[j] == view->scope->entry_vaddr)
                return unavailable("the function calls itself by a jump");
            while (k < count && todo[k] != scope->tail_vaddrs[j])
                k++;
            if (k < count)
                continue;
            if (count == TAILS_MAX)
                return unavailable("the function leaves by jumps");
            todo[count++] = scope->tail_vaddrs[j];
        }
    }
    return known_yes();
}

/* Did the call lead to this function itself, and not to one that jumped here? */
static struct known_how is_of_this(struct frame_view *view, struct frame_view *caller,
                                   const struct call_site *site, unsigned nest)
{
    const uint64_t entry_addr = view->scope->entry_vaddr + view->location.bias;
    const struct pc_level *function = &view->scope->levels[view->scope->count - 1];
    struct known_how known;
    uint64_t target;

    if (site->has_target)
        return site->target_vaddr + caller->location.bias == entry_addr
                   ? known_yes()
                   : unavailable("the call was of another function");
    if (site->has_target_location) {
        known = location_value(&site->target, &caller->location, nest, &target);
        if (!is_known(known))
            return unavailable("what was called is not known");
        return (target & ~(uint64_t)view->arch->isa_bit) == entry_addr
                   ? known_yes()
                   : unavailable("the call was of another function");
    }
    if (site->target_name && function->is_external &&
        strcmp(site->target_name,
               function->linkage_name ? function->linkage_name : function->name) == 0)
        return known_yes();
    return unavailable("what was called is not known");
}

/* Finds the call that the frame returns to, and its frame. `nest`: of evaluations there. */
static struct known_how find_call(struct frame_view *view, unsigned nest, struct frame_view *caller,
                                  const struct call_site **site)
{
    const struct chain *chain = view->frame.chain;
    struct variables_frame outer = view->frame;
    struct known_how known;

    if (nest > LOCATION_NEST_MAX || ++*view->all_calls > CALLS_MAX)
        return unavailable("too many callers would have to be asked");
    outer.index++;
    if (outer.index >= chain->count || !chain->frames[outer.index].is_call)
        return unavailable("there is no caller");
    if (frame_view_begin(caller, &view->source, &outer) != STATUS_OK ||
        debug_info_call_site(caller->info, chain->frames[outer.index].lookup_vaddr + 1, site) !=
            STATUS_OK)
        return unavailable("the caller does not say what it passed");
    caller->nest = nest;
    caller->all_calls = view->all_calls;
    known = is_of_this(view, caller, *site, nest);
    return is_known(known) ? comes_back(view) : known;
}

/* Computes what was passed, in the caller's frame, whose registers are as at the call. */
static struct known_how passed(struct frame_view *caller, uint64_t reg, bool has,
                               const struct location *value, uint64_t *out)
{
    struct known_how known;

    if (!has)
        return unavailable("the caller does not say what it passed");
    known = frame_argument_is_set(caller, reg, value);
    return is_known(known) ? location_value(value, &caller->location, caller->nest, out) : known;
}

static struct known_how passed_typed(struct frame_view *caller,
                                     const struct call_parameter *parameter,
                                     struct location_type type, uint64_t *out)
{
    struct known_how known;

    if (!parameter->has_value)
        return unavailable("the caller does not say what it passed");
    known = frame_argument_is_set(caller, register_of(&parameter->where), &parameter->value);
    return is_known(known)
               ? location_bits(&parameter->value, &caller->location, caller->nest, type, out)
               : known;
}

/* Computes `size` bytes of what a register pointed to. */
static struct known_how pointed(struct frame_view *caller, const struct call_parameter *parameter,
                                uint64_t size, uint64_t *out)
{
    struct known_how known =
        passed(caller, REG_NONE, parameter->has_pointed, &parameter->pointed, out);

    if (is_known(known) && size < sizeof(*out))
        *out &= (UINT64_C(1) << 8 * size) - 1;
    return known;
}

struct known_how frame_entry_value(void *context, const struct location *inner, unsigned nest,
                                   uint64_t *value)
{
    struct frame_view *view = context, caller;
    uint64_t size = 0;
    const uint64_t reg = register_of(inner);
    const uint64_t pointer = pointer_of(inner, view->arch->word_size, &size);
    const struct call_site *site;
    struct known_how known = find_call(view, nest + 1, &caller, &site);

    for (size_t i = 0; is_known(known) && i < site->count; i++) {
        const struct call_parameter *parameter = &site->parameters[i];
        const uint64_t where = register_of(&parameter->where);

        if (where == REG_NONE)
            continue;
        if (where == reg && location_is_typed(inner))
            return passed_typed(&caller, parameter, inner->ops[0].type, value);
        if (where == reg)
            return passed(&caller, reg, parameter->has_value, &parameter->value, value);
        if (where == pointer)
            return pointed(&caller, parameter, size, value);
    }
    return is_known(known) ? unavailable("the caller does not say what it passed") : known;
}

struct known_how frame_entry_parameter(void *context, die_ref parameter, unsigned nest,
                                       uint64_t *value)
{
    struct frame_view *view = context, caller;
    const struct call_site *site;
    struct known_how known = find_call(view, nest + 1, &caller, &site);

    for (size_t i = 0; is_known(known) && i < site->count; i++)
        if (parameter != 0 && site->parameters[i].parameter == parameter)
            return passed(&caller, register_of(&site->parameters[i].where),
                          site->parameters[i].has_value, &site->parameters[i].value, value);
    return is_known(known) ? unavailable("the caller does not say what it passed") : known;
}

struct known_how frame_entry_object(struct frame_view *view, const struct scope_variable *variable,
                                    struct object *object)
{
    const uint64_t reg = variable->has_entry ? register_of(&variable->entry) : REG_NONE;
    struct object_piece piece = {.kind = PIECE_BYTES, .size = view->arch->word_size};
    struct known_how known;
    uint64_t value = 0;

    *object = (struct object){.type = variable->type};
    if (reg > view->arch->pc || location_is_typed(&variable->entry))
        return unavailable("not passed in a register of integers");
    view->calls = 0;
    known = frame_entry_value(view, &variable->entry, view->nest, &value);
    memcpy(piece.word, &value, sizeof(value));
    object->place = (struct place_of_object){.pieces = {piece}, .count = 1};
    return known;
}
