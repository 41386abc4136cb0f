/* SPDX-License-Identifier: MIT */
/* Finds the number of a system call, whatever instructions put it into EAX. */
#include <string.h>

#include "arch/x86/insn.h"

#define INSNS_MAX 8
#define CALL_SIZE 2

struct accumulator {
    bool knows, has_pushed; /* EAX is `value`; a pushed word is `pushed` */
    uint32_t value, pushed;
};

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

static unsigned set(struct accumulator *eax, uint32_t value, unsigned length)
{
    eax->knows = true;
    eax->value = value;
    return length;
}

static unsigned push(struct accumulator *eax, uint32_t value, unsigned length)
{
    eax->has_pushed = true;
    eax->pushed = value;
    return length;
}

static bool is_zeroing(uint8_t opcode, uint8_t operands)
{
    return (opcode == 0x31 || opcode == 0x33 || opcode == 0x29) && operands == 0xc0;
}

/* Returns the length of a nop or endbr64, endbr32; 0: another instruction. */
static unsigned nothing_at(const uint8_t *bytes, uint64_t size)
{
    if (bytes[0] == 0x90)
        return 1;
    if (bytes[0] == 0x66)
        return size >= 2 && bytes[1] == 0x90 ? 2 : 0;
    return size >= 4 && bytes[0] == 0xf3 && bytes[1] == 0x0f && bytes[2] == 0x1e &&
                   (bytes[3] & 0xfe) == 0xfa
               ? 4
               : 0;
}

unsigned x86_nothing(const uint8_t *bytes, uint64_t size)
{
    unsigned at = 0, length;

    while (at < size && at < INSNS_MAX && (length = nothing_at(bytes + at, size - at)))
        at += length;
    return at;
}

/* An instruction behind REX.W. */
static unsigned step_wide(struct accumulator *eax, const uint8_t *bytes, uint64_t size)
{
    if (size >= 7 && bytes[1] == 0xc7 && bytes[2] == 0xc0) /* mov $imm32, %rax */
        return set(eax, word_at(bytes + 3), 7);
    if (size >= 10 && bytes[1] == 0xb8 && word_at(bytes + 6) == 0)
        return set(eax, word_at(bytes + 2), 10);
    return size >= 3 && is_zeroing(bytes[1], bytes[2]) ? set(eax, 0, 3) : 0;
}

/* Returns the length of the instruction that `bytes` begin with; 0: it does something else, too. */
static unsigned step(struct accumulator *eax, bool wide, const uint8_t *bytes, uint64_t size)
{
    const bool can_push = !eax->has_pushed;

    switch (bytes[0]) {
    case 0x90:
    case 0x66:
    case 0xf3:
        return nothing_at(bytes, size);
    case 0x31:
    case 0x33:
    case 0x29:
        return size >= 2 && is_zeroing(bytes[0], bytes[1]) ? set(eax, 0, 2) : 0;
    case 0xb8:
        return size >= 5 ? set(eax, word_at(bytes + 1), 5) : 0;
    case 0xb0: /* mov $imm8, %al */
        return size >= 2 && eax->knows ? set(eax, (eax->value & ~0xffu) | bytes[1], 2) : 0;
    case 0x6a:
        return size >= 2 && can_push && bytes[1] < 0x80 ? push(eax, bytes[1], 2) : 0;
    case 0x68:
        return size >= 5 && can_push ? push(eax, word_at(bytes + 1), 5) : 0;
    case 0x58:
        if (can_push)
            return 0;
        eax->has_pushed = false;
        return set(eax, eax->pushed, 1);
    case 0x48:
        return wide ? step_wide(eax, bytes, size) : 0;
    default:
        return 0;
    }
}

/* Returns whether `bytes` begin with a system call instruction; all have two bytes. */
static bool is_call(bool wide, const uint8_t *bytes, uint64_t size)
{
    if (size < CALL_SIZE)
        return false;
    if (wide)
        return bytes[0] == 0x0f && bytes[1] == 0x05; /* syscall */
    return (bytes[0] == 0xcd && bytes[1] == 0x80) || /* int $0x80 */
           (bytes[0] == 0x0f && bytes[1] == 0x34);   /* sysenter */
}

bool x86_system_call(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                     struct x86_system_call *out)
{
    const bool wide = mode->word == 8;
    struct accumulator eax = {.knows = false};
    uint64_t at = 0;
    unsigned length;

    *out = (struct x86_system_call){.number = 0};
    for (unsigned i = 0; i < INSNS_MAX && at < size; i++, at += length) {
        if (is_call(wide, bytes + at, size - at)) {
            out->number = eax.value;
            out->size = (unsigned)at + CALL_SIZE;
            if (!out->still_size)
                out->still_size = out->size;
            return eax.knows && !eax.has_pushed;
        }
        length = step(&eax, wide, bytes + at, size - at);
        if (!length)
            return false;
        if (eax.has_pushed && !out->still_size)
            out->still_size = (unsigned)at + length;
    }
    return false;
}
