/* SPDX-License-Identifier: MIT */
/* Tells of return addresses in a module: may a call end there, what was called, is it the end. */
#include "symbol/elf/plt.h"
#include "unwind/code/absent.h"
#include "unwind/code/leaf.h"
#include "unwind/module_rows_private.h"
#include "unwind/prologue/continuation.h"
#include "unwind/prologue/system_call_ahead.h"

#define THUNKS_MAX       4
#define CALL_SIZE        4    /* bytes of a direct call, where LR gets the return address */
#define X86_CALL_SIZE    5    /* the same where calls push it */
#define TABLE_BYTES_MAX  512  /* bytes between a call and its return address */
#define HAND_BYTES_MAX   4096 /* from a function's start to a call that is written by hand */
#define CONTINUATION_MAX 256  /* bytes of makecontext's code, if its function is not known */

uint64_t module_rows_callee_changes(struct module_rows *rows, uint64_t vaddr)
{
    const struct code_function *function;
    struct code_insn insn;
    struct code *code;
    uint32_t index;

    if (module_rows_find_function(rows, vaddr - 1, &function) != STATUS_OK ||
        module_rows_open_code(rows) != STATUS_OK)
        return UINT64_MAX;
    code = rows->code->code;
    if (code->arch->lr == REG_NONE || vaddr < CALL_SIZE ||
        code_get(code, vaddr - CALL_SIZE, (enum code_mode)function->mode, 0, &index) != STATUS_OK)
        return UINT64_MAX;
    insn = *code_insn(code, index);
    if (insn.flow != FLOW_CALL || !insn.has_target || insn.size != CALL_SIZE)
        return UINT64_MAX;
    return leaf_changes(code, insn.target_vaddr, (enum code_mode)insn.target_mode);
}

static const struct insn_set *set_of(const struct module_rows *rows, enum code_mode mode)
{
    const struct code *code = rows->code->code;

    return code_set(code, code_has_two_modes(code) ? mode : CODE_DEFAULT);
}

bool module_rows_is_absent(struct module_rows *rows, uint64_t vaddr)
{
    const uint8_t *bytes;
    uint64_t avail = 0;

    if (!module_rows_image(rows) || vaddr < ABSENT_BYTES)
        return false;
    bytes = elf_image_bytes_at(module_rows_image(rows), vaddr - ABSENT_BYTES, &avail);
    if (avail > 2 * ABSENT_BYTES)
        avail = 2 * ABSENT_BYTES;
    return bytes && code_is_absent(bytes, (size_t)avail, ABSENT_BYTES);
}

bool module_rows_after_call(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    uint64_t avail;

    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK)
        return true;
    for (unsigned back = 16; back >= 2; back--) {
        const uint8_t *code;

        if (vaddr < back)
            continue;
        code = elf_image_bytes_at(module_rows_image(rows), vaddr - back, &avail);
        if (code && avail >= back)
            return set_of(rows, mode)->ends_with_call(code, back);
    }
    return false;
}

struct hand_search {
    uint64_t vaddr, isa_bit;
    bool found;
};

static bool is_place(const struct hand_search *search, const struct value *value)
{
    return value->kind == VALUE_CONST && ((uint64_t)value->k & ~search->isa_bit) == search->vaddr;
}

/* Is there a register or a word of the stack with the place's address? */
static bool has_place(const struct hand_search *search, const struct state *state)
{
    for (unsigned reg = 0; reg < state->reg_count; reg++)
        if (is_place(search, &state->regs[reg]))
            return true;
    for (unsigned i = 0; i < state->slot_count; i++)
        if (is_place(search, &state->slots[i].value))
            return true;
    return false;
}

/* At a jump right before the place: does what is jumped to get its address? */
static bool note_hand(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct hand_search *search = context;

    if (insn->vaddr + insn->size != search->vaddr)
        return insn->vaddr < search->vaddr;
    search->found =
        state && !guessed && !insn->predicate &&
        (insn->flow == FLOW_JUMP || insn->flow == FLOW_INDIRECT || insn->flow == FLOW_RETURN) &&
        has_place(search, state);
    return false;
}

static bool find_call_by_hand(struct module_rows *rows, uint64_t vaddr)
{
    struct hand_search search = {.vaddr = vaddr, .isa_bit = rows->code->code->arch->isa_bit};
    const struct code_function *function;
    const struct prologue *prologue;

    if (module_rows_find_function(rows, vaddr - 1, &function) != STATUS_OK ||
        vaddr - function->start_vaddr > HAND_BYTES_MAX ||
        prologue_source_analyse(rows->prologue, vaddr - 1, &prologue) != STATUS_OK)
        return false;
    prologue_visit(prologue, note_hand, &search);
    return search.found;
}

bool module_rows_called_by_hand(struct module_rows *rows, uint64_t vaddr)
{
    uint64_t *known;

    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK)
        return false;
    known = map_get(&rows->by_hand, vaddr);
    if (!known)
        known = map_put(&rows->by_hand, vaddr, find_call_by_hand(rows, vaddr));
    return known && *known;
}

struct arrival {
    uint64_t vaddr;
    bool reached;
};

static bool note_arrival(void *context, const struct code_insn *insn, const struct state *state,
                         bool guessed)
{
    struct arrival *arrival = context;

    arrival->reached = insn->vaddr == arrival->vaddr && state && !guessed;
    return insn->vaddr < arrival->vaddr;
}

/* Does the code of the function lead to `vaddr`? */
static bool is_reached(struct module_rows *rows, uint64_t vaddr)
{
    struct arrival arrival = {.vaddr = vaddr};
    const struct prologue *prologue;

    if (prologue_source_analyse(rows->prologue, vaddr, &prologue) != STATUS_OK)
        return true;
    prologue_visit(prologue, note_arrival, &arrival);
    return arrival.reached;
}

/* Do tables say where on the stack the return address is? */
static bool has_caller_by_tables(struct module_rows *rows, uint64_t vaddr)
{
    static const enum trust tables[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME};
    const struct row *row;

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (module_rows_find(rows, tables[i], vaddr, &row) == STATUS_OK &&
            (row->ra.kind == RULE_AT_CFA || row->ra.kind == RULE_AT_REG ||
             row->ra.kind == RULE_AT_EXPR))
            return true;
    return false;
}

/* Before its function is known: is it worth the search? */
static bool may_be_continuation(struct module_rows *rows, uint64_t vaddr)
{
    const struct continuation_place place = {.vaddr = vaddr,
                                             .start_vaddr = vaddr,
                                             .end_vaddr = vaddr + CONTINUATION_MAX};

    return !code_has_two_modes(rows->code->code) &&
           continuation_at(rows->code->code, module_code_callee, rows->code, &place);
}

static bool is_continuation(struct module_rows *rows, const struct code_function *function,
                            uint64_t vaddr)
{
    const struct continuation_place place = {.vaddr = vaddr,
                                             .start_vaddr = function->start_vaddr,
                                             .end_vaddr = function->end_vaddr,
                                             .mode = (enum code_mode)function->mode};
    const bool is_amid = vaddr != function->start_vaddr;

    return continuation_at(rows->code->code, module_code_callee, rows->code, &place) &&
           !(is_amid && has_caller_by_tables(rows, vaddr));
}

/* May makecontext's code begin with a call? RISC-V's does, where calls may have 2 bytes. */
static bool begins_with_call(const struct module_rows *rows)
{
    return rows->code->code->arch->lr != REG_NONE && set_of(rows, CODE_DEFAULT)->alignment == 2;
}

/* Is the function's first instruction the call before `vaddr`? */
static bool is_first_call(struct module_rows *rows, const struct code_function *function,
                          uint64_t vaddr)
{
    uint32_t index;

    return code_get(rows->code->code, function->start_vaddr, (enum code_mode)function->mode, 0,
                    &index) == STATUS_OK &&
           code_insn(rows->code->code, index)->flow == FLOW_CALL &&
           function->start_vaddr + code_insn(rows->code->code, index)->size == vaddr;
}

bool module_rows_begins_chain(struct module_rows *rows, uint64_t vaddr, bool by_tables)
{
    struct code_function function;
    const struct code_function *found;
    struct system_call_ahead call;
    struct callee callee;
    enum code_mode mode;

    if (module_rows_open_code(rows) != STATUS_OK || module_rows_is_absent(rows, vaddr))
        return false;
    /* The cheap question first: ordinary callers are behind calls. */
    if (!code_has_two_modes(rows->code->code) && !begins_with_call(rows) &&
        module_rows_after_call(rows, vaddr, CODE_DEFAULT))
        return false;
    if (module_rows_open_functions(rows) != STATUS_OK ||
        (module_functions_known(rows->functions, vaddr, &found) != STATUS_OK &&
         (!may_be_continuation(rows, vaddr) ||
          module_functions_find(rows->functions, vaddr, &found) != STATUS_OK)))
        return false;
    function = *found; /* valid until the next look-up */
    mode = (enum code_mode)function.mode;
    if (module_rows_after_call(rows, vaddr, mode))
        return is_first_call(rows, &function, vaddr) && is_continuation(rows, &function, vaddr);
    if (function.start_vaddr != vaddr)
        return is_continuation(rows, &function, vaddr) && !is_reached(rows, vaddr);
    if (system_call_ahead_find(rows->code->code, vaddr, mode, &call))
        return false;
    module_code_callee(rows->code, vaddr, mode, &callee);
    return (by_tables && callee.never_returns) || is_continuation(rows, &function, vaddr);
}

static bool is_go(struct module_rows *rows)
{
    struct elf_section section;

    if (!rows->go_tried) {
        rows->go_tried = true;
        /* Go before 1.16 has a table that is not read, but found by its name. */
        rows->go =
            module_rows_go(rows) ||
            elf_image_section(module_rows_image(rows), ".gopclntab", &section) == STATUS_OK ||
            elf_image_section(module_rows_image(rows), ".data.rel.ro.gopclntab", &section) ==
                STATUS_OK;
    }
    return rows->go;
}

bool module_rows_is_goexit(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    struct code_insn insn;
    struct code *code;
    uint32_t index;
    uint64_t nop_vaddr;

    if (!module_rows_image(rows) || !is_go(rows) || module_rows_open_code(rows) != STATUS_OK)
        return false;
    code = rows->code->code;
    nop_vaddr = vaddr - code_set(code, mode)->alignment;
    if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
        return false;
    insn = *code_insn(code, index);
    return insn.flow == FLOW_CALL && insn.has_target &&
           code_get(code, nop_vaddr, mode, 0, &index) == STATUS_OK &&
           code_insn(code, index)->padding && nop_vaddr + code_insn(code, index)->size == vaddr;
}

struct exits {
    uint64_t start_vaddr, end_vaddr; /* of the function */
    bool away;                       /* an instruction jumps elsewhere */
};

static bool note_exit(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct exits *exits = context;
    bool outside = insn->has_target && (insn->target_vaddr < exits->start_vaddr ||
                                        insn->target_vaddr >= exits->end_vaddr);

    (void)state;
    (void)guessed;
    exits->away = exits->away || insn->flow == FLOW_INDIRECT ||
                  (outside && (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH));
    return !exits->away;
}

/* May the function end with a jump to another one? */
static bool may_jump_away(struct module_rows *rows, uint64_t vaddr)
{
    struct exits exits = {.away = false};
    const struct prologue *prologue;

    if (module_rows_function(rows, vaddr, &exits.start_vaddr, &exits.end_vaddr) != STATUS_OK ||
        prologue_source_analyse(rows->prologue, vaddr, &prologue) != STATUS_OK)
        return true;
    prologue_visit(prologue, note_exit, &exits);
    return exits.away;
}

struct jump_search {
    uint64_t target_vaddr, isa_bit;
    bool found;
};

static bool note_jump(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct jump_search *search = context;

    (void)guessed;
    if (insn->has_target && (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH)) {
        search->found = insn->target_vaddr == search->target_vaddr;
    } else if (insn->flow == FLOW_INDIRECT && insn->jump_reg != REG_NONE && state) {
        const struct value *to = &state->regs[insn->jump_reg];

        search->found =
            to->kind == VALUE_CONST && ((uint64_t)to->k & ~search->isa_bit) == search->target_vaddr;
    }
    return !search->found;
}

bool module_rows_jumps_to(struct module_rows *rows, uint64_t vaddr, uint64_t target_vaddr)
{
    struct jump_search search = {.target_vaddr = target_vaddr};
    const struct prologue *prologue;

    if (module_rows_open_functions(rows) != STATUS_OK ||
        prologue_source_analyse(rows->prologue, vaddr, &prologue) != STATUS_OK)
        return false;
    search.isa_bit = rows->code->code->arch->isa_bit;
    prologue_visit(prologue, note_jump, &search);
    return search.found;
}

/* Returns the first function that does not only jump on; 0: elsewhere, or not known. */
static uint64_t behind_thunks(struct module_rows *rows, uint64_t vaddr)
{
    const struct code_function *function;
    uint32_t index;

    for (unsigned i = 0; i < THUNKS_MAX; i++) {
        const struct code_insn *insn;

        if (module_functions_find(rows->functions, vaddr, &function) != STATUS_OK)
            return vaddr;
        if (function->origin == FUNCTION_PLT)
            return 0;
        if (code_get(rows->code->code, function->start_vaddr, (enum code_mode)function->mode, 0,
                     &index) != STATUS_OK)
            return function->start_vaddr;
        insn = code_insn(rows->code->code, index);
        if (insn->flow == FLOW_INDIRECT)
            return 0;
        if (insn->flow != FLOW_JUMP || !insn->has_target)
            return function->start_vaddr;
        vaddr = insn->target_vaddr;
    }
    return 0;
}

/* Returns the target of the direct call before `vaddr`; 0: none. */
static uint64_t target_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    const unsigned size = rows->code->code->arch->lr != REG_NONE ? CALL_SIZE : X86_CALL_SIZE;
    const uint8_t *code;
    uint64_t avail;

    if (vaddr < size)
        return 0;
    code = elf_image_bytes_at(module_rows_image(rows), vaddr - size, &avail);
    return code && avail >= size ? set_of(rows, mode)->call_target(code, avail, vaddr - size) : 0;
}

uint64_t module_rows_called_at(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    return module_rows_image(rows) && module_rows_open_code(rows) == STATUS_OK
               ? target_before(rows, vaddr, mode)
               : 0;
}

bool module_rows_calls_stub(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    return module_rows_image(rows) && module_rows_open_code(rows) == STATUS_OK &&
           plt_holds(module_rows_image(rows), target_before(rows, vaddr, mode));
}

bool module_rows_called_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                               uint64_t *start_vaddr)
{
    uint64_t target;

    if (module_rows_open_functions(rows) != STATUS_OK)
        return false;
    target = target_before(rows, vaddr, mode);
    *start_vaddr = target ? behind_thunks(rows, target) : 0;
    return *start_vaddr != 0 && !may_jump_away(rows, *start_vaddr);
}

bool module_rows_call_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                             uint64_t start_vaddr, uint64_t *return_vaddr)
{
    unsigned unit;

    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK)
        return false;
    unit = set_of(rows, mode)->alignment;
    for (unsigned back = 0; back <= TABLE_BYTES_MAX && back < vaddr; back += unit)
        if (target_before(rows, vaddr - back, mode) == start_vaddr) {
            *return_vaddr = vaddr - back;
            return true;
        }
    return false;
}

bool module_rows_is_called(struct module_rows *rows, uint64_t vaddr)
{
    const struct calls *calls;

    return module_rows_open_code(rows) == STATUS_OK &&
           module_code_calls(rows->code, &calls) == STATUS_OK && calls_lead_to(calls, vaddr);
}

bool module_rows_calls_anything(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    uint64_t target, start_vaddr;

    if (module_rows_open_functions(rows) != STATUS_OK)
        return false;
    target = target_before(rows, vaddr, mode);
    if (!target)
        return true;
    start_vaddr = behind_thunks(rows, target);
    return start_vaddr && may_jump_away(rows, start_vaddr);
}
