/* SPDX-License-Identifier: MIT */
#include "variables/frame.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/data_symbols.h"
#include "symbol/elf/symtab.h"
#include "symbol/symbolize.h"
#include "unwind/row/memory.h"
#include "variables/frame_base.h"
#include "variables/frame_entry.h"
#include "variables/memory.h"

static const struct frame *frame_of(const struct frame_view *view)
{
    return &view->frame.chain->frames[view->frame.index];
}

static const struct frame_regs *regs_of(const struct frame_view *view)
{
    return view->frame.chain->regs ? &view->frame.chain->regs[view->frame.index] : NULL;
}

#define ERESTARTSYS           512 /* to 516: the kernel's internal errors */
#define ERESTART_RESTARTBLOCK 516
#define ENOSYS_YET            38 /* in the register until the call returns */

/*
 * Does the register hold a value of the kernel's? In a system call it keeps one in the result's
 * register, which the program never sees; but debug information of the address behind the call
 * takes it for the result.
 */
static bool is_of_kernel(const struct frame_view *view, unsigned reg, uint64_t value)
{
    const struct snap_sample *sample = view->frame.sample;
    const uint64_t error =
        0 - (view->arch->word_size == 4 ? (uint64_t)(int64_t)(int32_t)value : value);

    if (reg != view->arch->syscall_result || frame_of(view)->trust != TRUST_CONTEXT)
        return false;
    return sample->has_syscall || (error >= ERESTARTSYS && error <= ERESTART_RESTARTBLOCK) ||
           (sample->kernel_count > 0 && error == ENOSYS_YET);
}

/* DWARF's numbers are ours up to the PC's, if it has one; others are ours alone (arch.h). */
static struct known_how read_reg(void *context, uint64_t reg, uint64_t *value)
{
    const struct frame_view *view = context;
    const struct frame_regs *regs = regs_of(view);

    if (reg > view->arch->pc || reg >= view->arch->dwarf_regs)
        return unavailable("in a register that is not captured");
    if (view->is_guessed)
        return unavailable("the frame was guessed");
    if (!regs || !regs_has(&regs->regs, (unsigned)reg))
        return unavailable("in a register that was not saved");
    *value = regs->regs.value[reg];
    return is_of_kernel(view, (unsigned)reg, *value)
               ? unavailable("a system call has not returned yet")
               : known_yes();
}

static struct known_how read_cfa(void *context, uint64_t *value)
{
    const struct frame_view *view = context;
    const struct frame_regs *regs = regs_of(view);

    if (view->is_guessed)
        return unavailable("the frame was guessed");
    if (!regs || !regs->cfa_known)
        return unavailable("the frame's place is not known");
    *value = regs->cfa;
    return known_yes();
}

static struct known_how read_memory(void *context, uint64_t addr, void *buffer, size_t size)
{
    const struct frame_view *view = context;

    return captured_read(view->source.set, view->frame.space, view->frame.sample, view->arch, addr,
                         buffer, size);
}

static struct known_how find_frame_base(struct frame_view *view, uint64_t *value)
{
    struct known_how known;

    if (!view->scope->has_frame_base)
        return unavailable("no frame base");
    known = frame_base_is_set(view);
    if (!is_known(known))
        return known;
    return location_value(&view->scope->frame_base, &view->location, view->nest, value);
}

/* Computed once: an expression may read it often, and must not while it is being computed. */
static struct known_how read_frame_base(void *context, uint64_t *value)
{
    struct frame_view *view = context;

    if (view->base_state == BASE_UNDER_WAY)
        return unavailable("frame base of itself");
    if (view->base_state == BASE_UNTRIED) {
        view->base_state = BASE_UNDER_WAY;
        view->base_known = find_frame_base(view, &view->base);
        view->base_state = BASE_FOUND;
    }
    *value = view->base;
    return view->base_known;
}

static struct known_how read_tls(void *context, uint64_t off, uint64_t *value)
{
    (void)context;
    (void)off;
    (void)value;
    return unavailable("of the thread's own storage");
}

static enum status read_type(void *context, die_ref ref, const struct type **out)
{
    const struct frame_view *view = context;

    return debug_info_type(view->info, ref, out);
}

static const char *readable(const struct frame_view *view, const char *name)
{
    return view->names ? symbol_names_get(view->names, name) : name;
}

static bool find_symbol(void *context, uint64_t addr, const char **name, uint64_t *off)
{
    const struct frame_view *view = context;
    const struct data_symbols *variables;
    const struct symtab *functions;
    struct data_symbol variable;
    struct symbol function;
    uint64_t vaddr, code_vaddr;
    struct module *module = captured_module(view->source.set, view->frame.space, addr, &vaddr);

    if (!module)
        return false;
    functions = module_symtab(view->source.set, module);
    /* Bit 0 of a code address may be the instruction set (Thumb). */
    code_vaddr = vaddr & ~(uint64_t)view->arch->isa_bit;
    if (functions && symtab_find(functions, code_vaddr, &function) == STATUS_OK) {
        *name = readable(view, function.name);
        *off = code_vaddr - function.start_vaddr;
        return true;
    }
    variables = module_data_symbols(view->source.set, module);
    if (!variables || !data_symbols_find(variables, vaddr, &variable))
        return false;
    *name = readable(view, variable.name);
    *off = vaddr - variable.start_vaddr;
    return true;
}

static struct known_how place_of(struct frame_view *view, const struct scope_variable *variable,
                                 struct place_of_object *place)
{
    struct known_how known;

    switch (variable->form) {
    case VARIABLE_NOWHERE:
        return known_not(OPTIMIZED_OUT);
    case VARIABLE_DAMAGED:
        return unavailable("its location cannot be read");
    case VARIABLE_CONSTANT:
        *place = (struct place_of_object){.count = 1};
        place->pieces[0] = (struct object_piece){.kind = PIECE_BYTES,
                                                 .bytes = variable->bytes,
                                                 .size = variable->size};
        return known_yes();
    case VARIABLE_LOCATED:
        known = frame_variable_is_set(view, variable);
        if (!is_known(known))
            return known;
        break;
    }
    return location_place(&variable->location, &view->location, view->nest, place);
}

/* Finds the variable that an implicit pointer points to. */
static struct known_how find_pointed(void *context, die_ref die, die_ref *type,
                                     struct place_of_object *place)
{
    struct frame_view *view = context;
    const struct scope_variable *variable;

    if (debug_info_variable(view->info, die, frame_of(view)->lookup_vaddr, &variable) != STATUS_OK)
        return unavailable("what it points to cannot be read");
    *type = variable->type;
    return place_of(view, variable, place);
}

/* Computes a bound, which is stored when the array is made: not before the function's body. */
static struct known_how compute_bound(struct frame_view *view, const struct type_bound *bound,
                                      int64_t *value)
{
    struct object object = {.bit_off = 0};
    struct known_how known;
    uint64_t number = 0;
    bool is_signed;

    *value = 0;
    if (view->in_prologue)
        return unavailable("the function has just begun");
    if (bound->kind == BOUND_COMPUTED) {
        known = location_value(&bound->location, &view->location, view->nest, &number);
        if (view->arch->word_size == 4)
            number = (uint64_t)(int32_t)number;
    } else if (bound->kind == BOUND_VARIABLE) {
        known = find_pointed(view, bound->variable, &object.type, &object.place);
        if (is_known(known))
            known = value_number(&view->values, &object, &number, &is_signed);
    } else {
        return unavailable("its length cannot be read");
    }
    *value = (int64_t)number;
    return known;
}

static struct known_how find_array_bound(void *context, const struct type_bound *bound,
                                         int64_t *value)
{
    struct frame_view *view = context;
    struct frame_bounds *bounds = &view->bounds;
    struct known_how known;
    unsigned at;

    for (at = 0; at < FRAME_BOUNDS_KEPT; at++)
        if (bounds->list[at].bound == bound) {
            *value = bounds->list[at].value;
            return bounds->list[at].known;
        }
    if (bounds->asked >= FRAME_BOUNDS_MAX)
        return unavailable("too many lengths");
    known = compute_bound(view, bound, value);
    at = bounds->asked++ % FRAME_BOUNDS_KEPT;
    bounds->list[at].bound = bound;
    bounds->list[at].known = known;
    bounds->list[at].value = *value;
    return known;
}

static struct known_how find_within(void *context, const struct location *where, uint64_t addr,
                                    uint64_t *part_addr)
{
    struct frame_view *view = context;

    if (view->parts_asked++ >= FRAME_PARTS_MAX)
        return unavailable("too many virtual bases");
    return location_within(where, &view->location, view->nest, addr, part_addr);
}

/* Was this frame, or one further in, guessed? */
static bool was_guessed(const struct chain *chain, size_t index)
{
    for (size_t i = 0; i <= index; i++)
        if (chain->frames[i].trust == TRUST_LR || chain->frames[i].trust == TRUST_SCAN)
            return true;
    return false;
}

enum status frame_view_begin(struct frame_view *view, const struct frame_view_source *source,
                             const struct variables_frame *frame)
{
    const struct arch *arch = source->arch;
    const struct frame *of = &frame->chain->frames[frame->index];
    enum status status;

    *view = (struct frame_view){.source = *source, .arch = arch, .frame = *frame};
    if (!of->module || !of->vaddr_known)
        return STATUS_NOT_FOUND;
    status = source->find_info(source->context, module_told(of->module), &view->info);
    if (status == STATUS_OK)
        status = debug_info_scope(view->info, of->lookup_vaddr, &view->scope);
    if (status != STATUS_OK)
        return status;
    view->all_calls = &view->calls;
    view->is_guessed = was_guessed(frame->chain, frame->index);
    /* True also for calls in a prologue: for i386's global offset table, or a profiler. */
    view->in_prologue =
        of->lookup_vaddr >= view->scope->entry_vaddr && of->lookup_vaddr < view->scope->body_vaddr;
    view->location = (struct location_frame){.arch = arch,
                                             .bias = of->pc_addr - of->is_call - of->lookup_vaddr,
                                             .reg = read_reg,
                                             .cfa = read_cfa,
                                             .frame_base = read_frame_base,
                                             .read = read_memory,
                                             .tls = read_tls,
                                             .entry_value = frame_entry_value,
                                             .parameter = frame_entry_parameter,
                                             .context = view};
    view->values = (struct value_source){.arch = arch,
                                         .type = read_type,
                                         .read = read_memory,
                                         .reg = read_reg,
                                         .symbol = find_symbol,
                                         .variable = find_pointed,
                                         .bound = find_array_bound,
                                         .within = find_within,
                                         .demangle = demangle,
                                         .context = view};
    return STATUS_OK;
}

/* Has the variable a fixed address, which no frame moves? */
static bool is_static(const struct scope_variable *variable)
{
    return variable->form == VARIABLE_LOCATED && variable->location.count > 0 &&
           variable->location.ops[0].atom == DW_OP_addr;
}

/*
 * Is the variable stored where debug information has it? Code without optimisation stores its
 * parameters in its frame first, but has them there from the first instruction on. The caller's
 * part of the stack is always stored.
 */
static bool is_stored(const struct frame_view *view, const struct scope_variable *variable,
                      const struct place_of_object *place)
{
    const struct frame_regs *regs = regs_of(view);

    if (!view->in_prologue || variable->is_listed || variable->form != VARIABLE_LOCATED ||
        is_static(variable))
        return true;
    if (!regs || !regs->cfa_known || !regs_has(&regs->regs, view->arch->sp))
        return false;
    for (uint32_t i = 0; i < place->count; i++) {
        const struct object_piece *piece = &place->pieces[i];

        if (piece->kind == PIECE_REGISTER ||
            (piece->kind == PIECE_MEMORY && piece->addr < regs->cfa &&
             piece->addr + view->arch->red_zone >= regs->regs.value[view->arch->sp]))
            return false;
    }
    return true;
}

#define LEFT_MAX (UINT64_C(1) << 20) /* below what was captured of the stack */

/*
 * Does a piece lie below the frame's SP and red zone? The function has left that memory, or not
 * reached it yet, and a signal's handler may have used it since.
 */
static bool is_left(const struct frame_view *view, const struct place_of_object *place)
{
    const struct memory memory = memory_of(view->frame.sample);
    const struct frame_regs *regs = regs_of(view);
    const struct snap_region *stack;
    uint64_t end_addr;

    if (!regs || !regs_has(&regs->regs, view->arch->sp))
        return false;
    end_addr = regs->regs.value[view->arch->sp];
    if (!frame_of(view)->is_call)
        end_addr -= end_addr < view->arch->red_zone ? end_addr : view->arch->red_zone;
    stack = memory_region(&memory, end_addr);
    for (uint32_t i = 0; stack && i < place->count; i++)
        if (place->pieces[i].kind == PIECE_MEMORY && place->pieces[i].addr < end_addr &&
            place->pieces[i].addr + LEFT_MAX >= stack->start_addr)
            return true;
    return false;
}

struct known_how frame_view_object(struct frame_view *view, const struct scope_variable *variable,
                                   struct object *object)
{
    struct known_how known;

    *object = (struct object){.type = variable->type};
    view->calls = 0;
    view->bounds.asked = 0;
    view->parts_asked = 0;
    known = place_of(view, variable, &object->place);
    if (is_known(known) && object->place.count == 0)
        return known_not(OPTIMIZED_OUT);
    if (is_known(known) && !is_stored(view, variable, &object->place))
        return unavailable("the function has just begun");
    if (is_known(known) && !is_static(variable) && is_left(view, &object->place))
        return unavailable("below the stack pointer");
    return known;
}
