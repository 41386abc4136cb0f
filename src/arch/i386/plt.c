/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

#include <elf.h>
#include <string.h>

/*
 * A stub is one of
 *     ff 25 abs32           jmp *abs32                  .plt and .plt.got of a program at a fixed
 *                                                       address
 *     ff a3 disp32          jmp *disp(%ebx)             .plt and .plt.got of position-independent
 *                                                       code; %ebx is _GLOBAL_OFFSET_TABLE_
 *     f3 0f 1e fb  ff 25|a3 endbr32; jmp *...             .plt.sec, and .plt.got with IBT
 *     f3 0f 1e fb  68 imm32 endbr32; push $offset       .plt where .plt.sec exists: the byte offset
 *                                                       of a record of .rel.plt
 * (i386 psABI, 5.2 and the linkers' IBT variants.)
 */
bool plt_i386_decode(const struct plt_code *code, struct plt_stub *out)
{
    static const uint8_t endbr32[] = {0xf3, 0x0f, 0x1e, 0xfb};
    const uint8_t *bytes = code->bytes;
    size_t size = code->size, pos = 0;
    uint32_t word;

    if (size >= 4 && memcmp(bytes, endbr32, 4) == 0)
        pos = 4;
    if (size - pos >= 6 && bytes[pos] == 0xff &&
        (bytes[pos + 1] == 0x25 || bytes[pos + 1] == 0xa3)) {
        bool relative = bytes[pos + 1] == 0xa3;

        if (relative && code->got_vaddr == 0)
            return false;
        word = plt_word(code, pos + 2) + (relative ? (uint32_t)code->got_vaddr : 0);
        *out = (struct plt_stub){.got_vaddr = word, .size = plt_x86_stub_size(code, pos + 6)};
        return true;
    }
    if (size - pos >= 10 && bytes[pos] == 0x68) {
        word = plt_word(code, pos + 1);
        *out = (struct plt_stub){.reloc = word / (uint32_t)sizeof(Elf32_Rel),
                                 .by_index = true,
                                 .size = plt_x86_stub_size(code, pos + 10)};
        return word % sizeof(Elf32_Rel) == 0;
    }
    return false;
}
