/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/layout.h"

#include <string.h>

/* Returns the bytes of NT_PRSTATUS up to the end of register word `index`. */
static size_t end_of_word(const struct arch *arch, unsigned index)
{
    return core_layout_get(arch)->regs_off + ((size_t)index + 1) * arch->word_size;
}

/* Returns register word `index`; 0 if the note ends before. */
static uint64_t word_at(const struct arch *arch, const struct core_status *status, unsigned index)
{
    const size_t end = end_of_word(arch, index);
    uint64_t value = 0;

    if (end <= status->size)
        memcpy(&value, status->desc + end - arch->word_size, arch->word_size);
    return value;
}

size_t core_layout_status_size(const struct arch *arch)
{
    return end_of_word(arch, arch->regset_words - 1u);
}

size_t core_layout_least_size(const struct arch *arch)
{
    const unsigned pc = arch->regset_order[arch->pc], sp = arch->regset_order[arch->sp];

    return end_of_word(arch, pc > sp ? pc : sp);
}

uint64_t core_layout_orig(const struct arch *arch, const struct core_status *status)
{
    return arch->orig_word < arch->regset_words ? word_at(arch, status, arch->orig_word) : 0;
}

/* Finds the base in an array of struct user_desc: number, base, limit, flags. */
static uint64_t segment_base(const uint8_t *note, size_t size, uint64_t selector)
{
    uint32_t entry[4];

    for (size_t off = 0; size - off >= sizeof(entry); off += sizeof(entry)) {
        memcpy(entry, note + off, sizeof(entry));
        if (entry[0] == (selector & 0xffff) >> 3)
            return entry[1];
    }
    return 0;
}

uint64_t core_layout_pointer(const struct arch *arch, const struct core_status *status,
                             const uint8_t *note, size_t size)
{
    const struct core_layout *layout = core_layout_get(arch);
    const bool has_word = layout->pointer_word != CORE_WORD_NONE;
    uint64_t value = has_word ? word_at(arch, status, layout->pointer_word) : 0;

    if (!layout->pointer_note)
        return value;
    if (has_word)
        return segment_base(note, size, value);
    if (size >= arch->word_size)
        memcpy(&value, note, arch->word_size);
    return value;
}

void core_layout_regs(const struct arch *arch, const struct core_status *status, struct regs *out)
{
    *out = (struct regs){0};
    for (unsigned i = 0; i < arch->reg_count; i++) {
        const unsigned word = arch->regset_order[i];

        if (word == REG_NONE)
            regs_set(out, i, 0);
        else if (end_of_word(arch, word) <= status->size)
            regs_set(out, i, word_at(arch, status, word));
    }
}
