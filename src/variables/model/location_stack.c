/* SPDX-License-Identifier: MIT */
#include <dwarf.h>
#include <string.h>

#include "variables/model/location_machine.h"

/* ---- the stack ---- */

static struct known_how push(struct location_machine *m, struct typed_number number)
{
    if (m->depth == LOCATION_STACK_MAX)
        return unavailable("location too deep");
    m->stack[m->depth++] = number;
    return known_yes();
}

/* Pushes an answer of the frame, known or not. */
static struct known_how push_answer(struct location_machine *m, struct known_how known,
                                    uint64_t value)
{
    struct location_type generic = {0};

    return push(m, is_known(known) ? number_generic(value, m->word_size)
                                   : number_unknown(generic, known));
}

static struct known_how push_not(struct location_machine *m, const char *why)
{
    return push_answer(m, unavailable(why), 0);
}

static struct known_how op_stack(struct location_machine *m, const struct location_op *op)
{
    struct typed_number top;
    uint64_t index = op->atom == DW_OP_over ? 1 : 0;

    switch (op->atom) {
    case DW_OP_drop:
        return location_pop(m, &top) ? known_yes() : unavailable(LOCATION_MALFORMED);
    case DW_OP_swap:
    case DW_OP_rot: /* the first entry becomes the last of two, of three */
        index = op->atom == DW_OP_rot ? 2 : 1;
        if (index >= m->depth)
            return unavailable(LOCATION_MALFORMED);
        top = m->stack[m->depth - 1];
        memmove(&m->stack[m->depth - index], &m->stack[m->depth - 1 - index],
                (size_t)index * sizeof(top));
        m->stack[m->depth - 1 - index] = top;
        return known_yes();
    case DW_OP_pick:
        index = op->operand[0];
        break;
    }
    if (index >= m->depth)
        return unavailable(LOCATION_MALFORMED);
    return push(m, m->stack[m->depth - 1 - index]);
}

/* ---- numbers ---- */

static struct known_how op_constant(struct location_machine *m, const struct location_op *op)
{
    uint64_t value = op->operand[0];

    switch (op->atom) {
    case DW_OP_const1u:
        value = (uint8_t)value;
        break;
    case DW_OP_const1s:
        value = (uint64_t)(int8_t)value;
        break;
    case DW_OP_const2u:
        value = (uint16_t)value;
        break;
    case DW_OP_const2s:
        value = (uint64_t)(int16_t)value;
        break;
    case DW_OP_const4u:
        value = (uint32_t)value;
        break;
    case DW_OP_const4s:
        value = (uint64_t)(int32_t)value;
        break;
    }
    return push_answer(m, known_yes(), value);
}

/* An address of the module; before DW_OP_form_tls_address an offset: gcc has written these, too. */
static struct known_how op_addr(struct location_machine *m, const struct location_op *op)
{
    bool is_tls =
        m->next < m->location->count && m->location->ops[m->next].atom == DW_OP_form_tls_address;

    return push_answer(m, known_yes(), op->operand[0] + (is_tls ? 0 : m->frame->bias));
}

static bool is_type(struct location_type type)
{
    return type.size <= TYPED_NUMBER_SIZE_MAX && (type.size > 0 || type.encoding == 0);
}

static struct known_how op_const_type(struct location_machine *m, const struct location_op *op)
{
    if (!is_type(op->type) || op->block_size == 0 || op->block_size != op->type.size)
        return unavailable(LOCATION_MALFORMED);
    return push(m, number_of_bytes(op->type, op->block, op->type.size));
}

static struct known_how op_unary(struct location_machine *m, const struct location_op *op)
{
    struct typed_number operand;

    if (!location_pop(m, &operand))
        return unavailable(LOCATION_MALFORMED);
    return push(m, number_unary(op->atom, &operand, m->word_size));
}

static struct known_how op_binary(struct location_machine *m, const struct location_op *op)
{
    struct typed_number left, right;

    if (!location_pop(m, &right) || !location_pop(m, &left))
        return unavailable(LOCATION_MALFORMED);
    return push(m, number_binary(op->atom, &left, &right, m->word_size));
}

static struct known_how op_plus_uconst(struct location_machine *m, const struct location_op *op)
{
    struct typed_number operand;

    if (!location_pop(m, &operand))
        return unavailable(LOCATION_MALFORMED);
    return push(m, number_add(&operand, op->operand[0], m->word_size));
}

static struct known_how op_convert(struct location_machine *m, const struct location_op *op)
{
    struct typed_number number;

    if (!is_type(op->type) || !location_pop(m, &number))
        return unavailable(LOCATION_MALFORMED);
    return push(m, op->atom == DW_OP_convert ? number_convert(&number, op->type, m->word_size)
                                             : number_reinterpret(&number, op->type, m->word_size));
}

/* ---- what the frame has ---- */

static struct known_how push_reg(struct location_machine *m, uint64_t reg, uint64_t off)
{
    uint64_t value = 0;
    struct known_how known = m->frame->reg(m->frame->context, reg, &value);

    return push_answer(m, known, value + off);
}

/*
 * Pushes the low-order end of a register, as the type; or the registers that a wider one is in:
 *
 *     long long in a0 of RV32     [ a0 | a1 ]
 */
static struct known_how op_regval_type(struct location_machine *m, const struct location_op *op)
{
    struct typed_number number;
    struct known_how known;
    uint8_t bytes[TYPED_NUMBER_SIZE_MAX] = {0};
    const unsigned most = m->frame->arch->spans_registers ? sizeof(bytes) : m->word_size;

    if (!is_type(op->type))
        return unavailable(LOCATION_MALFORMED);
    if (op->type.size == 0)
        return push_reg(m, op->operand[0], 0);
    if (op->type.size > most)
        return push(m, number_unknown(op->type, unavailable("register of another size")));
    for (unsigned at = 0; at < op->type.size; at += m->word_size) {
        uint8_t word[TYPED_NUMBER_SIZE_MAX];
        uint64_t value = 0;

        known = m->frame->reg(m->frame->context, op->operand[0] + at / m->word_size, &value);
        if (!is_known(known))
            return push(m, number_unknown(op->type, known));
        number = number_generic(value, m->word_size);
        number_bytes(&number, word);
        memcpy(bytes + at, word, m->word_size);
    }
    return push(m, number_of_bytes(op->type, bytes, op->type.size));
}

static struct known_how op_base(struct location_machine *m, const struct location_op *op)
{
    uint64_t value = 0;
    struct known_how known;

    if (op->atom == DW_OP_call_frame_cfa) {
        known = m->frame->cfa(m->frame->context, &value);
        return push_answer(m, known, value);
    }
    known = m->frame->frame_base(m->frame->context, &value); /* DW_OP_fbreg */
    return push_answer(m, known, value + op->operand[0]);
}

static struct known_how deref(struct location_machine *m, struct location_type type, uint64_t size)
{
    struct typed_number top;
    struct known_how known;
    uint8_t bytes[TYPED_NUMBER_SIZE_MAX];
    uint64_t addr = 0;

    if (!is_type(type) || size == 0 || size > (type.size ? type.size : m->word_size) ||
        !location_pop(m, &top))
        return unavailable(LOCATION_MALFORMED);
    known = number_word(&top, m->word_size, &addr);
    if (is_known(known))
        known = m->frame->read(m->frame->context, addr, bytes, (size_t)size);
    if (!is_known(known))
        return push(m, number_unknown(type, known));
    return push(m, number_of_bytes(type, bytes, (unsigned)size));
}

static struct known_how op_deref(struct location_machine *m, const struct location_op *op)
{
    struct location_type generic = {0};

    if (op->atom == DW_OP_deref)
        return deref(m, generic, m->word_size);
    if (op->atom == DW_OP_deref_size)
        return deref(m, generic, op->operand[0]);
    /* Both must be the same size (2.5.1.3). */
    if (op->type.size == 0 || op->operand[0] != op->type.size)
        return unavailable(LOCATION_MALFORMED);
    return deref(m, op->type, op->type.size);
}

static struct known_how op_tls(struct location_machine *m)
{
    struct typed_number top;
    struct known_how known;
    uint64_t off = 0, value = 0;

    if (!location_pop(m, &top))
        return unavailable(LOCATION_MALFORMED);
    known = number_word(&top, m->word_size, &off);
    if (is_known(known))
        known = m->frame->tls(m->frame->context, off, &value);
    return push_answer(m, known, value);
}

/* Pushes a value of the type, all of whose bits are in `bits`. */
static struct known_how push_bits(struct location_machine *m, struct known_how known,
                                  struct location_type type, uint64_t bits)
{
    uint8_t bytes[sizeof(bits)];

    if (!is_type(type) || type.size > sizeof(bits))
        return push(m, number_unknown(type, unavailable("entry value of another size")));
    if (!is_known(known))
        return push(m, number_unknown(type, known));
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return push(m, number_of_bytes(type, bytes, type.size));
}

/* Pushes the value at the function's entry. */
static struct known_how op_entry(struct location_machine *m, const struct location_op *op)
{
    const unsigned limit = (unsigned)LOCATION_ENTRIES_MAX >> m->nest;
    struct known_how known;
    uint64_t value = 0;

    if (op->atom == DW_OP_entry_value && !op->inner)
        return unavailable(LOCATION_MALFORMED);
    if (m->nest >= LOCATION_NEST_MAX)
        return unavailable("nested too deep");
    if (m->entries++ >= (limit ? limit : 1))
        return unavailable("too many entry values");
    if (op->atom != DW_OP_entry_value) {
        known = m->frame->parameter(m->frame->context, op->operand[0], m->nest, &value);
        return push_answer(m, known, value);
    }
    known = m->frame->entry_value(m->frame->context, op->inner, m->nest, &value);
    return location_is_typed(op->inner) ? push_bits(m, known, op->inner->ops[0].type, value)
                                        : push_answer(m, known, value);
}

/* Pops an address and an address space. */
static struct known_how op_xderef(struct location_machine *m)
{
    struct typed_number top;

    if (!location_pop(m, &top) || !location_pop(m, &top))
        return unavailable(LOCATION_MALFORMED);
    return push_not(m, "DW_OP_xderef");
}

static struct known_how execute_frame(struct location_machine *m, const struct location_op *op)
{
    switch (op->atom) {
    case DW_OP_bregx:
        return push_reg(m, op->operand[0], op->operand[1]);
    case DW_OP_regval_type:
        return op_regval_type(m, op);
    case DW_OP_fbreg:
    case DW_OP_call_frame_cfa:
        return op_base(m, op);
    case DW_OP_deref:
    case DW_OP_deref_size:
    case DW_OP_deref_type:
        return op_deref(m, op);
    case DW_OP_xderef:
    case DW_OP_xderef_size:
    case DW_OP_xderef_type:
        return op_xderef(m);
    case DW_OP_form_tls_address:
        return op_tls(m);
    case DW_OP_entry_value:
    case DW_OP_GNU_parameter_ref:
        return op_entry(m, op);
    case DW_OP_push_object_address:
        return m->has_object ? push_answer(m, known_yes(), m->object)
                             : push_not(m, "DW_OP_push_object_address");
    case DW_OP_GNU_variable_value:
        return push_not(m, "DW_OP_GNU_variable_value");
    }
    return unavailable("unknown operation of a location");
}

struct known_how location_stack_execute(struct location_machine *m, const struct location_op *op)
{
    uint8_t atom = op->atom;

    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push_answer(m, known_yes(), (uint64_t)(atom - DW_OP_lit0));
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return push_reg(m, (uint64_t)(atom - DW_OP_breg0), op->operand[0]);
    if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
        return op_constant(m, op);
    switch (atom) {
    case DW_OP_nop:
        return known_yes();
    case DW_OP_addr:
        return op_addr(m, op);
    case DW_OP_const_type:
        return op_const_type(m, op);
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
        return op_unary(m, op);
    case DW_OP_plus_uconst:
        return op_plus_uconst(m, op);
    case DW_OP_convert:
    case DW_OP_reinterpret:
        return op_convert(m, op);
    }
    if ((atom >= DW_OP_and && atom <= DW_OP_xor) || (atom >= DW_OP_eq && atom <= DW_OP_ne))
        return op_binary(m, op);
    return execute_frame(m, op);
}
