/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

#include <string.h>

/*
 * A stub is one of
 *     ff 25 disp32           jmp *disp(%rip)            .plt.got; also begins a lazy .plt entry
 *     f3 0f 1e fa  f2? ff 25 endbr64; (bnd) jmp *...      .plt.sec, and .plt.got with IBT
 *     f3 0f 1e fa  68 imm32  endbr64; push $index       .plt where .plt.sec exists
 * (x86-64 psABI, 5.2 and the linkers' IBT variants.)
 */
bool plt_x86_64_decode(const struct plt_code *code, struct plt_stub *out)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const uint8_t *bytes = code->bytes;
    size_t size = code->size, pos = 0;

    if (size >= 4 && memcmp(bytes, endbr64, 4) == 0)
        pos = 4;
    if (pos < size && bytes[pos] == 0xf2)
        pos++;
    if (size - pos >= 6 && bytes[pos] == 0xff && bytes[pos + 1] == 0x25) {
        int64_t disp = (int32_t)plt_word(code, pos + 2);

        *out = (struct plt_stub){.got_vaddr = code->vaddr + pos + 6 + (uint64_t)disp,
                                 .size = plt_x86_stub_size(code, pos + 6)};
        return true;
    }
    if (size - pos >= 10 && bytes[pos] == 0x68) {
        *out = (struct plt_stub){.reloc = plt_word(code, pos + 1),
                                 .by_index = true,
                                 .size = plt_x86_stub_size(code, pos + 10)};
        return true;
    }
    return false;
}
