/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/layout.h"

#include <string.h>

static uint64_t word_at(const struct arch *arch, const uint8_t *desc, unsigned index)
{
    const struct core_layout *layout = core_layout_get(arch);
    uint64_t value = 0;

    memcpy(&value, desc + layout->regs_off + (size_t)index * arch->word_size, arch->word_size);
    return value;
}

size_t core_layout_status_size(const struct arch *arch)
{
    return core_layout_get(arch)->regs_off + (size_t)arch->regset_words * arch->word_size;
}

uint64_t core_layout_orig(const struct arch *arch, const uint8_t *desc)
{
    return arch->orig_word < arch->regset_words ? word_at(arch, desc, arch->orig_word) : 0;
}

/* The base among struct user_desc: number, base, limit, flags. */
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

uint64_t core_layout_pointer(const struct arch *arch, const uint8_t *desc, const uint8_t *note,
                             size_t size)
{
    const struct core_layout *layout = core_layout_get(arch);
    const bool has_word = layout->pointer_word != CORE_WORD_NONE;
    uint64_t value = has_word ? word_at(arch, desc, layout->pointer_word) : 0;

    if (!layout->pointer_note)
        return value;
    if (has_word)
        return segment_base(note, size, value);
    if (size >= arch->word_size)
        memcpy(&value, note, arch->word_size);
    return value;
}

void core_layout_regs(const struct arch *arch, const uint8_t *desc, struct regs *out)
{
    *out = (struct regs){0};
    for (unsigned i = 0; i < arch->reg_count; i++)
        regs_set(out, i,
                 arch->regset_order[i] == REG_NONE ? 0
                                                   : word_at(arch, desc, arch->regset_order[i]));
}
