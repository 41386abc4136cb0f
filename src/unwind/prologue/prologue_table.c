/* SPDX-License-Identifier: MIT */
/* Reads jump tables: the targets of an indirect jump through a known value. */
#include "base/bits.h"
#include "base/vec.h"
#include "unwind/prologue/prologue_private.h"

#define CONSTANT_DISTANCE 6    /* most instructions between a constant and the comparison with it */
#define CASE_DISTANCE     4096 /* most bytes between a case and the known code before it */
#define UNDECODED_MAX     32   /* most units between that cannot be decoded: literals */
/* most instructions between a comparison and the jump through a table that it bounds */
#define BOUND_DISTANCE 24
#define OUTER_MAX      4096 /* of a function, cases outside of it */
#define OUTSIDE_MAX    64   /* of these, successive ones of a table without a bound */

/* Returns the constant that was put into `reg` before number `node_index`; -1: not known. */
static int64_t constant_before(const struct prologue *a, uint32_t node_index, uint8_t reg)
{
    for (unsigned i = 1; i <= CONSTANT_DISTANCE && i <= node_index; i++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[node_index - i]);
        const struct code_insn *next = node_insn(a, &a->nodes[node_index - i + 1]);
        const struct op *ops = code_ops(a->in.code, insn);

        if (insn->vaddr + insn->size != next->vaddr || insn->flow == FLOW_CALL)
            return -1;
        for (unsigned k = insn->op_count; k-- > 0;) {
            if (ops[k].kind == OP_CLOBBER ? ops[k].mask >> reg & 1
                                          : ops[k].kind != OP_STORE && ops[k].dst == reg)
                return ops[k].kind == OP_CONST ? ops[k].imm : -1;
        }
    }
    return -1;
}

/*
 * Returns the number of the instruction before number `node_index` on the way to it: the one before
 * it in memory, else the only jump to it. `node_index` itself: not known.
 */
static uint32_t node_before(const struct prologue *a, uint32_t node_index)
{
    uint64_t vaddr = node_insn(a, &a->nodes[node_index])->vaddr;
    uint32_t found = node_index;

    if (node_index > 0) {
        const struct node *node = &a->nodes[node_index - 1];
        const struct code_insn *insn = node_insn(a, node);

        if (insn->vaddr + insn->size == vaddr && (node->falls_through || insn->predicate))
            return node_index - 1;
    }
    for (size_t i = 0; i < a->node_count; i++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[i]);

        if (!insn->has_target || insn->target_vaddr != vaddr || insn->flow == FLOW_CALL)
            continue;
        if (found != node_index)
            return node_index;
        found = (uint32_t)i;
    }
    return found;
}

/* Does the branch depend on equality only? Then it bounds nothing. */
static bool tells_equality(const struct code_insn *insn)
{
    return insn->flow == FLOW_BRANCH && insn->equal != EQUAL_NEVER;
}

/*
 * Returns the constant with which instruction number `node_index` compares; -1: not known. `after`:
 * the state at the jump; `written`: registers written since.
 */
static int64_t compared_with(const struct prologue *a, uint32_t node_index, const struct op *op,
                             const struct state *after, uint64_t written)
{
    const struct value *value = &after->regs[op->src2];
    int64_t bound = constant_before(a, node_index, op->src2);

    if (bound < 0 && node_insn(a, &a->nodes[node_index])->flow == FLOW_BRANCH &&
        value->kind == VALUE_CONST && value->k >= 0 && !(written >> op->src2 & 1))
        bound = value->k;
    return bound < 0 ? -1 : bound + op->imm;
}

/*
 * Does the instruction only clear bits (RISC-V's andi) of a register from which the table's index
 * does not come? The index comes from `sources`. Compilers mask other numbers between the
 * comparison and the jump.
 */
static bool masks_another(const struct prologue *a, const struct code_insn *insn,
                          const struct op *op, uint64_t sources)
{
    return op->kind == OP_COMPARE && op->src != REG_NONE &&
           (code_writes(a->in.code, insn) >> op->src & 1) && !(sources >> op->src & 1);
}

/* Does it load one of `sources` from the frame, where any register may have been stored? */
static bool reloads_source(const struct prologue *a, const struct code_insn *insn, uint64_t sources)
{
    const struct op *ops = code_ops(a->in.code, insn);

    for (unsigned i = 0; i < insn->op_count; i++)
        if (ops[i].kind == OP_LOAD && (sources >> ops[i].dst & 1) &&
            (ops[i].src == a->arch->sp || ops[i].src == a->arch->fp))
            return true;
    return false;
}

/* Returns the registers from which `sources`, behind the instruction, come before it. */
static uint64_t sources_before(const struct prologue *a, const struct code_insn *insn,
                               uint64_t sources)
{
    const uint64_t written = code_writes(a->in.code, insn) & sources;

    if (!written)
        return sources;
    if (reloads_source(a, insn, sources))
        return UINT64_MAX;
    return (sources & ~written) | code_reads(a->in.code, insn->vaddr, (enum code_mode)insn->mode);
}

/*
 * Returns the number of cases that the comparison before the jump allows; 0: not known. `after`:
 * the state at the jump.
 */
static uint64_t bound_before(const struct prologue *a, uint32_t node_index,
                             const struct state *after)
{
    uint64_t written = 0;         /* registers, behind the current instruction */
    uint32_t behind = node_index; /* the instruction behind node_index */
    /* registers from which the jump's target comes */
    uint64_t sources = code_reads(a->in.code, node_insn(a, &a->nodes[node_index])->vaddr,
                                  (enum code_mode)node_insn(a, &a->nodes[node_index])->mode);

    for (unsigned i = 1; i <= BOUND_DISTANCE; i++) {
        uint32_t before = node_before(a, node_index);
        const struct code_insn *insn = node_insn(a, &a->nodes[before]);
        const struct code_insn *next = node_insn(a, &a->nodes[node_index]);
        const struct code_insn *next_but_one = node_insn(a, &a->nodes[behind]);
        const struct op *ops = code_ops(a->in.code, insn);

        if (before == node_index || insn->flow == FLOW_CALL)
            return 0;
        for (unsigned k = 0; k < insn->op_count; k++) {
            int64_t bound = -1;

            if (tells_equality(insn) || masks_another(a, insn, &ops[k], sources))
                continue;
            if (ops[k].kind == OP_COMPARE)
                bound = ops[k].imm;
            else if (ops[k].kind == OP_COMPARE_REG &&
                     (i <= CONSTANT_DISTANCE / 2 || insn->flow == FLOW_BRANCH))
                bound = compared_with(a, before, &ops[k], after, written);
            if (tells_equality(next) &&
                (next_but_one->flow != FLOW_BRANCH || tells_equality(next_but_one)))
                continue;
            if (bound >= 0 && bound < CASES_MAX)
                return (uint64_t)bound + 1;
        }
        written |= code_writes(a->in.code, insn);
        sources = sources_before(a, insn, sources);
        behind = node_index;
        node_index = before;
    }
    return 0;
}

/* Reads case number `index` of the table; false: it is not in the file. */
static bool read_case(const struct prologue *a, const struct value *value, uint64_t index,
                      uint64_t *vaddr)
{
    uint64_t element;

    if (value->kind == VALUE_STRIDE) {
        *vaddr = (uint64_t)value->k + index * value->size;
        return true;
    }
    if (!code_read_data(a->in.code, (uint64_t)value->k + index * value->size, value->size,
                        &element))
        return false;
    if (value->shift & VALUE_SIGNED)
        element = (uint64_t)bits_signed(element, 8 * value->size);
    if (value->kind == VALUE_ELEMENT)
        element |= value->base;
    if (value->kind == VALUE_TABLE)
        element = (uint64_t)value->k + (uint64_t)(int64_t)(int32_t)value->base +
                  (element << (value->shift & ~VALUE_SIGNED & 63));
    *vaddr = a->arch->word_size == 4 ? (uint32_t)element : element;
    return true;
}

/*
 * Are the elements addresses? On machines of 8 bytes they may be words of 4, for addresses below 2
 * GiB (RISC-V's tables in programs that are loaded at fixed addresses).
 */
static bool is_address(const struct prologue *a, const struct value *value)
{
    return value->kind == VALUE_ELEMENT &&
           (value->size == a->arch->word_size || (value->size == 4 && value->shift & VALUE_SIGNED));
}

static bool is_table(const struct prologue *a, const struct value *value)
{
    return value->kind == VALUE_TABLE || (value->kind == VALUE_STRIDE && value->size) ||
           is_address(a, value);
}

/*
 * Returns the mode of a case: pointers have it in their low bit, labels are in the jump's. Clears
 * that bit in *vaddr.
 */
static enum code_mode case_mode(const struct prologue *a, const struct node *node,
                                const struct value *value, uint64_t *vaddr)
{
    enum code_mode mode = (enum code_mode)node_insn(a, node)->mode;

    if (!code_has_two_modes(a->in.code))
        return mode;
    if (value->kind == VALUE_ELEMENT && (*vaddr & 1))
        mode = CODE_T32;
    *vaddr &= ~UINT64_C(1);
    return mode;
}

/* Returns the next address behind the table's start that the code names: the table's limit. */
static uint64_t table_limit(const struct prologue *a, const struct value *value)
{
    uint64_t start_vaddr = (uint64_t)value->k, limit = UINT64_MAX;

    for (size_t i = 0; i < a->node_count; i++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[i]);
        const struct op *ops = code_ops(a->in.code, insn);

        for (unsigned k = 0; k < insn->op_count; k++)
            if (ops[k].kind == OP_CONST && (uint64_t)ops[k].imm > start_vaddr &&
                (uint64_t)ops[k].imm < limit)
                limit = (uint64_t)ops[k].imm;
    }
    for (size_t i = 0; i < a->table_count; i++)
        if ((uint64_t)a->tables[i].value.k > start_vaddr && (uint64_t)a->tables[i].value.k < limit)
            limit = (uint64_t)a->tables[i].value.k;
    return limit;
}

/*
 * Does an instruction begin at `vaddr`, as all cases do? Code between known instructions can be
 * decoded from one to the other, except for literals and the table itself, which may end anywhere.
 */
static bool begins_instruction(const struct prologue *a, uint64_t vaddr, enum code_mode mode,
                               uint64_t table_vaddr)
{
    uint64_t at = vaddr;
    const struct node *node = NULL;
    unsigned undecoded = 0;
    uint32_t index;

    if (prologue_node_at(a, vaddr))
        return true;
    while (!node && at > a->in.start_vaddr && vaddr - at < CASE_DISTANCE)
        node = prologue_node_at(a, at -= a->in.code->unit);
    if (!node)
        return true;
    while (at < vaddr && at != table_vaddr) {
        if (code_get(a->in.code, at, mode, 0, &index) == STATUS_OK)
            at += code_insn(a->in.code, index)->size;
        else if (undecoded++ < UNDECODED_MAX)
            at += a->in.code->unit;
        else
            return false;
    }
    return at == vaddr || at == table_vaddr;
}

/* Notes a case outside of the function: the default, or in a fragment. */
static void note_outer(struct prologue *a, uint32_t node_index, uint64_t vaddr)
{
    if (a->outer_count >= OUTER_MAX ||
        (a->outer_count > 0 && a->outer[a->outer_count - 1].vaddr == vaddr))
        return;
    if (vec_reserve(&a->outer, &a->outer_cap, a->outer_count + 1, sizeof(*a->outer)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    a->outer[a->outer_count++] =
        (struct outer_case){.insn_vaddr = node_insn(a, &a->nodes[node_index])->vaddr,
                            .vaddr = vaddr};
}

/*
 * May a table without a bound go on behind a case outside of the function? It may if the case is a
 * whole address of code: compilers that move seldom executed code elsewhere move cases, too. A
 * distance always leads to some code.
 */
static bool goes_on_behind(const struct prologue *a, const struct value *value, uint64_t vaddr,
                           enum code_mode mode)
{
    uint32_t index;

    return value->kind == VALUE_ELEMENT && !code_has_two_modes(a->in.code) &&
           code_get(a->in.code, vaddr, mode, 0, &index) == STATUS_OK;
}

/*
 * Reads the cases and decodes them: as many as the comparison allows; without a comparison up to
 * the first that leads to no code or, unless it is a pointer, outside. Ends before the code of the
 * cases (T32's tables are right before it).
 */
static void read_cases(struct prologue *a, uint32_t node_index, const struct value *value,
                       const struct state *after, struct table *table)
{
    uint64_t bound = bound_before(a, node_index, after), lowest = UINT64_MAX;
    uint64_t limit = table_limit(a, value);
    const uint64_t table_vaddr = value->kind == VALUE_STRIDE ? 0 : (uint64_t)value->k;
    unsigned outside = 0; /* successive cases */

    for (uint64_t i = 0; i < (bound ? bound : CASES_MAX); i++) {
        uint64_t vaddr, element_vaddr = (uint64_t)value->k + i * value->size;
        enum code_mode mode;

        if (value->kind != VALUE_STRIDE && (element_vaddr >= lowest || element_vaddr >= limit))
            break;
        if (!read_case(a, value, i, &vaddr))
            break;
        mode = case_mode(a, &a->nodes[node_index], value, &vaddr);
        /* Without a bound a pointer to the function is in another table. */
        if (!bound && vaddr == a->in.start_vaddr)
            break;
        if (!prologue_inside(a, vaddr)) {
            if (!bound && (++outside > OUTSIDE_MAX || !goes_on_behind(a, value, vaddr, mode)))
                break;
            note_outer(a, node_index, vaddr);
            continue;
        }
        outside = 0;
        /* Without a bound only the first is known. */
        if ((value->kind == VALUE_STRIDE && !bound && i > 0) ||
            !begins_instruction(a, vaddr, mode, table_vaddr))
            break;
        if (vaddr > element_vaddr && vaddr < lowest)
            lowest = vaddr;
        if (vec_reserve(&a->cases, &a->case_cap, a->case_count + 1, sizeof(*a->cases)) !=
            STATUS_OK) {
            a->failed = STATUS_NO_MEMORY;
            return;
        }
        a->cases[a->case_count++] = (struct pending){.vaddr = vaddr, .mode = (uint8_t)mode};
        table->case_count++;
        prologue_discover(a, vaddr, mode);
    }
}

/* Was the table of this jump read, with all cases outside of the function? */
static bool was_read(const struct prologue *a, uint32_t node_index)
{
    for (size_t i = 0; i < a->outer_count; i++)
        if (a->outer[i].insn_vaddr == node_insn(a, &a->nodes[node_index])->vaddr)
            return true;
    return false;
}

bool prologue_resolve_table(struct prologue *a, uint32_t node_index, uint8_t jump_reg,
                            const struct state *after)
{
    const struct value *value = &after->regs[jump_reg];
    struct table table = {.value = *value, .first_case = (uint32_t)a->case_count};

    if (a->nodes[node_index].table >= 0)
        return true;
    if (!is_table(a, value) || was_read(a, node_index) || a->table_count >= TABLES_MAX ||
        vec_reserve(&a->tables, &a->table_cap, a->table_count + 1, sizeof(*a->tables)) != STATUS_OK)
        return false;
    read_cases(a, node_index, value, after, &table);
    if (table.case_count == 0)
        return false;
    if (value->kind != VALUE_STRIDE)
        prologue_note_data(a, (uint64_t)value->k,
                           (uint64_t)value->k + table.case_count * value->size);
    a->nodes[node_index].table = (int32_t)a->table_count;
    a->tables[a->table_count++] = table;
    prologue_mark_leaders(a);
    return true;
}
