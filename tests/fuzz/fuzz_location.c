/* SPDX-License-Identifier: MIT */
/*
 * Location expressions over a frame that has some of what is asked for. Input: a byte of flags (bit
 * 0: 32-bit), a byte that the frame's answers depend on, then operations:
 *
 *     atom, [operands: a byte for how many bytes (1, 2, 4, 8), then these, signed]…,
 *     [a byte that chooses a type], [a block: a byte for its length, then its bytes]
 *
 * An operation's offset in its expression is the one in the input: branches can be aimed. Each
 * expression is evaluated twice, and what the frame leaves behind for what it does not know is
 * another thing then: no answer may depend on it.
 */
#include <dwarf.h>

#include "base/cursor.h"
#include "fuzz.h"
#include "variables/model/location.h"

#define OPS_MAX 512

struct fuzz_frame {
    uint8_t seed, garbage;
};

static struct known_how answer(const struct fuzz_frame *frame, uint64_t what, uint64_t *value)
{
    uint64_t hash = (what + frame->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);

    hash ^= hash >> 29;
    *value = UINT64_C(0x0101010101010101) * frame->garbage;
    switch (hash >> 60) {
    case 0:
        return unavailable("not recovered");
    case 1:
        return known_not(NOT_CAPTURED);
    case 2:
        return known_not(OPTIMIZED_OUT);
    case 3:
        *value = hash;
        break;
    default:
        *value = hash % 97;
        break;
    }
    return known_yes();
}

static struct known_how fuzz_reg(void *context, uint64_t reg, uint64_t *value)
{
    return answer(context, reg, value);
}

static struct known_how fuzz_cfa(void *context, uint64_t *value)
{
    return answer(context, 1000, value);
}

static struct known_how fuzz_frame_base(void *context, uint64_t *value)
{
    return answer(context, 1001, value);
}

static struct known_how fuzz_read(void *context, uint64_t addr, void *buffer, size_t size)
{
    uint8_t *bytes = buffer;
    struct known_how known = known_yes();

    if (size == 0 || size > 16)
        abort();
    for (size_t i = 0; i < size; i++) {
        uint64_t value;
        struct known_how one = answer(context, addr + i, &value);

        bytes[i] = (uint8_t)value;
        if (!is_known(one))
            known = one;
    }
    return known;
}

static struct known_how fuzz_tls(void *context, uint64_t off, uint64_t *value)
{
    return answer(context, 2000 + off, value);
}

static struct location_frame frame_of(struct fuzz_frame *context, bool narrow);

static struct known_how fuzz_entry(void *context, const struct location *inner, unsigned nest,
                                   uint64_t *value)
{
    const struct location_frame frame = frame_of(context, false);

    if (nest >= LOCATION_NEST_MAX)
        abort();
    *value = ((struct fuzz_frame *)context)->garbage;
    return location_value(inner, &frame, nest + 1, value);
}

static struct known_how fuzz_parameter(void *context, die_ref die, unsigned nest, uint64_t *value)
{
    if (nest >= LOCATION_NEST_MAX)
        abort();
    return answer(context, 3000 + die, value);
}

static struct location_frame frame_of(struct fuzz_frame *context, bool narrow)
{
    return (struct location_frame){
        .arch = arch_get(narrow ? ARCH_ARM : ARCH_X86_64),
        .bias = 0x555500000000,
        .reg = fuzz_reg,
        .cfa = fuzz_cfa,
        .frame_base = fuzz_frame_base,
        .read = fuzz_read,
        .tls = fuzz_tls,
        .entry_value = fuzz_entry,
        .parameter = fuzz_parameter,
        .context = context,
    };
}

static const struct location_type types[] = {
    {0},
    {DW_ATE_signed, 1},
    {DW_ATE_signed, 2},
    {DW_ATE_signed, 4},
    {DW_ATE_signed, 8},
    {DW_ATE_signed, 16},
    {DW_ATE_unsigned, 1},
    {DW_ATE_unsigned, 3},
    {DW_ATE_unsigned, 4},
    {DW_ATE_unsigned, 8},
    {DW_ATE_unsigned, 16},
    {DW_ATE_float, 4},
    {DW_ATE_float, 8},
    {DW_ATE_float, 16},
    {DW_ATE_boolean, 1},
    {DW_ATE_unsigned, 40},
};

static unsigned operands_of(uint8_t atom)
{
    switch (atom) {
    case DW_OP_bregx:
    case DW_OP_bit_piece:
    case DW_OP_implicit_pointer:
        return 2;
    case DW_OP_addr:
    case DW_OP_pick:
    case DW_OP_plus_uconst:
    case DW_OP_bra:
    case DW_OP_skip:
    case DW_OP_regx:
    case DW_OP_fbreg:
    case DW_OP_piece:
    case DW_OP_deref_size:
    case DW_OP_xderef_size:
    case DW_OP_deref_type:
    case DW_OP_regval_type:
    case DW_OP_GNU_parameter_ref:
    case DW_OP_GNU_variable_value:
        return 1;
    }
    return (atom >= DW_OP_const1u && atom <= DW_OP_consts) ||
           (atom >= DW_OP_breg0 && atom <= DW_OP_breg31);
}

static bool has_type(uint8_t atom)
{
    return atom == DW_OP_const_type || atom == DW_OP_regval_type || atom == DW_OP_deref_type ||
           atom == DW_OP_convert || atom == DW_OP_reinterpret;
}

static bool read_operand(struct cursor *in, uint64_t *operand)
{
    uint8_t length;
    unsigned size;

    if (!cursor_u8(in, &length))
        return false;
    size = 1u << (length & 3);
    if (!cursor_uint(in, size, operand))
        return false;
    if (size < 8 && *operand >> (8 * size - 1) != 0)
        *operand |= UINT64_MAX << 8 * size;
    return true;
}

/* `inner`: the expression for DW_OP_entry_value. */
static bool read_op(struct cursor *in, const struct location *inner, struct location_op *op)
{
    uint8_t byte;

    *op = (struct location_op){.off = (uint32_t)in->pos, .inner = inner};
    if (!cursor_u8(in, &op->atom))
        return false;
    for (unsigned i = 0; i < operands_of(op->atom); i++)
        if (!read_operand(in, &op->operand[i]))
            return false;
    if (has_type(op->atom)) {
        if (!cursor_u8(in, &byte))
            return false;
        op->type = types[byte % (sizeof(types) / sizeof(types[0]))];
    }
    if (op->atom == DW_OP_const_type || op->atom == DW_OP_implicit_value) {
        if (!cursor_u8(in, &byte) || !cursor_bytes(in, byte, &op->block))
            return false;
        op->block_size = byte;
    }
    return true;
}

static void check_known(struct known_how known)
{
    char text[KNOWN_TEXT_MAX];

    if ((known.state == UNAVAILABLE) != (known.why != NULL))
        abort();
    fuzz_use(strlen(known_text(known, text)));
}

static void check_piece(const struct object_piece *piece, const struct object_piece *other,
                        bool alone)
{
    if ((piece->kind == PIECE_UNKNOWN) == is_known(piece->known) ||
        (!alone && piece->bit_size == 0))
        abort();
    check_known(piece->known);
    if (piece->kind == PIECE_BYTES) {
        fuzz_use(fuzz_touch(piece->bytes ? piece->bytes : piece->word, piece->size));
        if (!piece->bytes && piece->size > sizeof(piece->word))
            abort();
    }
    if (piece->kind != other->kind || piece->addr != other->addr || piece->reg != other->reg ||
        piece->bytes != other->bytes || piece->size != other->size ||
        piece->bit_off != other->bit_off || piece->bit_size != other->bit_size ||
        piece->die != other->die || piece->off != other->off ||
        memcmp(piece->word, other->word, sizeof(piece->word)) != 0)
        abort();
}

static void evaluate(const struct location *location, uint8_t seed, bool narrow)
{
    struct fuzz_frame contexts[2] = {{seed, 0x00}, {seed, 0xa5}};
    struct place_of_object places[2];
    struct known_how known[2];
    uint64_t values[2];

    for (unsigned i = 0; i < 2; i++) {
        const struct location_frame frame = frame_of(&contexts[i], narrow);

        known[i] = location_place(location, &frame, 0, &places[i]);
        check_known(known[i]);
        if (is_known(known[i]) != (places[i].count > 0) || places[i].count > LOCATION_PIECES_MAX)
            abort();
    }
    if (known[0].state != known[1].state || places[0].count != places[1].count)
        abort();
    for (uint32_t i = 0; i < places[0].count; i++)
        check_piece(&places[0].pieces[i], &places[1].pieces[i], places[0].count == 1);
    for (unsigned i = 0; i < 2; i++) {
        const struct location_frame frame = frame_of(&contexts[i], narrow);

        known[i] = location_value(location, &frame, 0, &values[i]);
        check_known(known[i]);
    }
    if (known[0].state != known[1].state)
        abort();
    if (is_known(known[0]) && (values[0] != values[1] || (narrow && values[0] > UINT32_MAX)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct location_op ops[OPS_MAX];
    const struct location inner = {.ops = ops, .count = 2, .size = UINT32_MAX};
    struct cursor in;
    uint8_t *copy;
    uint32_t count = 0;

    if (size < 3)
        return 0;
    copy = malloc(size - 2); /* a read behind it is one behind an allocation */
    if (!copy)
        return 0;
    memcpy(copy, data + 2, size - 2);
    in = cursor_init(copy, size - 2);
    memset(ops, 0, sizeof(ops));
    while (count < OPS_MAX && read_op(&in, data[0] & 2 ? &inner : NULL, &ops[count]))
        count++;
    evaluate(&(struct location){.ops = ops, .count = count, .size = (uint32_t)in.pos}, data[1],
             data[0] & 1);
    free(copy);
    return 0;
}
