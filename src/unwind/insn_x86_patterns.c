/* Patterns of bytes, and what else of x86 needs no decoding. */
#include "unwind/insn_x86.h"

#include <string.h>

/* jmp rel32 (e9) and jcc rel32 (0f 8x); a jump to another function is never short. */
uint64_t x86_jump_target(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr)
{
    unsigned opcode = size >= 5 && bytes[0] == 0xe9                                ? 1
                      : size >= 6 && bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80 ? 2
                                                                                   : 0;
    uint64_t target;
    int32_t rel;

    if (!opcode)
        return 0;
    memcpy(&rel, bytes + opcode, sizeof(rel));
    target = vaddr + opcode + sizeof(rel) + (uint64_t)(int64_t)rel;
    return mode->word == 8 ? target : (uint32_t)target;
}

/*
 * call rel32 is e8 and four bytes; call r/m is [41] ff /2 with 0, 1 or 4 bytes of displacement and perhaps a SIB
 * byte: 2 to 7 bytes, 8 with a prefix that does not matter here.
 */
bool x86_ends_with_call(const uint8_t *bytes, uint64_t size)
{
    const uint8_t *end = bytes + size;

    if (size >= 5 && end[-5] == 0xe8)
        return true;
    for (unsigned len = 2; len <= 7 && len <= size; len++) {
        uint8_t modrm, mod;
        unsigned want = 2;

        if (end[-(int)len] != 0xff)
            continue;
        modrm = end[1 - (int)len];
        mod = modrm >> 6;
        if ((modrm & 0x38) != 0x10 && (modrm & 0x38) != 0x18)
            continue;
        if (mod != 3 && (modrm & 7) == 4)
            want += 1;
        if (mod == 1)
            want += 1;
        else if (mod == 2 || (mod == 0 && (modrm & 7) == 5))
            want += 4;
        else if (mod == 0 && (modrm & 7) == 4 && len >= 3 && (end[2 - (int)len] & 7) == 5)
            want += 4;
        if (want == len)
            return true;
    }
    return false;
}

bool x86_begins_with(const struct x86_pattern *patterns, size_t count, const uint8_t *bytes,
                     uint64_t size)
{
    for (size_t i = 0; i < count; i++)
        if (size >= patterns[i].size && memcmp(bytes, patterns[i].bytes, patterns[i].size) == 0)
            return true;
    return false;
}

void x86_signal_row(const struct x86_mode *mode, const struct x86_saved *saved, size_t count,
                    int32_t at, uint64_t start_vaddr, uint64_t end_vaddr, struct row *out)
{
    uint8_t sp = mode->numbers[X86_SP];

    row_init(out, start_vaddr, end_vaddr, TRUST_PROLOGUE);
    out->signal_frame = true;
    for (size_t i = 0; i < count; i++)
        out->regs[saved[i].reg] =
            (struct rule){.kind = RULE_AT_REG, .reg = sp, .off = at + saved[i].off};
    out->cfa = (struct rule){.kind = CFA_DEREF, .reg = sp, .off = out->regs[sp].off};
    out->ra = out->regs[mode->pc];
}
