/* SPDX-License-Identifier: MIT */
/* arm: boards without Linux, nearly all of the M-profile. See arch/analysis/board.h. */
#include "arch/arm/board.h"

enum { R0, R1, R2, R3, R12 = 12, SP = 13, LR = 14, PC = 15, XPSR = 16, MSP = 17, PSP = 18 };

#define STATUS_T      (UINT64_C(1) << 24) /* EPSR.T of the M-profile; J of others, unused */
#define STATUS_MODE   0x1fu
#define MODE_USER     0x10u
#define EXC_RETURN    0xffffff80u /* no code is here and above (ARMv8-M ARM, D1.2.95) */
#define SRAM_ADDR     0x10000000u /* core-coupled memory of some, then SRAM, ... */
#define SRAM_END_ADDR 0x40000000u /* ... up to the devices (ARMv7-M ARM, B3.1) */
#define CODE_END_ADDR 0x20000000u

/* Says whether PC and SP are where the M-profile's fixed memory map has code and stacks. */
static bool lies_as_m_profile(const struct regs *regs)
{
    const uint64_t sp = regs->value[SP];

    return regs_has(regs, PC) && regs_has(regs, SP) && regs->value[PC] &&
           regs->value[PC] < CODE_END_ADDR && sp >= SRAM_ADDR && sp <= SRAM_END_ADDR;
}

/*
 * Implements board_arch.sign. Linux's programs run in user mode; the M-profile has Thumb's bit
 * where others have an unused one.
 */
static enum board_sign sign(const struct regs *regs, uint8_t *profile)
{
    const uint64_t status = regs->value[XPSR];

    *profile = BOARD_PROFILE_ARM_M;
    if (regs_has(regs, MSP) || regs_has(regs, PSP) || (regs_has(regs, XPSR) && status & STATUS_T) ||
        (regs_has(regs, LR) && regs->value[LR] >= EXC_RETURN && regs->value[LR] < UINT32_MAX))
        return BOARD_YES;
    if (regs_has(regs, XPSR) && (status & STATUS_MODE) == MODE_USER) {
        *profile = BOARD_PROFILE_OTHER;
        return BOARD_NO;
    }
    if (lies_as_m_profile(regs))
        return BOARD_YES;
    *profile = BOARD_PROFILE_OTHER;
    return regs_has(regs, XPSR) && status & STATUS_MODE ? BOARD_YES : BOARD_NO;
}

/* arch/arm/core/cortex_m/coredump.c of Zephyr */
static const uint8_t zephyr_order[] = {R0, R1, R2, R3, R12, LR, PC, XPSR, SP,
                                       4,  5,  6,  7,  8,   9,  10, 11};
static const struct zephyr_block zephyr_blocks[] = {
    {.version = 1, .count = 9, .regs = zephyr_order, .may_lack = 0},
    {.version = 2, .count = 17, .regs = zephyr_order, .may_lack = 0},
};

/* ARMv7-M ARM, B1.5.6: r0 to r3, r12, lr, the return address, xPSR. */
static const uint8_t frame_regs[] = {R0, R1, R2, R3, R12, LR, PC, XPSR};

static const struct reg_alias aliases[] = {
    {"xpsr", "cpsr"}, {"psr", "cpsr"}, {"r13", "sp"}, {"r14", "lr"}, {"r15", "pc"},
    {"ip", "r12"},    {"fp", "r11"},   {"sl", "r10"}, {"sb", "r9"},
};

/* The system registers about faults, by their addresses (ARMv7-M ARM, B3.2.2). */
static const struct system_reg system_regs[] = {
    {"shcsr", 0xe000ed24}, {"cfsr", 0xe000ed28}, {"hfsr", 0xe000ed2c}, {"dfsr", 0xe000ed30},
    {"mmfar", 0xe000ed34}, {"bfar", 0xe000ed38}, {"sfsr", 0xe000ede4}, {"sfar", 0xe000ede8},
};

const struct board_arch arm_board = {
    .profile = BOARD_PROFILE_ARM_M,
    .sign = sign,
    .zephyr_target = 3,
    .zephyr_blocks = zephyr_blocks,
    .zephyr_block_count = sizeof(zephyr_blocks) / sizeof(zephyr_blocks[0]),
    .frame_regs = frame_regs,
    .frame_count = sizeof(frame_regs),
    .frame_pad_bit = 9,
    .aliases = aliases,
    .alias_count = sizeof(aliases) / sizeof(aliases[0]),
    .system_regs = system_regs,
    .system_count = sizeof(system_regs) / sizeof(system_regs[0]),
};
