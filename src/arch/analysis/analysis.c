/* SPDX-License-Identifier: MIT */
#include "arch/analysis/analysis.h"

#include <string.h>

const struct arch_analysis *arch_analysis(const struct arch *arch)
{
    static const struct arch_analysis *const tables[ARCH_COUNT] = {
#define ARCH_ANALYSIS_ENTRY(id, name) [ARCH_##id] = &name##_analysis,
        ARCH_LIST(ARCH_ANALYSIS_ENTRY)
#undef ARCH_ANALYSIS_ENTRY
    };

    return tables[arch->id];
}

unsigned syscall_insn_at(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    const struct syscall_insn *insns = arch_analysis(arch)->syscall_insns;

    for (size_t i = 0; i < SYSCALL_INSNS_MAX; i++)
        if (insns[i].size && size >= insns[i].size &&
            memcmp(bytes, insns[i].bytes, insns[i].size) == 0)
            return insns[i].size;
    return 0;
}

unsigned syscall_insn_before(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    const struct syscall_insn *insns = arch_analysis(arch)->syscall_insns;

    for (size_t i = 0; i < SYSCALL_INSNS_MAX; i++)
        if (insns[i].size && size >= insns[i].size &&
            memcmp(bytes + size - insns[i].size, insns[i].bytes, insns[i].size) == 0)
            return insns[i].size;
    return 0;
}
