/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/regs.h"

#include <fnmatch.h>
#include <string.h>

#include "arch/analysis/analysis.h"

void perf_regs_layout(const struct arch *arch, uint64_t mask, struct perf_regs_layout *out)
{
    uint64_t known = 0;

    *out = (struct perf_regs_layout){.count = 0};
    for (unsigned bit = 0; bit < 64; bit++) {
        uint8_t reg = bit < arch->perf_reg_count ? arch->perf_regs[bit] : REG_NONE;

        if (!(mask >> bit & 1))
            continue;
        out->regs[out->count++] = reg;
        if (reg != REG_NONE)
            known |= UINT64_C(1) << reg;
    }
    out->is_complete = known >> arch->pc & 1 && known >> arch->sp & 1;
}

void perf_regs_read(const struct perf_regs_layout *layout, const uint8_t *words, struct regs *out)
{
    *out = (struct regs){.known = 0};
    for (unsigned i = 0; i < layout->count; i++) {
        uint64_t value;

        memcpy(&value, words + 8 * i, 8);
        if (layout->regs[i] != REG_NONE)
            regs_set(out, layout->regs[i], value);
    }
}

const struct arch *perf_arch_by_name(const char *name)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);

        for (const char *const *machine = arch_analysis(arch)->perf.machines; *machine; machine++)
            if (fnmatch(*machine, name, 0) == 0)
                return arch;
    }
    return NULL;
}

const struct arch *perf_arch_by_mask(uint64_t mask)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);

        if (mask && arch_analysis(arch)->perf.own_mask == mask)
            return arch;
    }
    return NULL;
}
