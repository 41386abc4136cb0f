#include "unwind/prologue.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "unwind/prologue_rows.h"
#include "unwind/value.h"

#define INSNS_MAX  262144
#define STATES_MAX 32768   /* places where paths meet; libLLVM's largest function has 8,000 */
#define STEPS_MAX  2000000 /* instructions executed; libLLVM's functions need up to 60,000 */

struct code {     /* a decoded instruction, compact */
    uint32_t off; /* from the function's start */
    uint8_t size, flow, op_count;
    bool has_target, padding;
    bool leader;  /* paths meet here or may */
    bool gap;     /* begins code that no direct path reaches */
    bool guessed; /* its state is fill_gaps' */
    bool queued;
    int32_t state;     /* index into states, -1: none yet */
    int32_t pending;   /* index into returned, -1: none */
    uint32_t first_op; /* index into ops */
    uint64_t target_vaddr;
};

struct prologue {
    struct prologue_input input;
    const struct prologue_input *in; /* &input */
    uint64_t size;
    int32_t *at; /* by offset: index of the instruction that begins there + 1, 0: none */
    struct code *code;
    size_t code_count, code_cap;
    struct op *ops;
    size_t op_count, op_cap;
    struct state *states;
    size_t state_count, state_cap;
    uint32_t *todo; /* decoding: offsets; propagation: instruction indices */
    size_t todo_count, todo_cap;
    struct returned {
        uint32_t index; /* of the instruction behind the call */
        struct state state;
    } * returned; /* returns from calls to places that other paths may reach too: see arrive_returned */
    size_t returned_count, returned_cap;
    unsigned steps;
    enum status failed; /* NO_MEMORY; UNSUPPORTED: more work than a real function makes */
    /* What unreached code is assumed to be entered with. */
    struct state indirect, called;
    bool has_indirect, indirect_in_frame, has_called;
};

static void todo_push(struct prologue *a, uint32_t item)
{
    if (vec_reserve(&a->todo, &a->todo_cap, a->todo_count + 1, sizeof(*a->todo)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    a->todo[a->todo_count++] = item;
}

static bool inside(const struct prologue *a, uint64_t vaddr, uint32_t *off)
{
    if (vaddr < a->in->start_vaddr || vaddr >= a->in->end_vaddr)
        return false;
    *off = (uint32_t)(vaddr - a->in->start_vaddr);
    return true;
}

static struct code *code_at(const struct prologue *a, uint32_t off)
{
    return off < a->size && a->at[off] ? &a->code[a->at[off] - 1] : NULL;
}

/* Decodes the instruction at `off` and keeps it; NULL: it cannot be decoded. */
static struct code *decode_one(struct prologue *a, uint32_t off)
{
    struct insn insn;
    struct code *code;

    if (a->code_count >= INSNS_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return NULL;
    }
    if (decoder_decode(a->in->decoder, a->in->bytes + off, a->size - off, a->in->start_vaddr + off,
                       &insn) != STATUS_OK)
        return NULL;
    if (vec_reserve(&a->code, &a->code_cap, a->code_count + 1, sizeof(*a->code)) != STATUS_OK ||
        vec_reserve(&a->ops, &a->op_cap, a->op_count + insn.op_count, sizeof(*a->ops)) !=
            STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return NULL;
    }
    code = &a->code[a->code_count++];
    *code = (struct code){.off = off,
                          .size = insn.size,
                          .flow = insn.flow,
                          .op_count = insn.op_count,
                          .has_target = insn.has_target,
                          .padding = insn.padding,
                          .state = -1,
                          .pending = -1,
                          .first_op = (uint32_t)a->op_count,
                          .target_vaddr = insn.target_vaddr};
    if (insn.op_count)
        memcpy(a->ops + a->op_count, insn.ops, insn.op_count * sizeof(insn.ops[0]));
    a->op_count += insn.op_count;
    a->at[off] = (int32_t)a->code_count;
    return code;
}

static bool falls_through(const struct prologue *a, const struct code *code)
{
    switch ((enum flow)code->flow) {
    case FLOW_NEXT:
    case FLOW_BRANCH:
        return true;
    case FLOW_CALL:
        return !(code->has_target && a->in->no_return &&
                 a->in->no_return(a->in->context, code->target_vaddr));
    case FLOW_JUMP:
    case FLOW_RETURN:
    case FLOW_INDIRECT:
    case FLOW_STOP:
        return false;
    }
    return false;
}

/* Where control goes besides the next instruction, inside the function: jumps, and calls of a part of itself. */
static bool inner_target(const struct prologue *a, const struct code *code, uint32_t *off)
{
    if (!code->has_target || !inside(a, code->target_vaddr, off))
        return false;
    return code->flow == FLOW_JUMP || code->flow == FLOW_BRANCH ||
           (code->flow == FLOW_CALL && *off != 0);
}

/* Decodes everything that direct control flow reaches from `off`. */
static void discover(struct prologue *a, uint32_t off)
{
    a->todo_count = 0;
    todo_push(a, off);
    while (a->todo_count > 0 && a->failed == STATUS_OK) {
        uint32_t target, next = a->todo[--a->todo_count];

        while (next < a->size && !a->at[next]) {
            struct code *code = decode_one(a, next);

            if (!code)
                break;
            if (inner_target(a, code, &target))
                todo_push(a, target);
            next = code->off + code->size;
            if (!falls_through(a, code))
                break;
        }
    }
}

static void mark_leaders(struct prologue *a)
{
    for (size_t i = 0; i < a->code_count; i++) {
        const struct code *code = &a->code[i];
        uint32_t off;
        struct code *target;

        if (inner_target(a, code, &off) && (target = code_at(a, off)))
            target->leader = true;
        if (code->flow == FLOW_BRANCH && (target = code_at(a, code->off + code->size)))
            target->leader = true;
    }
}

static void queue(struct prologue *a, struct code *code)
{
    if (code->queued)
        return;
    code->queued = true;
    todo_push(a, (uint32_t)(code - a->code));
}

static bool same_depth(const struct prologue *a, const struct state *x, const struct state *y)
{
    unsigned sp = a->in->arch->sp;

    return value_equal(&x->regs[sp], &y->regs[sp]);
}

/* `state` arrives at `code`: the first is taken as it is, further ones are merged into it. */
static void arrive(struct prologue *a, struct code *code, const struct state *state)
{
    if (code->state >= 0) {
        if (state_merge(&a->states[code->state], state, a->in->arch))
            queue(a, code);
        return;
    }
    if (a->state_count >= STATES_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return;
    }
    if (vec_reserve(&a->states, &a->state_cap, a->state_count + 1, sizeof(*a->states)) !=
        STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    code->state = (int32_t)a->state_count;
    a->states[a->state_count++] = *state;
    queue(a, code);
}

/*
 * A subroutine inside the function (hand-written code has such, under one FDE): it is entered like a function, and its
 * caller is this one.
 */
static void arrive_called(struct prologue *a, struct code *target)
{
    struct state entry;

    state_init_entry(&entry, a->in->arch);
    arrive(a, target, &entry);
}

/* call 1f; 1: pop reg, which reads the PC: SP is below the new return address, or LR holds it. */
static void arrive_behind(struct prologue *a, struct code *target, const struct state *caller)
{
    const struct arch *arch = a->in->arch;
    const struct op push[] = {
        {.kind = OP_ADD, .dst = arch->sp, .src = arch->sp, .imm = -(int64_t)arch->word_size},
        {.kind = OP_STORE, .dst = arch->sp, .src = REG_NONE, .size = arch->word_size}};
    const struct op link = {.kind = OP_CLOBBER, .mask = UINT64_C(1) << (arch->lr & 63)};
    struct state state = *caller;

    if (arch->lr == REG_NONE)
        state_execute(&state, arch, push, 2, target->off);
    else
        state_execute(&state, arch, &link, 1, target->off);
    arrive(a, target, &state);
}

static void note_return(struct prologue *a, struct code *code, const struct state *state)
{
    if (code->pending >= 0) {
        (void)state_merge(&a->returned[code->pending].state, state, a->in->arch);
        return;
    }
    if (a->returned_count >= STATES_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return;
    }
    if (vec_reserve(&a->returned, &a->returned_cap, a->returned_count + 1, sizeof(*a->returned)) !=
        STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    code->pending = (int32_t)a->returned_count;
    a->returned[a->returned_count++] =
        (struct returned){.index = (uint32_t)(code - a->code), .state = *state};
}

/*
 * A call may not return. Where a jump leads to the instruction behind it, that jump's state is taken first; the
 * call's own counts when it has the same stack depth or one that is no longer known, and when nothing else came.
 */
static void arrive_returned(struct prologue *a)
{
    const struct returned *last = &a->returned[--a->returned_count];
    struct code *code = &a->code[last->index];
    struct state state = last->state;

    code->pending = -1;
    if (code->state < 0 || state.regs[a->in->arch->sp].kind == VALUE_UNKNOWN ||
        same_depth(a, &a->states[code->state], &state))
        arrive(a, code, &state);
}

/* An indirect jump that leaves the entry's state is a tail call when others jump within the frame. */
static void note_indirect(struct prologue *a, const struct state *state)
{
    const struct value *sp = &state->regs[a->in->arch->sp];
    bool in_frame = !(sp->kind == VALUE_ENTRY && sp->reg == a->in->arch->sp && sp->k == 0);

    if (a->has_indirect && a->indirect_in_frame && !in_frame)
        return;
    if (!a->has_indirect || (in_frame && !a->indirect_in_frame)) {
        a->indirect = *state;
        a->has_indirect = true;
        a->indirect_in_frame = in_frame;
        return;
    }
    (void)state_merge(&a->indirect, state, a->in->arch);
}

static void note_call(struct prologue *a, const struct state *state)
{
    if (!a->has_called) {
        a->called = *state;
        a->has_called = true;
        return;
    }
    (void)state_merge(&a->called, state, a->in->arch);
}

static void execute(const struct prologue *a, const struct code *code, struct state *state)
{
    if (code->op_count)
        state_execute(state, a->in->arch, a->ops + code->first_op, code->op_count, code->off);
    if (code->flow == FLOW_CALL)
        state_drop_below_sp(state, a->in->arch);
}

/* Runs a block from its leader and hands the states on. */
static void run_block(struct prologue *a, size_t index)
{
    struct code *code = &a->code[index];
    struct state state = a->states[code->state];
    bool returned = false; /* behind a call, perhaps with padding between */

    for (;;) {
        struct code *next = code_at(a, code->off + code->size);
        struct code *target;
        bool through = falls_through(a, code);
        uint32_t off;

        if (++a->steps > STEPS_MAX) {
            a->failed = STATUS_UNSUPPORTED;
            return;
        }

        if (code->flow == FLOW_INDIRECT)
            note_indirect(a, &state);
        execute(a, code, &state);
        if (code->flow == FLOW_CALL)
            note_call(a, &state);
        if (inner_target(a, code, &off) && (target = code_at(a, off))) {
            if (code->flow != FLOW_CALL)
                arrive(a, target, &state);
            else if (target != next)
                arrive_called(a, target);
            else
                arrive_behind(a, target, &state);
            through = through && !(code->flow == FLOW_CALL && target == next);
        }
        if (!through || !next)
            return;
        returned = code->flow == FLOW_CALL || (returned && code->padding);
        if (next->leader) {
            if (returned)
                note_return(a, next, &state);
            else
                arrive(a, next, &state);
            return;
        }
        code = next;
    }
}

static void propagate(struct prologue *a)
{
    while ((a->todo_count > 0 || a->returned_count > 0) && a->failed == STATUS_OK) {
        uint32_t index;

        if (a->todo_count == 0) {
            arrive_returned(a);
            continue;
        }
        index = a->todo[--a->todo_count];
        a->code[index].queued = false;
        run_block(a, index);
    }
}

/* The next offset from `off` on that no instruction covers and that is not padding; size: none. */
static uint32_t next_gap(struct prologue *a, uint32_t off)
{
    while (off < a->size) {
        struct code *code = code_at(a, off);
        struct insn insn;

        if (code) {
            off += code->size;
            continue;
        }
        if (decoder_decode(a->in->decoder, a->in->bytes + off, a->size - off,
                           a->in->start_vaddr + off, &insn) != STATUS_OK) {
            off++;
            continue;
        }
        if (!insn.padding)
            return off;
        off += insn.size;
    }
    return (uint32_t)a->size;
}

/* Decodes the whole function, so that all meeting points are known before states flow. */
static void discover_all(struct prologue *a)
{
    uint32_t off = 0;

    discover(a, 0);
    while (a->failed == STATUS_OK && (off = next_gap(a, off)) < a->size) {
        struct code *code;

        discover(a, off);
        code = code_at(a, off);
        if (code)
            code->gap = code->leader = true;
        else
            off++;
    }
    mark_leaders(a);
    for (size_t i = 0; i < a->in->arrival_count; i++) {
        struct code *code;

        if (inside(a, a->in->arrivals[i].vaddr, &off) && (code = code_at(a, off)))
            code->leader = true;
    }
    a->todo_count = 0;
}

/* What unreached code is assumed to begin with; of the registers, only those that calls leave alone. */
static void arrive_guessed(struct prologue *a, struct code *code)
{
    const struct arch *arch = a->in->arch;
    struct state guess = a->has_indirect ? a->indirect : a->called;

    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (!(arch->callee_saved >> reg & 1) && reg != arch->sp)
            guess.regs[reg] = (struct value){.kind = VALUE_UNKNOWN};
    arrive(a, code, &guess);
}

/*
 * Code that no direct path reaches: cases of jump tables, else landing pads, which are entered with the frame of a call.
 */
static void fill_gaps(struct prologue *a)
{
    bool again = a->has_indirect || a->has_called;

    /* The gaps may hold jump tables at other depths: all of them may belong to either then. */
    while (again) {
        again = false;
        for (size_t i = 0; i < a->code_count && a->failed == STATUS_OK; i++) {
            struct code *code = &a->code[i];

            if (!code->gap || (code->state >= 0 && !(code->guessed && a->has_indirect)))
                continue;
            code->guessed = true;
            arrive_guessed(a, code);
            again = again || a->todo_count > 0;
            propagate(a);
        }
    }
}

static enum status emit(struct row_table *out, const struct row *row)
{
    struct row *last = out->count ? &out->rows[out->count - 1] : NULL;

    if (last && last->end_vaddr == row->start_vaddr && row_same_rules(last, row)) {
        last->end_vaddr = row->end_vaddr;
        return STATUS_OK;
    }
    if (vec_reserve(&out->rows, &out->cap, out->count + 1, sizeof(*out->rows)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    out->rows[out->count++] = *row;
    return STATUS_OK;
}

/* One more walk, in address order, that turns the state before each instruction into its row. */
static enum status emit_rows(const struct prologue *a, struct row_table *out)
{
    struct state state;
    bool valid = false;
    uint32_t off = 0;

    while (off < a->size) {
        const struct code *code = code_at(a, off);
        uint64_t vaddr = a->in->start_vaddr + off;
        struct row row;

        if (!code) {
            valid = false;
            off++;
            continue;
        }
        if (code->state >= 0) {
            state = a->states[code->state];
            valid = true;
        }
        if (valid) {
            row_init(&row, vaddr, vaddr + code->size, TRUST_PROLOGUE);
            state_to_row(&state, a->in->arch, &row);
            if (emit(out, &row) != STATUS_OK)
                return STATUS_NO_MEMORY;
            execute(a, code, &state);
            valid = falls_through(a, code);
        }
        off += code->size;
    }
    return STATUS_OK;
}

void prologue_destroy(struct prologue *a)
{
    if (!a)
        return;
    free(a->at);
    free(a->code);
    free(a->ops);
    free(a->states);
    free(a->todo);
    free(a->returned);
    free(a);
}

/* Brings the function's states to the fixpoint. */
static enum status run(struct prologue *a)
{
    struct state entry;
    struct code *code;

    discover_all(a);
    state_init_entry(&entry, a->in->arch);
    if (!a->in->not_entered && (code = code_at(a, 0)))
        arrive(a, code, &entry);
    for (size_t i = 0; i < a->in->arrival_count; i++) {
        uint32_t off;

        if (inside(a, a->in->arrivals[i].vaddr, &off) && (code = code_at(a, off)))
            arrive(a, code, &a->in->arrivals[i].state);
    }
    propagate(a);
    fill_gaps(a);
    return a->failed;
}

enum status prologue_create(const struct prologue_input *input, struct prologue **out)
{
    struct prologue *a;
    enum status status = STATUS_NO_MEMORY;

    if (input->end_vaddr <= input->start_vaddr ||
        input->end_vaddr - input->start_vaddr > PROLOGUE_FUNCTION_MAX)
        return STATUS_UNSUPPORTED;
    a = calloc(1, sizeof(*a));
    if (!a)
        return STATUS_NO_MEMORY;
    a->input = *input;
    a->in = &a->input;
    a->size = input->end_vaddr - input->start_vaddr;
    a->at = calloc((size_t)a->size, sizeof(*a->at));
    if (a->at)
        status = run(a);
    if (status != STATUS_OK) {
        prologue_destroy(a);
        return status;
    }
    a->input.arrivals = NULL;
    a->input.arrival_count = 0;
    *out = a;
    return STATUS_OK;
}

enum status prologue_analyse(const struct prologue_input *input, struct row_table *out)
{
    struct prologue *a;
    enum status status = prologue_create(input, &a);

    *out = (struct row_table){0};
    if (status != STATUS_OK)
        return status;
    status = emit_rows(a, out);
    if (status != STATUS_OK)
        row_table_deinit(out);
    prologue_destroy(a);
    return status;
}

/* Walks the block that holds the jump, from its leader to the jump. */
static enum status state_before(const struct prologue *a, uint32_t wanted, struct state *out)
{
    bool valid = false;
    uint32_t off = 0;

    while (off <= wanted) {
        const struct code *code = code_at(a, off);

        if (!code) {
            valid = false;
            off++;
            continue;
        }
        if (code->state >= 0) {
            *out = a->states[code->state];
            valid = true;
        }
        if (off == wanted)
            return valid ? STATUS_OK : STATUS_NOT_FOUND;
        if (valid) {
            execute(a, code, out);
            valid = falls_through(a, code);
        }
        off += code->size;
    }
    return STATUS_NOT_FOUND;
}

enum status prologue_state_at_jump(const struct prologue *a, uint64_t vaddr, uint64_t target_vaddr,
                                   struct state *out)
{
    uint32_t off;
    const struct code *code = inside(a, vaddr, &off) ? code_at(a, off) : NULL;

    if (!code || (code->flow != FLOW_JUMP && code->flow != FLOW_BRANCH) || !code->has_target ||
        code->target_vaddr != target_vaddr)
        return STATUS_NOT_FOUND;
    return state_before(a, off, out);
}

void row_table_deinit(struct row_table *table)
{
    free(table->rows);
    *table = (struct row_table){0};
}

const struct row *row_table_find(const struct row_table *table, uint64_t vaddr)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (table->rows[mid].end_vaddr <= vaddr)
            low = mid + 1;
        else
            high = mid;
    }
    return low < table->count && vaddr >= table->rows[low].start_vaddr ? &table->rows[low] : NULL;
}
