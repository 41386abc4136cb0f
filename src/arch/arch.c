/* SPDX-License-Identifier: MIT */
#include "arch/arch.h"

static const struct arch *const archs[ARCH_COUNT] = {
#define ARCH_ENTRY(id, name) [ARCH_##id] = &arch_##name,
    ARCH_LIST(ARCH_ENTRY)
#undef ARCH_ENTRY
};

const struct arch *arch_by_elf(uint16_t elf_machine, unsigned word_size)
{
    for (size_t i = 0; i < ARCH_COUNT; i++)
        if (archs[i]->elf_machine == elf_machine && archs[i]->word_size == word_size)
            return archs[i];
    return NULL;
}

const struct arch *arch_get(enum arch_id id)
{
    return archs[id];
}
