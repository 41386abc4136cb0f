/* SPDX-License-Identifier: MIT */
/* The bits of objects, from wherever their pieces are. */
#include <string.h>

#include "variables/value/view.h"

#define CHUNK_BITS 56 /* with up to seven bits before them, these fit a word */

/* Reads bytes [off, off + size) of a register, or of two that a wider value is in. */
static struct known_how register_bytes(const struct value_source *source, uint64_t reg,
                                       uint64_t off, uint8_t *buffer, size_t size)
{
    const unsigned word = source->arch->word_size;
    const uint64_t most = source->arch->spans_registers ? 2 * word : word;
    struct known_how known = known_yes();
    uint64_t value = 0;

    if (off >= most || size > most - off)
        return unavailable("wider than its register");
    for (size_t i = 0; i < size; i++) {
        if (i == 0 || (off + i) % word == 0)
            known = source->reg(source->context, reg + (off + i) / word, &value);
        if (!is_known(known))
            break;
        buffer[i] = (uint8_t)(value >> 8 * ((off + i) % word));
    }
    return known;
}

/* Reads bytes [off, off + size) of the piece's place. */
static struct known_how piece_bytes(const struct value_source *source,
                                    const struct object_piece *piece, uint64_t off, uint8_t *buffer,
                                    size_t size)
{
    switch (piece->kind) {
    case PIECE_UNKNOWN:
        return is_known(piece->known) ? known_not(OPTIMIZED_OUT) : piece->known;
    case PIECE_POINTER:
        return unavailable("it points to what is nowhere");
    case PIECE_MEMORY:
        if (off > UINT64_MAX - piece->addr || size - 1 > UINT64_MAX - piece->addr - off)
            return known_not(NOT_CAPTURED);
        return source->read(source->context, piece->addr + off, buffer, size);
    case PIECE_REGISTER:
        return register_bytes(source, piece->reg, off, buffer, size);
    case PIECE_BYTES:
        if (off >= piece->size || size > piece->size - off)
            return unavailable("wider than its constant");
        memcpy(buffer, (piece->bytes ? piece->bytes : piece->word) + off, size);
        return known_yes();
    }
    return unavailable("no such place");
}

static struct known_how piece_shifted(const struct value_source *source,
                                      const struct object_piece *piece, uint64_t from,
                                      uint64_t bit_size, uint8_t *buffer, uint64_t to)
{
    while (bit_size > 0) {
        unsigned bits = bit_size < CHUNK_BITS ? (unsigned)bit_size : CHUNK_BITS;
        unsigned shift = from % 8;
        uint8_t bytes[8] = {0};
        struct known_how known =
            piece_bytes(source, piece, from / 8, bytes, (shift + bits + 7) / 8);
        uint64_t word;

        if (!is_known(known))
            return known;
        word = value_word(bytes, sizeof(bytes)) >> shift;
        for (unsigned i = 0; i < bits; i++)
            if (word >> i & 1)
                buffer[(to + i) / 8] |= (uint8_t)(1u << (to + i) % 8);
        from += bits;
        to += bits;
        bit_size -= bits;
    }
    return known_yes();
}

/* Copies `bit_size` bits from the piece's bit `from` on to the buffer's bit `to`. */
static struct known_how piece_bits(const struct value_source *source,
                                   const struct object_piece *piece, uint64_t from,
                                   uint64_t bit_size, uint8_t *buffer, uint64_t to)
{
    if (__builtin_add_overflow(from, piece->bit_off, &from) || bit_size > UINT64_MAX - from)
        return unavailable("a piece out of range");
    if (from % 8 == 0 && to % 8 == 0 && bit_size % 8 == 0)
        return piece_bytes(source, piece, from / 8, buffer + to / 8, (size_t)bit_size / 8);
    return piece_shifted(source, piece, from, bit_size, buffer, to);
}

struct known_how value_bits(const struct value_source *source, const struct place_of_object *place,
                            uint64_t bit_off, uint64_t bit_size, void *buffer)
{
    uint64_t start = 0, done = 0;

    if (bit_size > 8 * VALUE_BYTES_MAX || bit_off > UINT64_MAX - bit_size)
        return unavailable("too large");
    memset(buffer, 0, (size_t)(bit_size + 7) / 8);
    for (uint32_t i = 0; done < bit_size && i < place->count && i < LOCATION_PIECES_MAX; i++) {
        const struct object_piece *piece = &place->pieces[i];
        uint64_t size = piece->bit_size ? piece->bit_size : UINT64_MAX - start;
        uint64_t at = bit_off + done - start, part;
        struct known_how known;

        if (at < size) {
            part = size - at < bit_size - done ? size - at : bit_size - done;
            known = piece_bits(source, piece, at, part, buffer, done);
            if (!is_known(known))
                return known;
            done += part;
        }
        if (__builtin_add_overflow(start, size, &start))
            break;
    }
    return done == bit_size ? known_yes() : known_not(OPTIMIZED_OUT);
}

/* The piece that holds the object's first bit. */
static const struct object_piece *first_piece(const struct value_view *view, uint64_t *at)
{
    uint64_t start = 0;

    for (uint32_t i = 0; i < view->place->count && i < LOCATION_PIECES_MAX; i++) {
        const struct object_piece *piece = &view->place->pieces[i];
        uint64_t size = piece->bit_size ? piece->bit_size : UINT64_MAX - start;

        *at = view->bit_off - start;
        if (*at < size)
            return piece;
        if (__builtin_add_overflow(start, size, &start))
            break;
    }
    return NULL;
}

const struct object_piece *value_synthetic(const struct value_view *view)
{
    uint64_t at;
    const struct object_piece *piece = first_piece(view, &at);

    return piece && piece->kind == PIECE_POINTER && at == 0 ? piece : NULL;
}

bool value_address(const struct value_view *view, uint64_t *addr)
{
    uint64_t at;
    const struct object_piece *piece = first_piece(view, &at);

    if (!piece || piece->kind != PIECE_MEMORY || piece->bit_off > UINT64_MAX - at ||
        (piece->bit_off + at) % 8)
        return false;
    *addr = piece->addr + (piece->bit_off + at) / 8;
    return true;
}
