/* SPDX-License-Identifier: MIT */
#include "arch/x86/plt.h"

#include <elf.h>
#include <string.h>

#define STUB_CODE_MAX 48 /* bytes of instructions; more than any linker's stub has */
#define STUB_SIZE_MAX 64 /* bytes, with int3 as padding */

enum effect {
    NOTHING,  /* on the way to the jump */
    SLOT_REL, /* the operand leads to the GOT word from the next instruction on */
    SLOT_ABS, /* the operand is the GOT word's address */
    SLOT_GOT, /* the operand leads to the GOT word from %ebx, _GLOBAL_OFFSET_TABLE_, on */
    INDEX,    /* pushes the number of the stub's relocation */
    CALL,
    JUMP,
};

struct form {
    const char *opcode;
    uint8_t size, operand; /* bytes of the opcode; of what follows it */
    uint8_t word_size;     /* 8, 4; 0: both */
    uint8_t effect;        /* enum effect */
    bool ends;             /* the instruction is a jump */
};

/*
 * The instructions of stubs. A linker's stub is some of them up to a jump, and what binds lazily:
 *     jmp *slot;  push; jmp PLT0                                      .plt
 *     endbr; push; jmp PLT0       endbr; jmp *slot                    .plt and .plt.sec with IBT
 *     endbr; mov number; jmp *slot                                    mold
 *     (push %eax;) mov slot; call thunk; jmp loop;  push; jmp PLT0    lld with retpolines
 *     mov slot; jmp thunk                                             the same, not lazy
 * (psABIs, 5.2, and the linkers' sources.)
 */
static const struct form forms[] = {
    {"\xf3\x0f\x1e\xfa", 4, 0, 8, NOTHING, false}, /* endbr64 */
    {"\xf3\x0f\x1e\xfb", 4, 0, 4, NOTHING, false}, /* endbr32 */
    {"\x50", 1, 0, 4, NOTHING, false},             /* push %eax */
    {"\x41\xbb", 2, 4, 8, NOTHING, false},         /* mov $number, %r11d */
    {"\xb9", 1, 4, 4, NOTHING, false},             /* mov $number, %ecx */
    {"\x4c\x8b\x1d", 3, 4, 8, SLOT_REL, false},    /* mov slot(%rip), %r11 */
    {"\xa1", 1, 4, 4, SLOT_ABS, false},            /* mov slot, %eax */
    {"\x8b\x83", 2, 4, 4, SLOT_GOT, false},        /* mov slot(%ebx), %eax */
    {"\xff\x25", 2, 4, 8, SLOT_REL, true},         /* jmp *slot(%rip) */
    {"\xf2\xff\x25", 3, 4, 8, SLOT_REL, true},     /* bnd jmp *slot(%rip) */
    {"\xff\x25", 2, 4, 4, SLOT_ABS, true},         /* jmp *slot */
    {"\xff\xa3", 2, 4, 4, SLOT_GOT, true},         /* jmp *slot(%ebx) */
    {"\x68", 1, 4, 0, INDEX, false},               /* push $number */
    {"\xe8", 1, 4, 0, CALL, false},                /* call thunk */
    {"\xe9", 1, 4, 0, JUMP, true},                 /* jmp thunk; jmp PLT0 */
    {"\xf2\xe9", 2, 4, 0, JUMP, true},             /* bnd jmp PLT0 */
};

/* Returns the form of the instruction at `pos`; NULL: it has none. */
static const struct form *form_at(const struct plt_code *code, size_t pos, unsigned word_size)
{
    if (pos >= code->size)
        return NULL;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        const struct form *form = &forms[i];

        if (code->bytes[pos] == (uint8_t)form->opcode[0] &&
            (form->word_size == 0 || form->word_size == word_size) &&
            code->size - pos >= form->size + form->operand &&
            memcmp(code->bytes + pos, form->opcode, form->size) == 0)
            return form;
    }
    return NULL;
}

/* Adds what the instruction, whose operand ends at `end`, says of the stub; false: impossible. */
static bool take(const struct form *form, const struct plt_code *code, size_t end,
                 unsigned word_size, struct plt_stub *stub)
{
    const uint32_t operand = form->operand ? plt_word(code, end - 4) : 0;
    const uint64_t mask = word_size == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t relative = code->vaddr + end + (uint64_t)(int32_t)operand;

    switch ((enum effect)form->effect) {
    case NOTHING:
    case JUMP:
        return true;
    case CALL:
        stub->thunk_vaddr = relative & mask;
        return true;
    case SLOT_REL:
        stub->got_vaddr = relative;
        return true;
    case SLOT_ABS:
        stub->got_vaddr = operand;
        return true;
    case SLOT_GOT:
        stub->got_vaddr = (code->got_vaddr + operand) & mask;
        return code->got_vaddr != 0;
    case INDEX:
        /* i386 pushes the byte offset of a record of .rel.plt */
        if (stub->got_vaddr == 0) {
            stub->by_index = true;
            stub->reloc = word_size == 8 ? operand : operand / (uint32_t)sizeof(Elf32_Rel);
        }
        return word_size == 8 || operand % sizeof(Elf32_Rel) == 0;
    }
    return false;
}

bool x86_plt_decode(const struct plt_code *code, unsigned word_size, struct plt_stub *out)
{
    const struct form *form;
    bool ended = false;
    size_t pos = 0;

    *out = (struct plt_stub){0};
    while (pos < STUB_CODE_MAX && (form = form_at(code, pos, word_size)) &&
           (!ended || form->effect == INDEX || form->effect == JUMP)) {
        if (form->effect == INDEX && ended)
            out->lazy_off = (uint8_t)pos;
        pos += form->size + form->operand;
        if (!take(form, code, pos, word_size, out))
            return false;
        ended = form->ends || ended;
    }
    if (!ended || (out->got_vaddr == 0 && !out->by_index))
        return false;
    while (pos < code->size && pos < STUB_SIZE_MAX && code->bytes[pos] == 0xcc)
        pos++;
    pos = (pos + 7) & ~(size_t)7;
    out->size = (uint8_t)(pos < code->size ? pos : code->size);
    return true;
}
