#include "snapshot/import/perf/regs.h"

#include <string.h>

#define NONE REG_NONE

/* By perf's number: ours. Flags, segment registers and what lies behind have none. */
static const uint8_t x86_64_regs[] = {0,    3,    2,    1,    4, 5, 6,  7,  16, NONE, NONE, NONE,
                                      NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,   14,   15};
static const uint8_t i386_regs[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};
static const uint8_t arm_regs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t aarch64_regs[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

static const struct {
    const uint8_t *regs;
    uint8_t count;
} tables[ARCH_COUNT] = {
    [ARCH_X86_64] = {x86_64_regs, sizeof(x86_64_regs)},
    [ARCH_I386] = {i386_regs, sizeof(i386_regs)},
    [ARCH_ARM] = {arm_regs, sizeof(arm_regs)},
    [ARCH_AARCH64] = {aarch64_regs, sizeof(aarch64_regs)},
};

void perf_regs_layout(const struct arch *arch, uint64_t mask, struct perf_regs_layout *out)
{
    uint64_t known = 0;

    *out = (struct perf_regs_layout){.count = 0};
    for (unsigned bit = 0; bit < 64; bit++) {
        uint8_t reg = bit < tables[arch->id].count ? tables[arch->id].regs[bit] : NONE;

        if (!(mask >> bit & 1))
            continue;
        out->regs[out->count++] = reg;
        if (reg != NONE)
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
        if (layout->regs[i] != NONE)
            regs_set(out, layout->regs[i], value);
    }
}

const struct arch *perf_arch_by_name(const char *name)
{
    if (strcmp(name, "x86_64") == 0)
        return arch_get(ARCH_X86_64);
    if (strcmp(name, "aarch64") == 0 || strcmp(name, "arm64") == 0)
        return arch_get(ARCH_AARCH64);
    if (strncmp(name, "arm", 3) == 0)
        return arch_get(ARCH_ARM);
    /* i386 to i686 */
    return name[0] == 'i' && name[1] && strcmp(name + 2, "86") == 0 ? arch_get(ARCH_I386) : NULL;
}

/*
 * What perf asks for of itself: on aarch64 bits 0 to 32, on x86-64 all but the segment registers of
 * data. 32-bit ARM and x86 look the same.
 */
const struct arch *perf_arch_by_mask(uint64_t mask)
{
    if (mask == UINT64_C(0x1ffffffff))
        return arch_get(ARCH_AARCH64);
    return mask == 0xff0fff ? arch_get(ARCH_X86_64) : NULL;
}
