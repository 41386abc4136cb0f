/* SPDX-License-Identifier: MIT */
#include "unwind/row/row.h"

#include <string.h>

#include "unwind/row/expr.h"

void row_init(struct row *row, uint64_t start_vaddr, uint64_t end_vaddr, enum trust source)
{
    *row = (struct row){.start_vaddr = start_vaddr, .end_vaddr = end_vaddr, .source = source};
}

struct execution {
    const struct row *row;
    struct expr_context context;
    uint64_t cfa;
};

static enum status evaluate(const struct execution *e, const struct rule *rule,
                            const uint64_t *initial, uint64_t *out)
{
    if ((uint32_t)rule->off > e->row->exprs_size ||
        rule->expr_size > e->row->exprs_size - (uint32_t)rule->off)
        return STATUS_BAD_DATA;
    return expr_evaluate(&e->context, e->row->exprs + (uint32_t)rule->off, rule->expr_size, initial,
                         out);
}

static uint64_t wrap(const struct execution *e, uint64_t value)
{
    return e->context.arch->word_size == 4 ? (uint32_t)value : value;
}

static enum status read_word(const struct execution *e, uint64_t addr, uint64_t *out)
{
    return memory_read(e->context.memory, wrap(e, addr), e->context.arch->word_size, out);
}

static enum status find_cfa(struct execution *e)
{
    const struct rule *cfa = &e->row->cfa;
    const struct regs *regs = e->context.regs;
    enum status status;

    switch ((enum cfa_kind)cfa->kind) {
    case CFA_UNKNOWN:
        return STATUS_NOT_FOUND;
    case CFA_REG:
    case CFA_DEREF:
        if (!regs_has(regs, cfa->reg))
            return STATUS_FAULT;
        e->cfa = wrap(e, regs->value[cfa->reg] + (uint64_t)(int64_t)cfa->off);
        if (cfa->kind == CFA_REG)
            return STATUS_OK;
        status = read_word(e, e->cfa, &e->cfa);
        e->cfa = wrap(e, e->cfa + (uint64_t)(int64_t)e->row->cfa_add);
        return status;
    case CFA_EXPR:
        return evaluate(e, cfa, NULL, &e->cfa);
    }
    return STATUS_NOT_FOUND;
}

uint8_t row_expr_base(const struct row *row, const struct rule *rule, bool *is_deref)
{
    if ((uint32_t)rule->off > row->exprs_size ||
        rule->expr_size > row->exprs_size - (uint32_t)rule->off)
        return REG_NONE;
    return expr_base(row->exprs + (uint32_t)rule->off, rule->expr_size, is_deref);
}

/*
 * For a realigned frame gcc names FP as the base of saved registers up to the function's end. Where
 * FP is the caller's again the registers are restored, too: nothing is restored after FP.
 */
static bool is_given_back(const struct execution *e, const struct rule *rule)
{
    const struct arch *arch = e->context.arch;
    const struct regs *regs = e->context.regs;
    bool is_deref;

    return e->row->cfa.kind == CFA_REG && e->row->cfa.reg != arch->fp && !e->row->signal_frame &&
           regs_has(regs, arch->fp) && regs_has(regs, arch->sp) &&
           row_expr_base(e->row, rule, &is_deref) == arch->fp && !is_deref &&
           (regs->value[arch->fp] >= e->cfa || regs->value[arch->fp] < regs->value[arch->sp]);
}

/* The caller's value of `reg`. NOT_FOUND: it cannot be recovered. */
static enum status apply(const struct execution *e, const struct rule *rule, unsigned reg,
                         uint64_t *out)
{
    const struct regs *regs = e->context.regs;
    uint64_t off = (uint64_t)(int64_t)rule->off;
    uint64_t addr;
    enum status status;

    switch ((enum rule_kind)rule->kind) {
    case RULE_UNDEFINED:
        return STATUS_NOT_FOUND;
    case RULE_UNSPECIFIED:
    case RULE_SAME:
        if (!regs_has(regs, reg))
            return STATUS_NOT_FOUND;
        *out = regs->value[reg];
        return STATUS_OK;
    case RULE_AT_CFA:
        return read_word(e, e->cfa + off, out);
    case RULE_IS_CFA:
        *out = wrap(e, e->cfa + off);
        return STATUS_OK;
    case RULE_IN_REG:
        if (!regs_has(regs, rule->reg))
            return STATUS_NOT_FOUND;
        *out = wrap(e, regs->value[rule->reg] + off);
        return STATUS_OK;
    case RULE_AT_REG:
        if (!regs_has(regs, rule->reg))
            return STATUS_NOT_FOUND;
        return read_word(e, regs->value[rule->reg] + off, out);
    case RULE_AT_EXPR:
        if (is_given_back(e, rule) && regs_has(regs, reg)) {
            *out = regs->value[reg];
            return STATUS_OK;
        }
        status = evaluate(e, rule, &e->cfa, &addr);
        return status == STATUS_OK ? read_word(e, addr, out) : status;
    case RULE_IS_EXPR:
        return evaluate(e, rule, &e->cfa, out);
    }
    return STATUS_NOT_FOUND;
}

/* A register that cannot be recovered stays unknown, which is no error here. */
static void recover_registers(const struct execution *e, struct regs *caller)
{
    const struct arch *arch = e->context.arch;

    caller->known = 0;
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        const struct rule *rule = &e->row->regs[reg];
        uint64_t value;

        if (reg == arch->pc || reg == arch->sp)
            continue;
        if (rule->kind == RULE_UNSPECIFIED && !(arch->callee_saved >> reg & 1))
            continue;
        if (apply(e, rule, reg, &value) == STATUS_OK)
            regs_set(caller, reg, value);
    }
    /* Only handlers change it, and save it if they may be interrupted themselves. */
    if (regs_has(e->context.regs, arch->trap_pc) && !e->row->signal_frame)
        regs_set(caller, arch->trap_pc, e->context.regs->value[arch->trap_pc]);
}

/* Returns the caller's SP of a row that has no rule for it. */
static uint64_t usual_sp(const struct execution *e)
{
    const struct arch *arch = e->context.arch;

    if (!row_drops_link(e->row, arch))
        return e->cfa;
    return wrap(e, e->cfa + (uint64_t)e->row->ra.off + arch->word_size);
}

enum status row_execute(const struct row *row, const struct arch *arch, uint64_t bias,
                        const struct regs *frame, const struct memory *memory, struct regs *caller,
                        uint64_t *cfa)
{
    struct execution e = {
        .row = row,
        .context = {.arch = arch, .regs = frame, .memory = memory, .bias = bias},
    };
    unsigned ra_reg = arch->lr != REG_NONE ? arch->lr : arch->pc;
    const struct rule *sp_rule = &row->regs[arch->sp];
    uint64_t value;
    enum status status = find_cfa(&e);

    *cfa = e.cfa;
    if (row->ra.kind == RULE_UNDEFINED)
        return STATUS_END;
    if (status != STATUS_OK)
        return status;
    if (row->ra.kind == RULE_UNSPECIFIED && arch->lr == REG_NONE)
        return STATUS_NOT_FOUND;
    status = apply(&e, &row->ra, ra_reg, &value);
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_FAULT : status;
    recover_registers(&e, caller);
    regs_set(caller, arch->pc, value);
    value = usual_sp(&e);
    if (sp_rule->kind != RULE_UNSPECIFIED && apply(&e, sp_rule, arch->sp, &value) != STATUS_OK)
        return STATUS_FAULT;
    regs_set(caller, arch->sp, value);
    return STATUS_OK;
}

bool row_drops_link(const struct row *row, const struct arch *arch)
{
    return arch->lr != REG_NONE && !row->signal_frame && row->source != TRUST_EXIDX &&
           row->ra.kind == RULE_AT_CFA && row->ra.off >= 0;
}

static bool rule_equal(const struct rule *a, const struct rule *b)
{
    return a->kind == b->kind && a->reg == b->reg && a->off == b->off &&
           a->expr_size == b->expr_size;
}

bool row_same_rules(const struct row *a, const struct row *b)
{
    if (!rule_equal(&a->cfa, &b->cfa) || a->cfa_add != b->cfa_add || !rule_equal(&a->ra, &b->ra) ||
        a->exprs != b->exprs || a->signal_frame != b->signal_frame ||
        a->call_site_only != b->call_site_only || a->has_returned != b->has_returned ||
        a->ra_signed != b->ra_signed)
        return false;
    return memcmp(a->regs, b->regs, sizeof(a->regs)) == 0;
}

/* A rule has no padding. */
_Static_assert(sizeof(struct rule) == 8, "rules are compared as bytes");
