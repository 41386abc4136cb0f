/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "unwind/prologue/prologue_private.h"

void prologue_callee(const struct prologue *a, const struct node *node, struct callee *out)
{
    const struct code_insn *insn = node_insn(a, node);

    *out = (struct callee){.pc_reg = REG_NONE};
    if ((insn->has_target || insn->slot) && a->in.callee && !code_reads_pc(a->in.code, insn))
        a->in.callee(a->in.context, insn->target_vaddr, (enum code_mode)insn->target_mode, out);
}

bool prologue_is_far_jump(const struct prologue *a, const struct code_insn *insn)
{
    const uint64_t from = insn->vaddr, to = insn->target_vaddr;
    struct callee callee = {.is_amid = false};

    if (!a->far_jump || insn->flow != FLOW_CALL || !insn->has_target || !prologue_inside(a, to) ||
        to == a->in.start_vaddr || (from < to ? to - from : from - to) <= a->far_jump)
        return false;
    if (!a->in.open_end)
        return true;
    if (a->in.callee)
        a->in.callee(a->in.context, to, (enum code_mode)insn->target_mode, &callee);
    return callee.is_amid;
}

static size_t unit_of(const struct prologue *a, uint64_t vaddr)
{
    return (size_t)((vaddr - a->in.start_vaddr) >> a->in.code->unit_shift);
}

static bool is_data(const struct prologue *a, size_t unit)
{
    return unit / 8 < a->data_bits_size && a->data_bits[unit / 8] >> unit % 8 & 1;
}

/* Is `vaddr`, inside the function, known to be data? */
static bool holds_data(const struct prologue *a, uint64_t vaddr)
{
    return is_data(a, unit_of(a, vaddr)) ||
           (a->in.data_until && a->in.data_until(a->in.context, vaddr) > 0);
}

/* Returns the end of the data at `vaddr`; 0: none. */
static uint64_t data_until(const struct prologue *a, uint64_t vaddr)
{
    size_t unit = unit_of(a, vaddr), end = unit;

    while (is_data(a, end))
        end++;
    if (end > unit)
        return a->in.start_vaddr + ((uint64_t)end << a->in.code->unit_shift);
    return a->in.data_until ? a->in.data_until(a->in.context, vaddr) : 0;
}

/*
 * Does a call that ends at `vaddr` not return, since data follows, or, where the function's end is
 * not known, another function's start, perhaps behind padding?
 */
static bool ends_function(const struct prologue *a, uint64_t vaddr, enum code_mode mode)
{
    const uint64_t call_end_vaddr = vaddr;
    uint64_t looked_at = 0;
    uint32_t index;

    if (!prologue_inside(a, vaddr))
        return false;
    if (holds_data(a, vaddr))
        return true;
    if (!a->in.open_end)
        return false;
    while (prologue_inside(a, vaddr) && code_get(a->in.code, vaddr, mode, 0, &index) == STATUS_OK &&
           code_insn(a->in.code, index)->padding) {
        vaddr += code_insn(a->in.code, index)->size;
        if (prologue_inside(a, vaddr) && holds_data(a, vaddr))
            return true;
    }
    return prologue_inside(a, vaddr) &&
           (code_strong_start(a->in.code, vaddr, mode) ||
            code_start_is_behind(a->in.code, vaddr, mode) ||
            code_ends_function(a->in.code, a->in.start_vaddr, call_end_vaddr, mode, &looked_at));
}

/* Can control go on to the next instruction, when the instruction is executed? */
static bool falls_through(const struct prologue *a, const struct node *node)
{
    const struct code_insn insn = *node_insn(a, node); /* decoding moves it */
    struct callee callee;

    switch ((enum flow)insn.flow) {
    case FLOW_NEXT:
    case FLOW_BRANCH:
        return true;
    case FLOW_CALL:
        if (prologue_is_far_jump(a, &insn))
            return false;
        /* A part of the prologue; SP may go down again behind it. */
        if (insn.jump_reg != REG_NONE && insn.jump_reg == a->arch->outline_link)
            return true;
        if (insn.has_target && insn.target_vaddr == insn.vaddr + insn.size)
            return code_reads_pc(a->in.code, &insn); /* the called code is behind the caller */
        prologue_callee(a, node, &callee);
        return callee.returns_twice ||
               (!callee.never_returns && !code_call_is_last(a->in.code, &insn) &&
                !ends_function(a, insn.vaddr + insn.size, (enum code_mode)insn.mode));
    case FLOW_JUMP:
    case FLOW_RETURN:
    case FLOW_INDIRECT:
    case FLOW_STOP:
        return false;
    }
    return false;
}

bool prologue_inner_target(const struct prologue *a, const struct code_insn *insn, uint64_t *vaddr)
{
    if (!insn->has_target || !prologue_inside(a, insn->target_vaddr))
        return false;
    *vaddr = insn->target_vaddr;
    return insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH ||
           (insn->flow == FLOW_CALL && *vaddr != a->in.start_vaddr &&
            (!a->in.open_end || code_reads_pc(a->in.code, insn) || prologue_is_far_jump(a, insn) ||
             code_calls_trampoline(a->in.code, insn)));
}

static void place_push(struct prologue *a, uint64_t vaddr, enum code_mode mode)
{
    if (vec_reserve(&a->places, &a->place_cap, a->place_count + 1, sizeof(*a->places)) !=
        STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    a->places[a->place_count++] = (struct pending){.vaddr = vaddr, .mode = (uint8_t)mode};
}

static enum status mark_data(struct prologue *a, size_t from, size_t to)
{
    const size_t size = to / 8 + 1;

    if (vec_reserve(&a->data_bits, &a->data_bits_cap, size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (size > a->data_bits_size) {
        memset(a->data_bits + a->data_bits_size, 0, size - a->data_bits_size);
        a->data_bits_size = size;
    }
    for (size_t unit = from; unit < to; unit++)
        a->data_bits[unit / 8] |= (uint8_t)(1u << unit % 8);
    return STATUS_OK;
}

void prologue_note_data(struct prologue *a, uint64_t start_vaddr, uint64_t end_vaddr)
{
    if (!prologue_inside(a, start_vaddr))
        return;
    if (end_vaddr > a->in.end_vaddr || end_vaddr < start_vaddr)
        end_vaddr = a->in.end_vaddr;
    if (mark_data(a, unit_of(a, start_vaddr), unit_of(a, end_vaddr + a->in.code->unit - 1)) !=
        STATUS_OK)
        a->failed = STATUS_NO_MEMORY;
    if (vec_reserve(&a->data, &a->data_cap, a->data_count + 1, sizeof(*a->data)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    a->data[a->data_count++] = (struct extent){start_vaddr, end_vaddr};
}

/* Adds the instruction at `vaddr` to the function; NULL: it cannot be decoded. */
static struct node *take(struct prologue *a, uint64_t vaddr, enum code_mode mode, uint8_t context)
{
    uint32_t index;
    struct code_insn *insn;
    enum status status = code_get(a->in.code, vaddr, mode, context, &index);
    struct node *node;

    if (status == STATUS_NO_MEMORY)
        a->failed = status;
    if (a->node_count >= INSNS_MAX)
        a->failed = STATUS_UNSUPPORTED;
    if (status != STATUS_OK || a->failed != STATUS_OK)
        return NULL;
    insn = code_insn(a->in.code, index);
    if (insn->size > a->in.end_vaddr - vaddr)
        return NULL;
    if (vec_reserve(&a->nodes, &a->node_cap, a->node_count + 1, sizeof(*a->nodes)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return NULL;
    }
    a->taken_bytes += insn->size;
    insn->taken_by = a->walk;
    insn->taken_as = (uint32_t)a->node_count;
    if (insn->literal_vaddr)
        prologue_note_data(a, insn->literal_vaddr, insn->literal_vaddr + insn->literal_size);
    node = &a->nodes[a->node_count++];
    *node = (struct node){
        .insn = index, .behind = NODE_NONE, .state = -1, .pending = -1, .thrown = -1, .table = -1};
    node->falls_through = falls_through(a, node);
    return node;
}

static void mark_leader(struct prologue *a, struct node *node)
{
    if (!node || node->leader || (a->guessing && node->reached))
        return;
    node->leader = true;
    if (node->reached)
        prologue_queue(a, &a->nodes[node->block]);
}

void prologue_mark_leaders(struct prologue *a)
{
    for (; a->marked_nodes < a->node_count; a->marked_nodes++) {
        const struct node *node = &a->nodes[a->marked_nodes];
        const struct code_insn *insn = node_insn(a, node);
        uint64_t vaddr;

        if (prologue_inner_target(a, insn, &vaddr))
            mark_leader(a, prologue_node_at(a, vaddr));
        if (insn->flow == FLOW_BRANCH)
            mark_leader(a, prologue_node_behind(a, node));
    }
    for (; a->marked_cases < a->case_count; a->marked_cases++)
        mark_leader(a, prologue_node_at(a, a->cases[a->marked_cases].vaddr));
}

/* Defers the target of a jump ahead until a state has come to the jump. */
static bool defer_leap(struct prologue *a, const struct node *node, const struct code_insn *insn)
{
    if (insn->flow != FLOW_JUMP || insn->target_vaddr <= insn->vaddr ||
        prologue_node_at(a, insn->target_vaddr))
        return false;
    if (vec_reserve(&a->leaps, &a->leap_cap, a->leap_count + 1, sizeof(*a->leaps)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return true;
    }
    a->leaps[a->leap_count++] = (struct leap){.node = (uint32_t)(node - a->nodes)};
    return true;
}

/* Returns the end of the function's code, as decoded so far. */
static uint64_t body_end(struct prologue *a)
{
    if (a->ended_nodes == 0)
        a->end_vaddr = a->in.start_vaddr;
    for (; a->ended_nodes < a->node_count; a->ended_nodes++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[a->ended_nodes]);

        if (insn->vaddr + insn->size > a->end_vaddr)
            a->end_vaddr = insn->vaddr + insn->size;
    }
    return a->end_vaddr;
}

#define LEAP_MAX 4096 /* bytes that a leaf function jumps over */

/* Does the jump stay in the function? */
static bool leap_stays(const struct prologue *a, const struct leap *leap, uint64_t end)
{
    const struct code_insn insn = *node_insn(a, &a->nodes[leap->node]);
    uint64_t vaddr = insn.target_vaddr;
    uint32_t index;

    if (!leap->reached)
        return false;
    if (leap->in_frame)
        return true;
    if (leap->torn_down || insn.far)
        return false;
    if (vaddr < end)
        return true;
    if (vaddr - end > LEAP_MAX ||
        code_strong_start(a->in.code, vaddr, (enum code_mode)insn.target_mode))
        return false;
    /*
     * Right behind the function's end the next one begins, except for padding. Code that is between
     * there and the target belongs to a loop that is entered at its end.
     */
    while (end < vaddr &&
           code_get(a->in.code, end, (enum code_mode)insn.mode, 0, &index) == STATUS_OK &&
           code_insn(a->in.code, index)->padding)
        end += code_insn(a->in.code, index)->size;
    return end < vaddr;
}

bool prologue_resolve_leaps(struct prologue *a)
{
    uint64_t end = body_end(a);
    size_t count = a->leap_count, kept = 0;

    for (size_t i = 0; i < count && a->failed == STATUS_OK; i++) {
        struct leap leap = a->leaps[i];
        const struct code_insn insn = *node_insn(a, &a->nodes[leap.node]);

        if (prologue_node_at(a, insn.target_vaddr) || leap_stays(a, &leap, end)) {
            prologue_discover(a, insn.target_vaddr, (enum code_mode)insn.target_mode);
            mark_leader(a, prologue_node_at(a, insn.target_vaddr));
            if (a->nodes[leap.node].reached)
                prologue_queue(a, &a->nodes[a->nodes[leap.node].block]);
            continue;
        }
        a->leaps[kept++] = leap;
    }
    while (count < a->leap_count)
        a->leaps[kept++] = a->leaps[count++];
    a->leap_count = kept;
    prologue_mark_leaders(a);
    return a->todo_count > 0;
}

/* A register with the address of data among the code, in a straight line. */
struct pointer {
    uint64_t vaddr; /* 0: none */
    uint8_t reg;
};

/*
 * Notes as data the words that are loaded by such a register; the decoder knows the first: gcc
 * loads double words with adr and ldrd.
 */
static void follow_pointer(struct prologue *a, struct pointer *pointer,
                           const struct code_insn *insn)
{
    const struct op *ops = code_ops(a->in.code, insn);

    for (unsigned i = 0; pointer->vaddr && i < insn->op_count; i++)
        if (ops[i].kind == OP_LOAD && ops[i].src == pointer->reg)
            prologue_note_data(a, pointer->vaddr + (uint64_t)ops[i].imm,
                               pointer->vaddr + (uint64_t)ops[i].imm + a->arch->word_size);
    if (pointer->vaddr && code_writes(a->in.code, insn) >> pointer->reg & 1)
        pointer->vaddr = 0;
    if (insn->literal_vaddr && insn->op_count == 1 && ops[0].kind == OP_CONST &&
        (uint64_t)ops[0].imm == insn->literal_vaddr)
        *pointer = (struct pointer){.vaddr = (uint64_t)ops[0].imm, .reg = ops[0].dst};
}

void prologue_discover(struct prologue *a, uint64_t vaddr, enum code_mode mode)
{
    place_push(a, vaddr, mode);
    while (a->place_count > 0 && a->failed == STATUS_OK) {
        struct pending place = a->places[--a->place_count];
        uint64_t next = place.vaddr, target;
        uint32_t before = NODE_NONE;
        uint8_t context = 0;
        struct pointer pointer = {.vaddr = 0};

        while (prologue_inside(a, next)) {
            struct node *node = prologue_node_at(a, next);
            const bool taken = node != NULL;
            struct code_insn insn;

            if (!taken)
                node = take(a, next, (enum code_mode)place.mode, context);
            if (node && before != NODE_NONE)
                a->nodes[before].behind = (uint32_t)(node - a->nodes);
            if (!node || taken)
                break;
            before = (uint32_t)(node - a->nodes);
            insn = *node_insn(a, node);
            follow_pointer(a, &pointer, &insn);
            if (prologue_inner_target(a, &insn, &target) &&
                !(a->in.open_end && defer_leap(a, node, &insn)))
                place_push(a, target, (enum code_mode)insn.target_mode);
            next = insn.vaddr + insn.size;
            context = insn.next_context;
            if (!node->falls_through && !insn.predicate)
                break;
            /* Unreached code that goes on into data is likely to be data. */
            if (a->in_gaps && prologue_inside(a, next) && !prologue_node_at(a, next) &&
                holds_data(a, next))
                break;
        }
    }
}

/*
 * Returns the next address from `vaddr` on that is in no instruction, padding or data; the
 * function's end: none. *mode: of the code before.
 */
static uint64_t next_gap(struct prologue *a, uint64_t vaddr, enum code_mode *mode)
{
    uint8_t unit = a->in.code->unit;

    while (vaddr < a->in.end_vaddr && a->failed == STATUS_OK) {
        const struct node *node = prologue_node_at(a, vaddr);
        uint64_t until;
        uint32_t index;
        enum status status;

        if (node) {
            *mode = (enum code_mode)node_insn(a, node)->mode;
            vaddr += node_insn(a, node)->size;
            continue;
        }
        until = data_until(a, vaddr);
        if (until > vaddr) {
            vaddr = until;
            continue;
        }
        status = code_get(a->in.code, vaddr, *mode, 0, &index);
        if (status == STATUS_NO_MEMORY)
            a->failed = status;
        if (status != STATUS_OK) {
            vaddr += unit;
            continue;
        }
        if (!code_insn(a->in.code, index)->padding)
            return vaddr;
        vaddr += code_insn(a->in.code, index)->size;
    }
    return a->in.end_vaddr;
}

void prologue_discover_gaps(struct prologue *a)
{
    uint64_t vaddr = a->in.start_vaddr;
    enum code_mode mode = a->in.mode;

    if (a->taken_bytes == a->in.end_vaddr - a->in.start_vaddr)
        return; /* as for most functions */
    while (a->failed == STATUS_OK && (vaddr = next_gap(a, vaddr, &mode)) < a->in.end_vaddr) {
        struct node *node;

        a->in_gaps = true;
        prologue_discover(a, vaddr, mode);
        a->in_gaps = false;
        node = prologue_node_at(a, vaddr);
        if (node)
            node->gap = node->leader = true;
        else
            vaddr += a->in.code->unit;
    }
}

static void discover_leader(struct prologue *a, uint64_t vaddr)
{
    if (!prologue_inside(a, vaddr))
        return;
    prologue_discover(a, vaddr, a->in.mode);
    mark_leader(a, prologue_node_at(a, vaddr));
}

void prologue_discover_entered(struct prologue *a)
{
    prologue_discover(a, a->in.start_vaddr, a->in.mode);
    for (size_t i = 0; i < a->in.arrival_count; i++)
        discover_leader(a, a->in.arrivals[i].vaddr);
    for (size_t i = 0; i < a->in.landing_pad_count; i++)
        discover_leader(a, a->in.landing_pads[i].landing_pad_vaddr);
    prologue_mark_leaders(a);
}

/* Unreached padding behind a jump or a return; UINT64_MAX: none can begin here. */
struct padding {
    uint64_t start_vaddr, end_vaddr;
};

static void extend_padding(struct prologue *a, struct padding *padding, uint64_t vaddr,
                           enum code_mode mode)
{
    uint32_t index;

    if (vaddr == padding->end_vaddr && code_get(a->in.code, vaddr, mode, 0, &index) == STATUS_OK &&
        code_insn(a->in.code, index)->padding)
        padding->end_vaddr += code_insn(a->in.code, index)->size;
}

void prologue_make_order(struct prologue *a)
{
    uint64_t vaddr = a->in.start_vaddr, end = body_end(a);
    struct padding padding = {UINT64_MAX, UINT64_MAX};
    enum code_mode mode = a->in.mode;
    bool after_call = false;

    if (vec_reserve(&a->order, &a->order_cap, a->node_count, sizeof(*a->order)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    while (vaddr < end) {
        struct node *node = prologue_node_at(a, vaddr);

        if (!node) {
            extend_padding(a, &padding, vaddr, mode);
            vaddr += a->in.code->unit;
            continue;
        }
        if (vaddr == padding.end_vaddr && vaddr - padding.start_vaddr <= UINT8_MAX)
            node->padding = (uint8_t)(vaddr - padding.start_vaddr);
        for (; node; node = prologue_node_behind(a, node)) {
            const struct code_insn *insn = node_insn(a, node);

            a->order[a->order_count++] = (uint32_t)(node - a->nodes);
            vaddr = insn->vaddr + insn->size;
            mode = (enum code_mode)insn->mode;
            /* A call's return address is here, even if it does not return. */
            after_call = insn->flow == FLOW_CALL;
        }
        padding.start_vaddr = padding.end_vaddr = after_call ? UINT64_MAX : vaddr;
    }
}
