/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

#define BTI_C     0xd503245f
#define ADD_X16   0x91000210 /* without its immediate */
#define AUTIA1716 0xd503219f
#define BR_X17    0xd61f0220
#define NOP       0xd503201f

/*
 *     (bti c;) adrp x16, page; ldr x17, [x16, #low]; (add x16, x16, #low;) (autia1716;) br x17
 * (AAELF64, 9.3 and the linkers' variants; mold leaves out the add in .plt.got), padded to a
 * multiple of 8 bytes. The resolver's entry holds the same words behind an stp; no relocation names
 * its GOT word.
 */
bool plt_aarch64_decode(const struct plt_code *code, struct plt_stub *out)
{
    size_t pos = code->size >= 4 && plt_word(code, 0) == BTI_C ? 4 : 0;
    uint32_t adrp, ldr;
    uint64_t page;

    if (code->size - pos < 12)
        return false;
    adrp = plt_word(code, pos);
    ldr = plt_word(code, pos + 4);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
        return false;
    page = ((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)); /* 21 bits, signed */
    page = (page ^ 0x100000) - 0x100000;
    page = ((code->vaddr + pos) & ~UINT64_C(0xfff)) + (page << 12);
    *out = (struct plt_stub){.got_vaddr = page + (ldr >> 10 & 0xfff) * 8};
    pos += 8;
    if ((plt_word(code, pos) & 0xffc003ff) == ADD_X16)
        pos += 4;
    if (code->size - pos >= 4 && plt_word(code, pos) == AUTIA1716)
        pos += 4;
    if (code->size - pos < 4 || plt_word(code, pos) != BR_X17)
        return false;
    pos += 4;
    if (pos % 8 == 4 && code->size - pos >= 4 && plt_word(code, pos) == NOP)
        pos += 4;
    out->size = (uint8_t)pos;
    return true;
}
