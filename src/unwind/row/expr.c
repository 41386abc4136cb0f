/* SPDX-License-Identifier: MIT */
#include "unwind/row/expr.h"

#include <dwarf.h>
#include <stdbool.h>

#include "base/bits.h"
#include "base/cursor.h"

struct expr_machine {
    const struct expr_context *context;
    struct cursor code;
    uint64_t stack[EXPR_STACK_MAX];
    unsigned depth;
};

static enum status push(struct expr_machine *m, uint64_t value)
{
    if (m->depth == EXPR_STACK_MAX)
        return STATUS_BAD_DATA;
    if (m->context->arch->word_size == 4)
        value = (uint32_t)value;
    m->stack[m->depth++] = value;
    return STATUS_OK;
}

static bool pop(struct expr_machine *m, uint64_t *value)
{
    if (m->depth == 0)
        return false;
    *value = m->stack[--m->depth];
    return true;
}

static enum status push_reg(struct expr_machine *m, uint64_t reg, int64_t off)
{
    if (reg >= m->context->arch->dwarf_regs || !regs_has(m->context->regs, (unsigned)reg))
        return STATUS_FAULT;
    return push(m, m->context->regs->value[reg] + (uint64_t)off);
}

static enum status op_constant(struct expr_machine *m, uint8_t op)
{
    unsigned size = 1u << ((op - DW_OP_const1u) / 2);
    bool is_signed = (op - DW_OP_const1u) % 2;
    uint64_t value;

    if (!cursor_uint(&m->code, size, &value))
        return STATUS_BAD_DATA;
    return push(m, is_signed ? (uint64_t)bits_signed(value, 8 * size) : value);
}

static enum status op_deref(struct expr_machine *m, unsigned size)
{
    uint64_t addr, value;
    enum status status;

    if (!pop(m, &addr) || size == 0 || size > m->context->arch->word_size)
        return STATUS_BAD_DATA;
    status = memory_read(m->context->memory, addr, size, &value);
    return status == STATUS_OK ? push(m, value) : status;
}

/* DWARF 5 section 2.5.1.3, stack operations. */
static enum status op_stack(struct expr_machine *m, uint8_t op)
{
    uint64_t top;
    uint8_t index = op == DW_OP_over ? 1 : 0;

    switch (op) {
    case DW_OP_drop:
        return pop(m, &top) ? STATUS_OK : STATUS_BAD_DATA;
    case DW_OP_swap:
        if (m->depth < 2)
            return STATUS_BAD_DATA;
        top = m->stack[m->depth - 1];
        m->stack[m->depth - 1] = m->stack[m->depth - 2];
        m->stack[m->depth - 2] = top;
        return STATUS_OK;
    case DW_OP_rot:
        if (m->depth < 3)
            return STATUS_BAD_DATA;
        top = m->stack[m->depth - 1];
        m->stack[m->depth - 1] = m->stack[m->depth - 2];
        m->stack[m->depth - 2] = m->stack[m->depth - 3];
        m->stack[m->depth - 3] = top;
        return STATUS_OK;
    case DW_OP_pick:
        if (!cursor_u8(&m->code, &index))
            return STATUS_BAD_DATA;
        break;
    }
    if (index >= m->depth)
        return STATUS_BAD_DATA;
    return push(m, m->stack[m->depth - 1 - index]);
}

/* Operators with one operand on the stack. */
static enum status op_unary(struct expr_machine *m, uint8_t op)
{
    uint64_t a, operand = 0;

    if (op == DW_OP_plus_uconst && !cursor_uleb(&m->code, &operand))
        return STATUS_BAD_DATA;
    if (!pop(m, &a))
        return STATUS_BAD_DATA;
    switch (op) {
    case DW_OP_abs:
        a = bits_signed(a, 8 * m->context->arch->word_size) < 0 ? 0 - a : a;
        break;
    case DW_OP_neg:
        a = 0 - a;
        break;
    case DW_OP_not:
        a = ~a;
        break;
    default: /* DW_OP_plus_uconst */
        a += operand;
        break;
    }
    return push(m, a);
}

/* Operators with two operands: a was below b on the stack. */
static enum status op_binary(struct expr_machine *m, uint8_t op)
{
    unsigned size = m->context->arch->word_size;
    uint64_t a, b, r = 0;
    int64_t sa, sb;

    if (!pop(m, &b) || !pop(m, &a))
        return STATUS_BAD_DATA;
    sa = bits_signed(a, 8 * size);
    sb = bits_signed(b, 8 * size);
    switch (op) {
    case DW_OP_and:
        r = a & b;
        break;
    case DW_OP_or:
        r = a | b;
        break;
    case DW_OP_xor:
        r = a ^ b;
        break;
    case DW_OP_plus:
        r = a + b;
        break;
    case DW_OP_minus:
        r = a - b;
        break;
    case DW_OP_mul:
        r = a * b;
        break;
    case DW_OP_div:
        if (b == 0)
            return STATUS_BAD_DATA;
        r = sb == -1 ? 0 - a : (uint64_t)(sa / sb);
        break;
    case DW_OP_mod:
        if (b == 0)
            return STATUS_BAD_DATA;
        r = a % b;
        break;
    case DW_OP_shl:
        r = b < 64 ? a << b : 0;
        break;
    case DW_OP_shr:
        r = b < 64 ? a >> b : 0;
        break;
    case DW_OP_shra:
        r = (uint64_t)(sa >> (b < 64 ? b : 63));
        break;
    case DW_OP_eq:
        r = a == b;
        break;
    case DW_OP_ne:
        r = a != b;
        break;
    case DW_OP_ge:
        r = sa >= sb;
        break;
    case DW_OP_gt:
        r = sa > sb;
        break;
    case DW_OP_le:
        r = sa <= sb;
        break;
    case DW_OP_lt:
        r = sa < sb;
        break;
    }
    return push(m, r);
}

static enum status op_jump(struct expr_machine *m, bool taken)
{
    uint64_t raw;
    int64_t target;

    if (!cursor_uint(&m->code, 2, &raw))
        return STATUS_BAD_DATA;
    if (!taken)
        return STATUS_OK;
    target = (int64_t)m->code.pos + bits_signed(raw, 8 * 2);
    if (target < 0 || (uint64_t)target > m->code.size)
        return STATUS_BAD_DATA;
    m->code.pos = (size_t)target;
    return STATUS_OK;
}

static enum status execute_op(struct expr_machine *m, uint8_t op)
{
    uint64_t u;
    int64_t s;
    uint8_t size;

    if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
        return push(m, (uint64_t)(op - DW_OP_lit0));
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        return cursor_sleb(&m->code, &s) ? push_reg(m, (uint64_t)(op - DW_OP_breg0), s)
                                         : STATUS_BAD_DATA;
    if (op >= DW_OP_const1u && op <= DW_OP_const8s)
        return op_constant(m, op);
    switch (op) {
    case DW_OP_nop:
        return STATUS_OK;
    case DW_OP_addr:
        return cursor_uint(&m->code, m->context->arch->word_size, &u)
                   ? push(m, u + m->context->bias)
                   : STATUS_BAD_DATA;
    case DW_OP_constu:
        return cursor_uleb(&m->code, &u) ? push(m, u) : STATUS_BAD_DATA;
    case DW_OP_consts:
        return cursor_sleb(&m->code, &s) ? push(m, (uint64_t)s) : STATUS_BAD_DATA;
    case DW_OP_bregx:
        return cursor_uleb(&m->code, &u) && cursor_sleb(&m->code, &s) ? push_reg(m, u, s)
                                                                      : STATUS_BAD_DATA;
    case DW_OP_deref:
        return op_deref(m, m->context->arch->word_size);
    case DW_OP_deref_size:
        return cursor_u8(&m->code, &size) ? op_deref(m, size) : STATUS_BAD_DATA;
    case DW_OP_skip:
        return op_jump(m, true);
    case DW_OP_bra:
        return pop(m, &u) ? op_jump(m, u != 0) : STATUS_BAD_DATA;
    case DW_OP_dup:
    case DW_OP_drop:
    case DW_OP_over:
    case DW_OP_pick:
    case DW_OP_swap:
    case DW_OP_rot:
        return op_stack(m, op);
    case DW_OP_abs:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_plus_uconst:
        return op_unary(m, op);
    }
    if ((op >= DW_OP_and && op <= DW_OP_xor) || (op >= DW_OP_eq && op <= DW_OP_ne))
        return op_binary(m, op);
    return STATUS_UNSUPPORTED;
}

enum status expr_evaluate(const struct expr_context *context, const uint8_t *bytes, uint64_t size,
                          const uint64_t *initial, uint64_t *out)
{
    struct expr_machine m = {.context = context, .code = cursor_init(bytes, (size_t)size)};
    enum status status = initial ? push(&m, *initial) : STATUS_OK;
    unsigned steps = 0;
    uint8_t op;

    while (status == STATUS_OK && cursor_u8(&m.code, &op)) {
        if (++steps > EXPR_STEPS_MAX)
            return STATUS_BAD_DATA;
        status = execute_op(&m, op);
    }
    if (status == STATUS_OK && !pop(&m, out))
        return STATUS_BAD_DATA;
    return status;
}

uint8_t expr_base(const uint8_t *bytes, uint64_t size, bool *is_deref)
{
    uint64_t i = 1;

    if (size < 2 || bytes[0] < DW_OP_breg0 || bytes[0] > DW_OP_breg31)
        return REG_NONE;
    while (i < size && bytes[i] & 0x80)
        i++;
    *is_deref = i + 2 == size && bytes[i + 1] == DW_OP_deref;
    return i + 1 == size || *is_deref ? (uint8_t)(bytes[0] - DW_OP_breg0) : REG_NONE;
}
