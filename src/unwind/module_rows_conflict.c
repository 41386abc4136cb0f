/* SPDX-License-Identifier: MIT */
/* Decides between two CFI sections of a module that contradict each other. */
#include "unwind/module_rows_private.h"
#include "unwind/sources/cfi.h"

bool module_rows_conflict(struct module_rows *rows)
{
    struct cfi *debug_frame = module_rows_cfi(rows, TRUST_DEBUG_FRAME);
    struct cfi *eh_frame = module_rows_cfi(rows, TRUST_EH_FRAME);
    uint64_t start_vaddr, end_vaddr, other_vaddr;

    if (rows->conflict_tried || !debug_frame || !eh_frame)
        return rows->conflict;
    rows->conflict_tried = true;
    for (size_t i = 0;
         !rows->conflict && cfi_function_at(debug_frame, i, &start_vaddr, &end_vaddr) == STATUS_OK;
         i++)
        rows->conflict =
            cfi_function(eh_frame, start_vaddr, &other_vaddr, &end_vaddr) == STATUS_OK &&
            other_vaddr != start_vaddr;
    return rows->conflict;
}

/* Do the rules find a value in one place? Expressions are taken to. */
static bool same_place(const struct rule *a, const struct rule *b, uint8_t expression)
{
    if (a->kind != b->kind)
        return false;
    return a->kind >= expression || (a->reg == b->reg && a->off == b->off);
}

/* The rule of a register that functions keep: without a rule its value has not been moved. */
static struct rule kept(struct rule rule)
{
    if (rule.kind == RULE_UNSPECIFIED)
        rule = (struct rule){.kind = RULE_SAME};
    return rule;
}

static bool agree(const struct row *a, const struct row *b, const struct arch *arch)
{
    const struct rule a_ra = kept(a->ra), b_ra = kept(b->ra);

    if (!same_place(&a->cfa, &b->cfa, CFA_EXPR) || a->cfa_add != b->cfa_add ||
        !same_place(&a_ra, &b_ra, RULE_AT_EXPR))
        return false;
    for (uint64_t regs = arch->callee_saved; regs; regs &= regs - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(regs);
        const struct rule a_rule = kept(a->regs[reg]), b_rule = kept(b->regs[reg]);

        if (!same_place(&a_rule, &b_rule, RULE_AT_EXPR))
            return false;
    }
    return true;
}

/* Sets *room to the row by analysis; *found: there is one. Fails with NO_MEMORY only. */
static enum status by_code(struct module_rows *rows, uint64_t vaddr, struct row *room, bool *found)
{
    const struct row_table *table;
    enum status status = module_rows_analyse(rows, vaddr, &table);

    *found = status == STATUS_OK && row_table_find(table, vaddr, room);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static void tell(struct module_rows *rows)
{
    struct diag why;

    diag_set(&why, rows->module->file.path,
             "its .debug_frame and .eh_frame contradict each other: the code decides where");
    module_note(rows->module, &why);
}

enum status module_rows_confirm(struct module_rows *rows, enum trust source, uint64_t vaddr,
                                const struct row *row)
{
    const bool is_debug = source == TRUST_DEBUG_FRAME;
    struct cfi *cfi = module_rows_cfi(rows, is_debug ? TRUST_EH_FRAME : TRUST_DEBUG_FRAME);
    const struct arch *arch = elf_image_arch(module_rows_image(rows));
    struct row other, code;
    enum status status = cfi && arch ? cfi_find(cfi, vaddr, &other) : STATUS_UNSUPPORTED;
    const bool has_other = status == STATUS_OK;
    bool found;

    if (status == STATUS_NO_MEMORY)
        return status;
    if (!cfi || !arch || (has_other && agree(row, &other, arch)) ||
        (!has_other && !(is_debug && module_rows_conflict(rows))))
        return STATUS_OK;
    tell(rows);
    if (by_code(rows, vaddr, &code, &found) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (found && agree(row, &code, arch))
        return STATUS_OK;
    if (!is_debug && !(found && agree(&other, &code, arch)))
        return STATUS_OK;
    return STATUS_NOT_FOUND;
}
