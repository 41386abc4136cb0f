/* SPDX-License-Identifier: MIT */
/* x86: matches of byte patterns, and signal rows. */
#include "arch/x86/insn.h"

#include <string.h>

/* Returns the target of an instruction that ends with its distance, at bytes + off. */
static uint64_t relative(const struct x86_mode *mode, const uint8_t *bytes, unsigned off,
                         uint64_t vaddr)
{
    uint64_t target;
    int32_t rel;

    memcpy(&rel, bytes + off, sizeof(rel));
    target = vaddr + off + sizeof(rel) + (uint64_t)(int64_t)rel;
    return mode->word == 8 ? target : (uint32_t)target;
}

uint64_t x86_jump_target(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr)
{
    /* jmp (e9), jcc (0f 8x), bnd jmp in PLTs (f2 e9); jumps to functions are never short. */
    unsigned opcode = size >= 5 && bytes[0] == 0xe9 ? 1
                      : size >= 6 && ((bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80) ||
                                      (bytes[0] == 0xf2 && bytes[1] == 0xe9))
                          ? 2
                          : 0;

    return opcode ? relative(mode, bytes, opcode, vaddr) : 0;
}

uint64_t x86_call_target(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr)
{
    return size >= 5 && bytes[0] == 0xe8 ? relative(mode, bytes, 1, vaddr) : 0;
}

/*
 * call rel32 is e8 and four bytes; call r/m is [41] ff /2 with 0, 1 or 4 bytes of displacement and
 * perhaps a SIB byte: 2 to 7 bytes, 8 with a prefix that does not matter here.
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

#define TRAMPOLINE_MAX 32 /* the most bytes that its call jumps over */

/* Returns the size of an endless loop that catches speculation, or of an int3; 0: none. */
static unsigned capture_loop(const uint8_t *b, uint64_t size)
{
    unsigned length = 0;

    if (size >= 1 && b[0] == 0xcc)
        return 1;
    for (;;) {
        if (size - length >= 2 && b[length] == 0xf3 && b[length + 1] == 0x90)
            length += 2; /* pause */
        else if (size - length >= 3 && b[length] == 0x0f && b[length + 1] == 0xae &&
                 b[length + 2] == 0xe8)
            length += 3; /* lfence */
        else
            break;
        if (length > TRAMPOLINE_MAX)
            return 0;
    }
    if (size - length < 2 || b[length] != 0xeb || b[length + 1] < 0x80 ||
        0x100u - b[length + 1] > length + 2)
        return 0;
    return length + 2;
}

unsigned x86_return_to_register(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                                uint8_t *reg)
{
    unsigned rex = mode->word == 8, number;

    if (size < rex + 4 || (rex && (bytes[0] & 0xfb) != 0x48) || bytes[rex] != 0x89 ||
        (bytes[rex + 1] & 0xc7) != 0x04 || bytes[rex + 2] != 0x24 || bytes[rex + 3] != 0xc3)
        return 0;
    number = (bytes[rex + 1] >> 3 & 7u) + (rex && bytes[0] & 4 ? 8 : 0);
    *reg = mode->numbers[number];
    return number == X86_SP ? 0 : rex + 4;
}

bool x86_is_trampoline(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size)
{
    static const struct x86_pattern returns_64[] = {
        {"\x48\x8d\x64\x24\x08\xc3", 6}, /* lea rsp, [rsp + 8]; ret */
        {"\x48\x83\xc4\x08\xc3", 5},     /* add rsp, 8; ret */
    };
    static const struct x86_pattern returns_32[] = {
        {"\x8d\x64\x24\x04\xc3", 5}, /* lea esp, [esp + 4]; ret */
        {"\x83\xc4\x04\xc3", 4},     /* add esp, 4; ret */
    };
    const struct x86_pattern *returns = mode->word == 8 ? returns_64 : returns_32;
    unsigned over, loop;
    uint8_t reg;

    if (size < 5 || bytes[0] != 0xe8 || bytes[2] || bytes[3] || bytes[4])
        return false;
    over = bytes[1];
    bytes += 5;
    size -= 5;
    if (over == 0 || over > TRAMPOLINE_MAX || over >= size)
        return false;
    loop = capture_loop(bytes, over);
    return loop != 0 && (x86_return_to_register(mode, bytes + over, size - over, &reg) ||
                         x86_begins_with(returns, 2, bytes + over, size - over));
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
