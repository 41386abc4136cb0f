#include "symbol/plt.h"

#include <string.h>

/*
 * An entry is one of
 *     ff 25 disp32           jmp *disp(%rip)            .plt.got; also begins a lazy .plt entry
 *     f3 0f 1e fa  f2? ff 25 endbr64; (bnd) jmp *…      .plt.sec, and .plt.got with IBT
 *     f3 0f 1e fa  68 imm32  endbr64; push $index       .plt where .plt.sec exists
 * (x86-64 psABI, 5.2 and the linkers' IBT variants.)
 */
bool plt_x86_64_decode(const uint8_t *bytes, size_t size, uint64_t vaddr, struct plt_stub *out)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    size_t pos = 0;
    uint32_t word;

    if (size >= 4 && memcmp(bytes, endbr64, 4) == 0)
        pos = 4;
    if (pos < size && bytes[pos] == 0xf2)
        pos++;
    if (size - pos >= 6 && bytes[pos] == 0xff && bytes[pos + 1] == 0x25) {
        memcpy(&word, bytes + pos + 2, 4);
        *out = (struct plt_stub){.got_vaddr = vaddr + pos + 6 + (uint64_t)(int64_t)(int32_t)word};
        return true;
    }
    if (size - pos >= 5 && bytes[pos] == 0x68) {
        memcpy(&word, bytes + pos + 1, 4);
        *out = (struct plt_stub){.reloc = word, .by_index = true};
        return true;
    }
    return false;
}
