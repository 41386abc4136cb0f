/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

/* A data-processing instruction's immediate: 8 bits, rotated right by twice the 4 bits above. */
static uint32_t immediate(uint32_t insn)
{
    unsigned turn = (insn >> 8 & 15) * 2;
    uint32_t value = insn & 0xff;

    return turn ? value >> turn | value << (32 - turn) : value;
}

/*
 *     add ip, pc, #a; add ip, ip, #b; (add ip, ip, #c;) ldr pc, [ip, #d]!
 * (GNU ld; the long form with --long-plt. lld pads the short one to 16 bytes.) The size, or 0.
 */
static size_t decode_adds(const struct plt_code *code, size_t pos, uint32_t *got_vaddr)
{
    uint32_t sum, word;
    size_t at = pos;

    if (code->size - at < 12 || (plt_word(code, at) & 0xfffff000) != 0xe28fc000)
        return 0;
    sum = (uint32_t)code->vaddr + (uint32_t)at + 8 + immediate(plt_word(code, at));
    for (at += 4; code->size - at >= 4 && at - pos <= 8; at += 4) {
        word = plt_word(code, at);
        if ((word & 0xfffff000) != 0xe28cc000)
            break;
        sum += immediate(word);
    }
    if (at - pos < 8 || code->size - at < 4)
        return 0;
    word = plt_word(code, at);
    if ((word & 0xfffff000) != 0xe5bcf000)
        return 0;
    *got_vaddr = sum + (word & 0xfff);
    return at + 4 - pos;
}

/*
 *     ldr ip, 2f; 1: add ip, ip, pc; ldr pc, [ip]; 2: .word got - 1b - 8
 * (lld, where the GOT is far.) The size, or 0.
 */
static size_t decode_literal(const struct plt_code *code, size_t pos, uint32_t *got_vaddr)
{
    if (code->size - pos < 16 || plt_word(code, pos) != 0xe59fc004 ||
        plt_word(code, pos + 4) != 0xe08cc00f || plt_word(code, pos + 8) != 0xe59cf000)
        return 0;
    *got_vaddr = (uint32_t)code->vaddr + (uint32_t)pos + 12 + plt_word(code, pos + 12);
    return 16;
}

/* The immediate (imm4:i:imm3:imm8) of T32's movw or movt, whose second halfword is word >> 16. */
static uint32_t t32_immediate(uint32_t word)
{
    return (word & 0xf) << 12 | (word >> 10 & 1) << 11 | (word >> 28 & 7) << 8 |
           (word >> 16 & 0xff);
}

/*
 *     movw ip, #low; movt ip, #high; 1: add ip, pc; ldr.w pc, [ip]; b .-2 or .-4
 * (processors without A32.) The size, or 0.
 */
static size_t decode_t32(const struct plt_code *code, uint32_t *got_vaddr)
{
    if (code->size < 16 || (plt_word(code, 0) & 0x8f00fbf0) != 0x0c00f240 ||
        (plt_word(code, 4) & 0x8f00fbf0) != 0x0c00f2c0 || plt_word(code, 8) != 0xf8dc44fc ||
        (plt_word(code, 12) & 0xfffeffff) != 0xe7fcf000)
        return 0;
    *got_vaddr = (uint32_t)code->vaddr + 12 +
                 (t32_immediate(plt_word(code, 4)) << 16 | t32_immediate(plt_word(code, 0)));
    return 16;
}

/*
 * Most stubs are A32. A stub that T32 code branches to begins with `bx pc; nop` or with
 * `bx pc; b .-2`, which leads on to it. The section is searched word by word: the first entry, the
 * resolver's, ends with a word of data, and entries differ in size.
 */
bool plt_arm_decode(const struct plt_code *code, struct plt_stub *out)
{
    uint32_t got_vaddr = 0;
    size_t pos = 0, size = decode_t32(code, &got_vaddr);

    *out = (struct plt_stub){.got_vaddr = got_vaddr,
                             .thumb = true,
                             .all_thumb = true,
                             .size = (uint8_t)size};
    if (size > 0)
        return true;
    if (code->size < 12)
        return false;
    if (plt_word(code, 0) == 0x46c04778 || plt_word(code, 0) == 0xe7fd4778)
        pos = 4;
    size = decode_adds(code, pos, &got_vaddr);
    if (size == 0)
        size = decode_literal(code, pos, &got_vaddr);
    *out =
        (struct plt_stub){.got_vaddr = got_vaddr, .thumb = pos > 0, .size = (uint8_t)(pos + size)};
    return size > 0;
}
