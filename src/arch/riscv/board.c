/* SPDX-License-Identifier: MIT */
/* riscv: boards without Linux. See arch/analysis/board.h. */
#include "arch/riscv/board.h"

#define BIT(n) (UINT64_C(1) << (n))

enum { RA = 1, SP, GP, TP, T0, T1, T2, S0, S1, A0, A7 = 17, S2, S11 = 27, T3, T6 = 31, PC };

/* Implements board_arch.sign. No register in dumps tells the mode. */
static enum board_sign sign(const struct regs *regs, uint8_t *profile)
{
    (void)regs;
    *profile = BOARD_PROFILE_RISCV;
    return BOARD_MAYBE;
}

/* arch/riscv/core/coredump.c of Zephyr: older ones have caller-saved registers, later ones all. */
static const uint8_t few[] = {RA,     TP,     T0,     T1,     T2,     A0, A0 + 1,
                              A0 + 2, A0 + 3, A0 + 4, A0 + 5, A0 + 6, A7, T3,
                              T3 + 1, T3 + 2, T6,     PC,     SP};
static const uint8_t all[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                              17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

/* Zephyr knows s1 to s11 only with CONFIG_EXCEPTION_DEBUG. */
#define MAY_LACK (BIT(S1) | (BIT(S11 + 1) - BIT(S2)))

static const struct zephyr_block blocks_32[] = {
    {.version = 1, .count = sizeof(few), .regs = few, .may_lack = 0},
    {.version = 3, .count = sizeof(all), .regs = all, .may_lack = MAY_LACK},
};
static const struct zephyr_block blocks_64[] = {
    {.version = 2, .count = sizeof(few), .regs = few, .may_lack = 0},
    {.version = 4, .count = sizeof(all), .regs = all, .may_lack = MAY_LACK},
};

static const struct reg_alias aliases[] = {
    {"fp", "s0"},  {"x0", "zero"}, {"x1", "ra"},  {"x2", "sp"},   {"x3", "gp"},   {"x4", "tp"},
    {"x5", "t0"},  {"x6", "t1"},   {"x7", "t2"},  {"x8", "s0"},   {"x9", "s1"},   {"x10", "a0"},
    {"x11", "a1"}, {"x12", "a2"},  {"x13", "a3"}, {"x14", "a4"},  {"x15", "a5"},  {"x16", "a6"},
    {"x17", "a7"}, {"x18", "s2"},  {"x19", "s3"}, {"x20", "s4"},  {"x21", "s5"},  {"x22", "s6"},
    {"x23", "s7"}, {"x24", "s8"},  {"x25", "s9"}, {"x26", "s10"}, {"x27", "s11"}, {"x28", "t3"},
    {"x29", "t4"}, {"x30", "t5"},  {"x31", "t6"},
};

/* The system registers about the last trap. */
static const struct system_reg system_regs[] = {{"mstatus", 0x300},
                                                {"mepc", 0x341},
                                                {"mcause", 0x342},
                                                {"mtval", 0x343}};

#define BOARD(blocks)                                                                              \
    {                                                                                              \
        .profile = BOARD_PROFILE_RISCV, .sign = sign, .zephyr_target = 4,                          \
        .zephyr_blocks = (blocks), .zephyr_block_count = sizeof(blocks) / sizeof((blocks)[0]),     \
        .frame_regs = NULL, .frame_count = 0, .frame_pad_bit = 0, .aliases = aliases,              \
        .alias_count = sizeof(aliases) / sizeof(aliases[0]), .system_regs = system_regs,           \
        .system_count = sizeof(system_regs) / sizeof(system_regs[0]),                              \
    }

const struct board_arch riscv32_board = BOARD(blocks_32);
const struct board_arch riscv64_board = BOARD(blocks_64);
