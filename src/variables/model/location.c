/* SPDX-License-Identifier: MIT */
#include "variables/model/location.h"

#include <dwarf.h>

#include "variables/model/location_machine.h"

/* ---- branches ---- */

static struct known_how jump(struct location_machine *m, uint64_t off)
{
    const struct location *location = m->location;
    uint32_t low = 0, high = location->count;

    if (off == location->size) {
        m->next = location->count;
        return known_yes();
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (location->ops[middle].off < off)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == location->count || location->ops[low].off != off)
        return unavailable(LOCATION_MALFORMED);
    m->next = low;
    return known_yes();
}

static struct known_how op_bra(struct location_machine *m, const struct location_op *op)
{
    struct typed_number top;

    if (!location_pop(m, &top))
        return unavailable(LOCATION_MALFORMED);
    if (!is_known(top.known)) /* then what follows is not known, either */
        return top.known;
    if (!number_is_integer(&top))
        return unavailable(LOCATION_MALFORMED);
    return top.low != 0 || top.high != 0 ? jump(m, op->operand[0]) : known_yes();
}

/* ---- places (2.6) ---- */

static struct known_how complete(struct location_machine *m, struct object_piece piece)
{
    m->is_complete = true;
    m->complete = piece;
    return known_yes();
}

/* For places that must stand alone: nothing may be computed before. */
static struct known_how complete_alone(struct location_machine *m, struct object_piece piece)
{
    return m->depth == 0 ? complete(m, piece) : unavailable(LOCATION_MALFORMED);
}

static struct known_how op_reg(struct location_machine *m, uint64_t reg)
{
    return complete_alone(m, (struct object_piece){.kind = PIECE_REGISTER, .reg = reg});
}

static struct known_how op_implicit_value(struct location_machine *m, const struct location_op *op)
{
    if (op->block_size == 0 || !op->block)
        return unavailable(LOCATION_MALFORMED);
    return complete_alone(m, (struct object_piece){.kind = PIECE_BYTES,
                                                   .bytes = op->block,
                                                   .size = op->block_size});
}

static struct known_how op_implicit_pointer(struct location_machine *m,
                                            const struct location_op *op)
{
    if (op->operand[0] == 0)
        return unavailable(LOCATION_MALFORMED);
    return complete_alone(m, (struct object_piece){.kind = PIECE_POINTER,
                                                   .die = op->operand[0],
                                                   .off = (int64_t)op->operand[1]});
}

static struct known_how op_stack_value(struct location_machine *m)
{
    struct object_piece piece = {.kind = PIECE_BYTES};

    if (!location_pop(m, &m->number))
        return unavailable(LOCATION_MALFORMED);
    if (!is_known(m->number.known))
        return complete(m, (struct object_piece){.known = m->number.known});
    number_bytes(&m->number, piece.word);
    piece.size = number_size(&m->number, m->word_size);
    return complete(m, piece);
}

/* Takes the description of an object or a piece, at its end. */
static struct known_how take_piece(struct location_machine *m, struct object_piece *piece)
{
    struct typed_number top;

    if (m->is_complete) {
        *piece = m->complete;
        m->is_complete = false;
        return known_yes();
    }
    if (!location_pop(m, &top))
        return unavailable(LOCATION_MALFORMED);
    *piece = (struct object_piece){.kind = PIECE_MEMORY};
    piece->known = number_word(&top, m->word_size, &piece->addr);
    if (!is_known(piece->known))
        piece->kind = PIECE_UNKNOWN;
    return known_yes();
}

/* Does a piece lie within its value? */
static bool is_within(const struct object_piece *piece)
{
    uint64_t bits = UINT64_C(8) * piece->size;

    return piece->bit_off <= bits && piece->bit_size <= bits - piece->bit_off;
}

static struct known_how add_piece(struct location_machine *m, uint64_t bit_size, uint64_t bit_off)
{
    struct object_piece piece = {.known = known_not(OPTIMIZED_OUT)}; /* unless it is described */
    struct known_how known;

    if (m->is_complete || m->depth > 0) {
        known = take_piece(m, &piece);
        if (!is_known(known))
            return known;
    }
    /* Anything left on the stack would make it unclear whether the next piece is empty. */
    if (!m->place || m->depth > 0 || __builtin_add_overflow(m->bit_count, bit_size, &m->bit_count))
        return unavailable(LOCATION_MALFORMED);
    m->has_pieces = true;
    piece.bit_off = bit_off;
    piece.bit_size = bit_size;
    if (piece.kind == PIECE_BYTES && !is_within(&piece))
        piece =
            (struct object_piece){.bit_size = bit_size, .known = unavailable(LOCATION_MALFORMED)};
    if (bit_size == 0)
        return known_yes();
    if (m->place->count == LOCATION_PIECES_MAX)
        return unavailable("too many pieces");
    m->place->pieces[m->place->count++] = piece;
    return known_yes();
}

static struct known_how op_piece(struct location_machine *m, const struct location_op *op)
{
    if (op->atom == DW_OP_bit_piece)
        return add_piece(m, op->operand[0], op->operand[1]);
    if (op->operand[0] > UINT64_MAX / 8)
        return unavailable(LOCATION_MALFORMED);
    return add_piece(m, 8 * op->operand[0], 0);
}

/* ---- all of it ---- */

static struct known_how execute(struct location_machine *m, const struct location_op *op)
{
    if (m->is_complete && op->atom != DW_OP_piece && op->atom != DW_OP_bit_piece &&
        op->atom != DW_OP_GNU_uninit)
        return unavailable(LOCATION_MALFORMED);
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        return op_reg(m, (uint64_t)(op->atom - DW_OP_reg0));
    switch (op->atom) {
    case DW_OP_regx:
        return op_reg(m, op->operand[0]);
    case DW_OP_implicit_value:
        return op_implicit_value(m, op);
    case DW_OP_implicit_pointer:
        return op_implicit_pointer(m, op);
    case DW_OP_stack_value:
        return op_stack_value(m);
    case DW_OP_piece:
    case DW_OP_bit_piece:
        return op_piece(m, op);
    case DW_OP_skip:
        return jump(m, op->operand[0]);
    case DW_OP_bra:
        return op_bra(m, op);
    case DW_OP_GNU_uninit:
        return unavailable("not initialised");
    case DW_OP_call2:
    case DW_OP_call4:
    case DW_OP_call_ref: /* it may do anything */
        return unavailable("DW_OP_call");
    }
    return location_stack_execute(m, op);
}

static struct known_how run(struct location_machine *m)
{
    const unsigned limit = (unsigned)LOCATION_STEPS_MAX >> m->nest;

    for (unsigned steps = 0; m->next < m->location->count; steps++) {
        struct known_how known;

        if (steps == limit)
            return unavailable("location without end");
        known = execute(m, &m->location->ops[m->next++]);
        if (!is_known(known))
            return known;
    }
    return known_yes();
}

static void machine_init(struct location_machine *m, const struct location *location,
                         const struct location_frame *frame, unsigned nest)
{
    m->location = location;
    m->frame = frame;
    m->nest = nest < LOCATION_NEST_MAX ? nest : LOCATION_NEST_MAX;
    m->has_object = false;
    m->entries = 0;
    m->word_size = frame->arch->word_size;
    m->next = 0;
    m->depth = 0;
    m->is_complete = m->has_pieces = false;
    m->place = NULL;
    m->bit_count = 0;
}

static struct known_how find_place(struct location_machine *m)
{
    struct object_piece *first = &m->place->pieces[0];
    struct known_how known = run(m);

    if (!is_known(known))
        return known;
    if (m->has_pieces) /* nothing may follow the last piece */
        return m->is_complete || m->depth > 0 || m->place->count == 0
                   ? unavailable(LOCATION_MALFORMED)
                   : known;
    known = take_piece(m, first);
    if (!is_known(known))
        return known;
    m->place->count = 1;
    return first->kind == PIECE_UNKNOWN ? first->known : known;
}

struct known_how location_place(const struct location *location, const struct location_frame *frame,
                                unsigned nest, struct place_of_object *place)
{
    struct location_machine m;
    struct known_how known;

    place->count = 0;
    if (location->count == 0)
        return known_not(OPTIMIZED_OUT);
    machine_init(&m, location, frame, nest);
    m.place = place;
    known = find_place(&m);
    if (!is_known(known))
        place->count = 0;
    return known;
}

/* The value of a description that is not a place in memory. */
static struct known_how complete_value(const struct location_machine *m, uint64_t *value)
{
    const struct object_piece *piece = &m->complete;
    struct typed_number number;
    struct location_type generic = {0};
    struct known_how known;
    uint64_t content = 0;

    switch (piece->kind) {
    case PIECE_REGISTER:
        known = m->frame->reg(m->frame->context, piece->reg, &content);
        if (!is_known(known))
            return known;
        number = number_generic(content, m->word_size);
        return number_word(&number, m->word_size, value);
    case PIECE_BYTES:
        if (!piece->bytes)
            return number_word(&m->number, m->word_size, value);
        if (piece->size != m->word_size)
            return unavailable("value of another size");
        number = number_of_bytes(generic, piece->bytes, piece->size);
        return number_word(&number, m->word_size, value);
    case PIECE_POINTER:
        return unavailable("pointer to what is nowhere");
    case PIECE_UNKNOWN:
    case PIECE_MEMORY: /* only on the stack */
        break;
    }
    return piece->known;
}

static struct known_how find_value(struct location_machine *m, uint64_t *value)
{
    struct known_how known = run(m);

    if (!is_known(known))
        return known;
    if (m->is_complete)
        return complete_value(m, value);
    if (m->depth == 0)
        return unavailable(LOCATION_MALFORMED);
    return number_word(&m->stack[m->depth - 1], m->word_size, value);
}

struct known_how location_value(const struct location *location, const struct location_frame *frame,
                                unsigned nest, uint64_t *value)
{
    struct location_machine m;

    if (location->count == 0)
        return known_not(OPTIMIZED_OUT);
    machine_init(&m, location, frame, nest);
    return find_value(&m, value);
}

bool location_is_typed(const struct location *location)
{
    return location->count == 1 && location->ops[0].atom == DW_OP_regval_type &&
           location->ops[0].type.size > 0;
}

/* Gives a number's bits, if it has exactly the type's size. */
static struct known_how number_bits(const struct typed_number *number, unsigned word_size,
                                    struct location_type type, uint64_t *bits)
{
    if (!is_known(number->known))
        return number->known;
    if (type.size > sizeof(*bits) || number_size(number, word_size) != type.size)
        return unavailable("value of another size");
    *bits = number->low;
    return known_yes();
}

static struct known_how complete_bits(const struct location_machine *m, struct location_type type,
                                      uint64_t *bits)
{
    const struct object_piece *piece = &m->complete;
    struct typed_number number;
    struct known_how known;
    uint64_t content = 0;

    switch (piece->kind) {
    case PIECE_REGISTER:
        known = m->frame->reg(m->frame->context, piece->reg, &content);
        if (is_known(known) && type.size > m->word_size)
            known = unavailable("value of another size");
        *bits = type.size < 8 ? content & ((UINT64_C(1) << 8 * type.size) - 1) : content;
        return known;
    case PIECE_BYTES:
        number = piece->bytes ? number_of_bytes(type, piece->bytes, piece->size) : m->number;
        if (piece->bytes && piece->size != type.size)
            return unavailable("value of another size");
        return number_bits(&number, m->word_size, type, bits);
    case PIECE_UNKNOWN:
        return piece->known;
    case PIECE_POINTER:
    case PIECE_MEMORY:
        break;
    }
    return unavailable("value of another size");
}

struct known_how location_bits(const struct location *location, const struct location_frame *frame,
                               unsigned nest, struct location_type type, uint64_t *bits)
{
    struct location_machine m;
    struct known_how known;

    if (location->count == 0)
        return known_not(OPTIMIZED_OUT);
    machine_init(&m, location, frame, nest);
    known = run(&m);
    if (!is_known(known))
        return known;
    if (m.is_complete)
        return complete_bits(&m, type, bits);
    if (m.depth == 0)
        return unavailable(LOCATION_MALFORMED);
    return number_bits(&m.stack[m.depth - 1], m.word_size, type, bits);
}

struct known_how location_within(const struct location *location,
                                 const struct location_frame *frame, unsigned nest, uint64_t object,
                                 uint64_t *value)
{
    struct location_machine m;

    if (location->count == 0)
        return known_not(OPTIMIZED_OUT);
    machine_init(&m, location, frame, nest);
    m.has_object = true;
    m.object = object;
    m.stack[m.depth++] = number_generic(object, m.word_size);
    return find_value(&m, value);
}
