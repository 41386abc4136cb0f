/* SPDX-License-Identifier: MIT */
#include "arch/arm/loop.h"

#include "arch/arm/insn.h"

/* The distance of wls and le in bytes: bits 10 to 1, with bit 11 as the lowest of them. */
static uint64_t distance(uint32_t word)
{
    return (uint64_t)(word >> 1 & 0x3ff) << 2 | (word >> 11 & 1) << 1;
}

/* LR counts, and control may branch to `target_vaddr`. */
static void count(struct insn *out, uint64_t target_vaddr)
{
    arm_op_clobber(out, ARM_BIT(ARM_LR));
    arm_jump(out, ARM_CONDITION_ALWAYS, target_vaddr, CODE_T32);
    out->flow = FLOW_BRANCH;
}

/* Says whether there is a register whose value LR gets. */
static bool has_counter(uint32_t word)
{
    return (word >> 16 & 0xf) != ARM_PC;
}

bool arm_loop(uint32_t word, uint64_t pc, struct insn *out)
{
    if (word == 0xf00fe001) /* lctp */
        return true;
    if (((word & 0xfff0ffff) == 0xf040e001 || (word & 0xffc0ffff) == 0xf000e001) &&
        has_counter(word)) { /* dls, dlstp */
        arm_op_clobber(out, ARM_BIT(ARM_LR));
    } else if (((word & 0xfff0f001) == 0xf040c001 || (word & 0xffc0f001) == 0xf000c001) &&
               has_counter(word)) { /* wls, wlstp */
        count(out, arm_address(pc, (int64_t)distance(word)));
    } else if ((word & 0xffeff001) == 0xf00fc001) { /* le lr, letp */
        count(out, arm_address(pc, -(int64_t)distance(word)));
    } else if ((word & 0xfffff001) == 0xf02fc001) { /* le: endless */
        arm_jump(out, ARM_CONDITION_ALWAYS, arm_address(pc, -(int64_t)distance(word)), CODE_T32);
    } else {
        return false;
    }
    return true;
}
