/* SPDX-License-Identifier: MIT */
/* A file of its own, so that programs that print no names do not contain them. */
#include "arch/arch.h"

const char *const *arch_reg_names(const struct arch *arch)
{
    static const char *const *const names[ARCH_COUNT] = {
#define REG_NAMES_ENTRY(id, name) [ARCH_##id] = name##_reg_names,
        ARCH_LIST(REG_NAMES_ENTRY)
#undef REG_NAMES_ENTRY
    };

    return names[arch->id];
}
