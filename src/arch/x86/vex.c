/* SPDX-License-Identifier: MIT */
#include "arch/x86/vex.h"

#include <string.h>

struct vector_prefix {
    unsigned size;          /* bytes of the prefix, without opcode */
    unsigned map;           /* 1: 0f, 2: 0f 38, 3: 0f 3a */
    bool high_reg, high_rm; /* the fourth bits of ModRM.reg and ModRM.rm */
};

static bool read_prefix(const uint8_t *b, uint64_t size, bool long_mode, struct vector_prefix *out)
{
    /* bound, les and lds, which have a memory operand */
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

static bool is_protection_key(const uint8_t *b, uint64_t size)
{
    return size >= 3 && b[0] == 0x0f && b[1] == 0x01 && (b[2] == 0xee || b[2] == 0xef);
}

static bool has_immediate(unsigned map, uint8_t opcode)
{
    return map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
                                     (opcode >= 0xc4 && opcode <= 0xc6)));
}

/* The ModRM field that names a written general register: moves, conversions and extractions. */
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

/* vcomiss, vptest, vtestps, kortest, ktest, vpcmpistri ...; cmpccxadd; general registers'. */
static bool writes_flags(unsigned map, uint8_t opcode)
{
    switch (map) {
    case 1:
        return opcode == 0x2e || opcode == 0x2f || opcode == 0x98 || opcode == 0x99;
    case 2:
        return opcode == 0x0e || opcode == 0x0f || opcode == 0x17 || opcode >= 0xe0;
    }
    return opcode >= 0x60 && opcode <= 0x63;
}

/* Returns the bytes that an EVEX instruction of map 1 to 3 stores, its unit of displacement. */
static unsigned stored_size(const uint8_t *b, unsigned map)
{
    unsigned width = 16u << (b[3] >> 5 & 3), pp = b[2] & 3, wide = b[2] & 0x80 ? 8 : 4;

    switch (map << 8 | b[4]) {
    case 0x111: /* vmovups; vmovss, vmovsd */
        return pp == 2 ? 4 : pp == 3 ? 8 : width;
    case 0x129: /* vmovaps, vmovntps, vmovdqu */
    case 0x12b:
    case 0x17f:
    case 0x1e7:
        return width;
    case 0x113: /* vmovlps, vmovhps, vmovq */
    case 0x117:
    case 0x1d6:
        return 8;
    case 0x17e:
        return pp == 1 ? wide : 0;
    case 0x211: /* vpmovdb, vpmovdw and the saturating ones */
    case 0x221:
    case 0x231:
    case 0x214:
    case 0x224:
    case 0x234:
        return pp == 2 ? width / 4 : 0;
    case 0x212:
    case 0x222:
    case 0x232:
        return pp == 2 ? width / 8 : 0;
    case 0x210:
    case 0x220:
    case 0x230:
    case 0x213:
    case 0x223:
    case 0x233:
    case 0x215:
    case 0x225:
    case 0x235:
        return pp == 2 ? width / 2 : 0;
    case 0x314: /* vpextrb ... vextractps */
        return 1;
    case 0x315:
        return 2;
    case 0x316:
        return wide;
    case 0x317:
        return 4;
    case 0x319: /* vextractf32x4 ... */
    case 0x339:
        return 16;
    case 0x31b:
    case 0x33b:
        return 32;
    case 0x31d: /* vcvtps2ph */
        return width / 2;
    }
    return 0;
}

/* Reads the operand of the ModR/M byte at b[at]; returns its size in bytes; 0: cut. */
static unsigned memory_operand(const uint8_t *b, uint64_t size, unsigned at, unsigned unit,
                               struct x86_vector *out)
{
    unsigned mod = b[at] >> 6, rm = b[at] & 7, length = 1, bytes;
    bool simple = rm != 4;
    int32_t wide;

    out->base = (uint8_t)rm;
    if (mod == 3)
        return 1;
    if (rm == 4) {
        if (size < at + 2)
            return 0;
        simple = (b[at + 1] >> 3 & 7) == 4;
        out->base = b[at + 1] & 7;
        length++;
    }
    bytes = mod == 1 ? 1 : mod == 2 || out->base == 5 ? 4 : 0;
    if (mod == 0 && out->base == 5)
        simple = false;
    if (size < at + length + bytes)
        return 0;
    if (bytes == 1) {
        out->disp = (int8_t)b[at + length] * (int64_t)unit;
    } else if (bytes == 4) {
        memcpy(&wide, b + at + length, sizeof(wide));
        out->disp = wide;
    }
    if (simple)
        out->stored = unit;
    return length + bytes;
}

bool x86_vector(const uint8_t *b, uint64_t size, bool long_mode, struct x86_vector *out)
{
    struct vector_prefix prefix;
    unsigned at, mod, length;
    uint8_t opcode;

    *out = (struct x86_vector){.length = 3};
    if (is_protection_key(b, size)) {
        out->written = b[2] == 0xee ? 1u << 0 | 1u << 2 : 0; /* rdpkru: eax and edx */
        return true;
    }
    if (!read_prefix(b, size, long_mode, &prefix) || size < prefix.size + 2)
        return false;
    opcode = b[prefix.size];
    at = prefix.size + 1;
    mod = b[at] >> 6;
    switch (destination(prefix.map, opcode)) {
    case DESTINATION_NONE:
        break;
    case DESTINATION_REG:
        out->written = 1u << ((b[at] >> 3 & 7) + (prefix.high_reg ? 8 : 0));
        break;
    case DESTINATION_RM:
        if (mod == 3)
            out->written = 1u << ((b[at] & 7) + (prefix.high_rm ? 8 : 0));
        break;
    }
    out->writes_flags = writes_flags(prefix.map, opcode);
    out->relative = long_mode && mod == 0 && (b[at] & 7) == 5;
    length = memory_operand(b, size, at, prefix.size == 4 ? stored_size(b, prefix.map) : 0, out);
    if (!length)
        return false;
    /* Index register 12: its low bits encode "no index". */
    if (prefix.size == 4 && (b[at] & 7) == 4 && long_mode && !(b[1] & 0x40))
        out->stored = 0;
    out->base = (uint8_t)(out->base + (prefix.high_rm ? 8 : 0));
    out->length = at + length + has_immediate(prefix.map, opcode);
    return out->length <= size;
}

unsigned x86_segment_prefixes(const uint8_t *b, uint64_t size)
{
    unsigned count = 0;

    while (count < 4 && count < size && (b[count] & 0xe7) == 0x26)
        count++;
    return count;
}

bool x86_is_late_vector(const uint8_t *b, uint64_t size, bool long_mode)
{
    struct vector_prefix prefix;
    uint8_t opcode;

    if (is_protection_key(b, size))
        return true;
    if (!read_prefix(b, size, long_mode, &prefix) || size < prefix.size + 1)
        return false;
    opcode = b[prefix.size];
    /*
     * The last lines: also vbroadcasti128 (5a); vcvtss2si and its like (2c, 2d), whose operand
     * Capstone 4 takes for written.
     */
    return prefix.size == 4 ||
           (prefix.map == 1 &&
            ((opcode >= 0x41 && opcode <= 0x4b) || (opcode >= 0x90 && opcode <= 0x93) ||
             (opcode & 0xfe) == 0x98 || (opcode & 0xfe) == 0x2c)) ||
           (prefix.map == 2 && opcode == 0x5a) ||
           (prefix.map == 3 && opcode >= 0x30 && opcode <= 0x33);
}
