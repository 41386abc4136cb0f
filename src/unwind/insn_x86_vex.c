#include "unwind/insn_x86_vex.h"

struct vector_prefix {
    unsigned size;          /* of the prefix, without opcode */
    unsigned map;           /* 1: 0f, 2: 0f 38, 3: 0f 3a */
    bool high_reg, high_rm; /* the fourth bits of ModRM.reg and ModRM.rm */
};

static bool read_prefix(const uint8_t *b, uint64_t size, bool long_mode, struct vector_prefix *out)
{
    /* bound, les and lds, whose operand is in memory */
    if (!long_mode && size >= 2 && b[1] < 0xc0)
        return false;
    if (size >= 4 && b[0] == 0x62)
        *out = (struct vector_prefix){4, b[1] & 7, !(b[1] & 0x80), !(b[1] & 0x20)};
    else if (size >= 3 && b[0] == 0xc4)
        *out = (struct vector_prefix){3, b[1] & 0x1f, !(b[1] & 0x80), !(b[1] & 0x20)};
    else if (size >= 2 && b[0] == 0xc5)
        *out = (struct vector_prefix){2, 1, !(b[1] & 0x80), false};
    else
        return false;
    out->high_reg = out->high_reg && long_mode;
    out->high_rm = out->high_rm && long_mode;
    return out->map >= 1 && out->map <= 3;
}

static bool has_immediate(unsigned map, uint8_t opcode)
{
    return map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
                                     (opcode >= 0xc4 && opcode <= 0xc6)));
}

/* Which ModRM field names a general register that is written: moves, conversions and extractions. */
enum destination { DESTINATION_NONE, DESTINATION_REG, DESTINATION_RM };

static enum destination destination(unsigned map, uint8_t opcode)
{
    static const uint8_t to_reg[] = {0x2c, 0x2d, 0x50, 0x78, 0x79, 0x93, 0xc5, 0xd7};

    if ((map == 3 && opcode >= 0x14 && opcode <= 0x17) || (map == 1 && opcode == 0x7e))
        return DESTINATION_RM;
    if (map == 2 && opcode >= 0xe0 && opcode <= 0xef) /* cmpccxadd gives what was in memory */
        return DESTINATION_REG;
    for (unsigned i = 0; map == 1 && i < sizeof(to_reg); i++)
        if (opcode == to_reg[i])
            return DESTINATION_REG;
    return DESTINATION_NONE;
}

unsigned x86_vector_length(const uint8_t *b, uint64_t size, bool long_mode, uint32_t *written)
{
    struct vector_prefix prefix;
    unsigned len, mod, rm;

    *written = 0;
    if (size >= 3 && b[0] == 0x0f && b[1] == 0x01 && (b[2] == 0xee || b[2] == 0xef)) {
        *written = b[2] == 0xee ? 1u << 0 | 1u << 2 : 0; /* rdpkru: eax and edx */
        return 3;
    }
    if (!read_prefix(b, size, long_mode, &prefix) || size < prefix.size + 2)
        return 0;
    len = prefix.size + 2;
    mod = b[len - 1] >> 6;
    rm = b[len - 1] & 7;
    switch (destination(prefix.map, b[prefix.size])) {
    case DESTINATION_NONE:
        break;
    case DESTINATION_REG:
        *written = 1u << ((b[len - 1] >> 3 & 7) + (prefix.high_reg ? 8 : 0));
        break;
    case DESTINATION_RM:
        if (mod == 3)
            *written = 1u << (rm + (prefix.high_rm ? 8 : 0));
        break;
    }
    if (mod != 3 && rm == 4) {
        if (size < len + 1)
            return 0;
        if (mod == 0 && (b[len] & 7) == 5)
            len += 4;
        len++;
    }
    if (mod == 1)
        len += 1;
    else if (mod == 2 || (mod == 0 && rm == 5))
        len += 4;
    len += has_immediate(prefix.map, b[prefix.size]);
    return len <= size ? len : 0;
}
