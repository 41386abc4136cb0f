/* SPDX-License-Identifier: MIT */
#include "unwind/sources/cfi_program.h"

#include <dwarf.h>

#include "arch/analysis/analysis.h"

/* DW_CFA_AARCH64_negate_ra_state_with_pc (Armv9.5's PAuth_LR): the signature is of the PC, too. */
#define AARCH64_NEGATE_RA_STATE_WITH_PC 0x2c

struct cfi_program {
    const struct cfi_section *section;
    const struct cfi_cie *cie;
    uint64_t end_vaddr; /* of the FDE */
    struct row row;     /* being built; start_vaddr is where it begins */
    struct row initial; /* after the CIE's instructions, for DW_CFA_restore */
    struct row remembered[CFI_REMEMBER_MAX];
    unsigned depth;
    bool in_cie;
    bool ended; /* the receiver wants no more rows */
    cfi_row_fn *deliver;
    void *context;
};

static bool is_left_alone(const struct rule *rule)
{
    return rule->kind == RULE_UNSPECIFIED || rule->kind == RULE_SAME;
}

/*
 * A function called by another link register than the ABI's (RISC-V's outlined prologues by t0)
 * returns by that register until it stores it, and leaves the ABI's alone.
 */
static void return_by_other_register(struct row *row, const struct arch *arch, unsigned ra)
{
    if (is_left_alone(&row->ra))
        row->ra = (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)ra};
    if (row->regs[arch->lr].kind == RULE_UNSPECIFIED)
        row->regs[arch->lr] = (struct rule){.kind = RULE_SAME};
}

static void deliver_until(struct cfi_program *p, uint64_t end_vaddr)
{
    const struct arch *arch = p->section->arch;
    unsigned ra = (unsigned)p->cie->ra_reg;

    if (p->in_cie || end_vaddr <= p->row.start_vaddr)
        return;
    p->row.end_vaddr = end_vaddr;
    p->row.ra = p->row.regs[ra];
    if (ra != arch->ra_column && ra == arch->outline_link && arch->lr != REG_NONE) {
        struct row row = p->row; /* a copy: the program goes on with p->row */

        return_by_other_register(&row, arch, ra);
        p->ended = !p->deliver(p->context, &row);
    } else {
        p->ended = !p->deliver(p->context, &p->row);
    }
    p->row.start_vaddr = end_vaddr;
}

static enum status advance_to(struct cfi_program *p, uint64_t vaddr)
{
    /* Rows ascend (6.4.2.1); an advance to the range's end ends the program. */
    if (p->in_cie || vaddr < p->row.start_vaddr)
        return STATUS_BAD_DATA;
    deliver_until(p, vaddr < p->end_vaddr ? vaddr : p->end_vaddr);
    if (vaddr >= p->end_vaddr)
        p->ended = true;
    return STATUS_OK;
}

static enum status advance(struct cfi_program *p, uint64_t delta)
{
    uint64_t scaled, vaddr;

    if (__builtin_mul_overflow(delta, p->cie->code_align, &scaled) ||
        __builtin_add_overflow(p->row.start_vaddr, scaled, &vaddr))
        return STATUS_BAD_DATA;
    return advance_to(p, vaddr);
}

/* Registers beyond are ones that no architecture here unwinds. */
static bool is_ours(const struct cfi_program *p, uint64_t reg)
{
    return reg < p->section->arch->dwarf_regs;
}

/* Returns the rule of a register; those that are not unwound share `unused`. */
static struct rule *rule_of(struct cfi_program *p, uint64_t reg, struct rule *unused)
{
    return is_ours(p, reg) ? &p->row.regs[reg] : unused;
}

static bool factored(const struct cfi_program *p, int64_t operand, int32_t *out)
{
    int64_t off;

    if (__builtin_mul_overflow(operand, p->cie->data_align, &off) || off < INT32_MIN ||
        off > INT32_MAX)
        return false;
    *out = (int32_t)off;
    return true;
}

static enum status set_offset_rule(struct cfi_program *p, uint64_t reg, enum rule_kind kind,
                                   int64_t operand)
{
    struct rule unused;
    int32_t off;

    if (!factored(p, operand, &off))
        return STATUS_BAD_DATA;
    *rule_of(p, reg, &unused) = (struct rule){.kind = (uint8_t)kind, .off = off};
    return STATUS_OK;
}

static enum status set_cfa(struct cfi_program *p, uint64_t reg, int64_t off)
{
    if (!is_ours(p, reg))
        return STATUS_UNSUPPORTED;
    if (off < INT32_MIN || off > INT32_MAX)
        return STATUS_BAD_DATA;
    p->row.cfa = (struct rule){.kind = CFA_REG, .reg = (uint8_t)reg, .off = (int32_t)off};
    return STATUS_OK;
}

static enum status read_expression(struct cursor *c, uint8_t kind, struct rule *rule)
{
    const uint8_t *bytes;
    uint64_t size;

    if (!cursor_uleb(c, &size) || !cursor_bytes(c, size, &bytes))
        return STATUS_BAD_DATA;
    if (size > UINT16_MAX || (uint64_t)(bytes - c->data) > INT32_MAX)
        return STATUS_UNSUPPORTED;
    *rule =
        (struct rule){.kind = kind, .expr_size = (uint16_t)size, .off = (int32_t)(bytes - c->data)};
    return STATUS_OK;
}

/* RISC-V's CIEs begin with DW_CFA_def_cfa_register (GNU as): at first the offset is 0. */
static bool has_cfa_offset(const struct cfi_program *p)
{
    return p->row.cfa.kind == CFA_REG || (p->in_cie && p->row.cfa.kind == CFA_UNKNOWN);
}

/* DW_CFA_def_cfa and its variants (6.4.2.2). */
static enum status cfa_instruction(struct cfi_program *p, struct cursor *c, uint8_t op)
{
    uint64_t reg, off;
    int64_t soff;
    int32_t scaled;

    switch (op) {
    case DW_CFA_def_cfa:
        if (!cursor_uleb(c, &reg) || !cursor_uleb(c, &off))
            return STATUS_BAD_DATA;
        return off > INT32_MAX ? STATUS_BAD_DATA : set_cfa(p, reg, (int64_t)off);
    case DW_CFA_def_cfa_sf:
        if (!cursor_uleb(c, &reg) || !cursor_sleb(c, &soff) || !factored(p, soff, &scaled))
            return STATUS_BAD_DATA;
        return set_cfa(p, reg, scaled);
    case DW_CFA_def_cfa_expression:
        return read_expression(c, CFA_EXPR, &p->row.cfa);
    case DW_CFA_def_cfa_register:
        if (!cursor_uleb(c, &reg) || !has_cfa_offset(p))
            return STATUS_BAD_DATA;
        return set_cfa(p, reg, p->row.cfa.off);
    case DW_CFA_def_cfa_offset:
        if (!cursor_uleb(c, &off) || p->row.cfa.kind != CFA_REG || off > INT32_MAX)
            return STATUS_BAD_DATA;
        return set_cfa(p, p->row.cfa.reg, (int64_t)off);
    default: /* DW_CFA_def_cfa_offset_sf */
        if (!cursor_sleb(c, &soff) || p->row.cfa.kind != CFA_REG || !factored(p, soff, &scaled))
            return STATUS_BAD_DATA;
        return set_cfa(p, p->row.cfa.reg, scaled);
    }
}

/* Register rules (6.4.2.3). */
static enum status rule_instruction(struct cfi_program *p, struct cursor *c, uint8_t op)
{
    struct rule unused, *rule;
    uint64_t reg, operand;
    int64_t soperand;

    if (!cursor_uleb(c, &reg))
        return STATUS_BAD_DATA;
    rule = rule_of(p, reg, &unused);
    switch (op) {
    case DW_CFA_undefined:
        *rule = (struct rule){.kind = RULE_UNDEFINED};
        return STATUS_OK;
    case DW_CFA_same_value:
        *rule = (struct rule){.kind = RULE_SAME};
        return STATUS_OK;
    case DW_CFA_restore_extended:
        if (is_ours(p, reg))
            *rule = p->initial.regs[reg];
        return STATUS_OK;
    case DW_CFA_register:
        if (!cursor_uleb(c, &operand))
            return STATUS_BAD_DATA;
        *rule = is_ours(p, operand) ? (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)operand}
                                    : (struct rule){.kind = RULE_UNDEFINED};
        return STATUS_OK;
    case DW_CFA_offset_extended:
    case DW_CFA_val_offset:
    case DW_CFA_GNU_negative_offset_extended:
        if (!cursor_uleb(c, &operand) || operand > INT32_MAX)
            return STATUS_BAD_DATA;
        soperand = (int64_t)operand;
        if (op == DW_CFA_GNU_negative_offset_extended)
            soperand = -soperand;
        return set_offset_rule(p, reg, op == DW_CFA_val_offset ? RULE_IS_CFA : RULE_AT_CFA,
                               soperand);
    case DW_CFA_offset_extended_sf:
    case DW_CFA_val_offset_sf:
        if (!cursor_sleb(c, &soperand))
            return STATUS_BAD_DATA;
        return set_offset_rule(p, reg, op == DW_CFA_val_offset_sf ? RULE_IS_CFA : RULE_AT_CFA,
                               soperand);
    case DW_CFA_expression:
        return read_expression(c, RULE_AT_EXPR, rule);
    default: /* DW_CFA_val_expression */
        return read_expression(c, RULE_IS_EXPR, rule);
    }
}

static enum status remember(struct cfi_program *p)
{
    if (p->depth == CFI_REMEMBER_MAX)
        return STATUS_BAD_DATA;
    p->remembered[p->depth++] = p->row;
    return STATUS_OK;
}

static enum status restore(struct cfi_program *p)
{
    uint64_t start_vaddr = p->row.start_vaddr;
    uint32_t args_size = p->row.args_size; /* not part of the remembered rules */

    if (p->depth == 0)
        return STATUS_BAD_DATA;
    p->row = p->remembered[--p->depth];
    p->row.start_vaddr = start_vaddr;
    p->row.args_size = args_size;
    return STATUS_OK;
}

/* The operand of DW_CFA_set_loc is an address in the FDE's encoding. */
static enum status set_loc(struct cfi_program *p, struct cursor *c)
{
    uint64_t vaddr;

    if (!cfi_address_read(p->section, c, p->cie->fde_encoding, p->cie->address_size, &vaddr))
        return STATUS_BAD_DATA;
    return advance_to(p, vaddr);
}

static enum status instruction(struct cfi_program *p, struct cursor *c, uint8_t op)
{
    uint64_t operand;

    switch (op & 0xc0) {
    case DW_CFA_advance_loc:
        return advance(p, op & 0x3f);
    case DW_CFA_offset:
        if (!cursor_uleb(c, &operand) || operand > INT32_MAX)
            return STATUS_BAD_DATA;
        return set_offset_rule(p, op & 0x3f, RULE_AT_CFA, (int64_t)operand);
    case DW_CFA_restore:
        if (is_ours(p, op & 0x3f))
            p->row.regs[op & 0x3f] = p->initial.regs[op & 0x3f];
        return STATUS_OK;
    }
    switch (op) {
    case DW_CFA_nop:
        return STATUS_OK;
    case DW_CFA_set_loc:
        return set_loc(p, c);
    case DW_CFA_advance_loc1:
        return cursor_uint(c, 1, &operand) ? advance(p, operand) : STATUS_BAD_DATA;
    case DW_CFA_advance_loc2:
        return cursor_uint(c, 2, &operand) ? advance(p, operand) : STATUS_BAD_DATA;
    case DW_CFA_advance_loc4:
        return cursor_uint(c, 4, &operand) ? advance(p, operand) : STATUS_BAD_DATA;
    case DW_CFA_MIPS_advance_loc8:
        return cursor_uint(c, 8, &operand) ? advance(p, operand) : STATUS_BAD_DATA;
    case DW_CFA_remember_state:
        return remember(p);
    case DW_CFA_restore_state:
        return restore(p);
    case DW_CFA_GNU_args_size:
        if (!cursor_uleb(c, &operand) || operand > INT32_MAX)
            return STATUS_BAD_DATA;
        p->row.args_size = (uint32_t)operand;
        return STATUS_OK;
    case DW_CFA_AARCH64_negate_ra_state:
    case AARCH64_NEGATE_RA_STATE_WITH_PC:
        if (!arch_analysis(p->section->arch)->signs_return_address)
            return STATUS_UNSUPPORTED;
        p->row.ra_signed = !p->row.ra_signed;
        return STATUS_OK;
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
    case DW_CFA_def_cfa_register:
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_def_cfa_expression:
        return cfa_instruction(p, c, op);
    case DW_CFA_undefined:
    case DW_CFA_same_value:
    case DW_CFA_register:
    case DW_CFA_restore_extended:
    case DW_CFA_offset_extended:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_GNU_negative_offset_extended:
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        return rule_instruction(p, c, op);
    }
    return STATUS_UNSUPPORTED;
}

static enum status run(struct cfi_program *p, uint64_t off, uint64_t size)
{
    struct cursor c = cursor_init(p->section->bytes, (size_t)(off + size));
    enum status status = STATUS_OK;
    uint8_t op;

    c.pos = (size_t)off;
    while (status == STATUS_OK && !p->ended && cursor_u8(&c, &op))
        status = instruction(p, &c, op);
    return status;
}

enum status cfi_program_run(const struct cfi_section *section, enum trust source,
                            const struct cfi_cie *cie, const struct cfi_fde *fde,
                            cfi_row_fn *deliver, void *context)
{
    struct cfi_program
        p; /* not cleared: the remembered rows are large and set before they are used */
    enum status status;

    if (cie->ra_reg >= section->arch->dwarf_regs || cie->program_size > CFI_PROGRAM_MAX ||
        fde->program_size > CFI_PROGRAM_MAX)
        return STATUS_UNSUPPORTED;
    p.section = section;
    p.cie = cie;
    p.end_vaddr = fde->end_vaddr;
    p.depth = 0;
    p.in_cie = true;
    p.ended = false;
    p.deliver = deliver;
    p.context = context;
    row_init(&p.row, fde->start_vaddr, fde->end_vaddr, source);
    p.row.exprs = section->bytes;
    p.row.exprs_size = section->size;
    p.initial = p.row;
    p.row.signal_frame = cie->signal_frame;
    status = run(&p, cie->program_off, cie->program_size);
    if (status != STATUS_OK)
        return status;
    p.initial = p.row;
    p.depth = 0;
    p.in_cie = false;
    status = run(&p, fde->program_off, fde->program_size);
    if (status == STATUS_OK && !p.ended)
        deliver_until(&p, p.end_vaddr);
    return status;
}
