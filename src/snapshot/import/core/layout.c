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

void core_layout_regs(const struct arch *arch, const uint8_t *desc, struct regs *out)
{
    *out = (struct regs){0};
    for (unsigned i = 0; i < arch->reg_count; i++)
        regs_set(out, i, word_at(arch, desc, arch->regset_order[i]));
}
