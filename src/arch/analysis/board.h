/* SPDX-License-Identifier: MIT */
/*
 * The table of an architecture for dumps of boards without Linux: whether a core is of such a
 * board, the order of registers in Zephyr's dumps, and other names of registers.
 */
#ifndef ARCH_ANALYSIS_BOARD_H
#define ARCH_ANALYSIS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* Where a core's thread ran, by its registers. */
enum board_sign {
    BOARD_NO,    /* in a program of Linux */
    BOARD_MAYBE, /* not known: the rest of the core has to tell */
    BOARD_YES,   /* on a board, in a mode in which Linux runs no program */
};

/*
 * A block of registers in Zephyr's dumps: the version that the dump gives it, and the register
 * numbers in its order. If all registers in `may_lack` are 0 in a block, they are not known.
 */
struct zephyr_block {
    uint8_t version;
    uint8_t count;
    const uint8_t *regs;
    uint64_t may_lack; /* mask by register number */
};

struct reg_alias { /* another tool's name and ours: "xpsr", "cpsr" */
    const char *alias, *name;
};

/* A system register, with its number in snapshots (FORMAT.md, type 22). */
struct system_reg {
    const char *name;
    uint32_t number;
};

struct board_arch {
    /* FORMAT.md, type 21: the profile if nothing tells more */
    uint8_t profile;
    /*
     * Says by its registers where a thread ran, and sets *profile (BOARD_PROFILE_OTHER: no board,
     * or of a kind that is not known).
     */
    enum board_sign (*sign)(const struct regs *regs, uint8_t *profile);
    uint16_t zephyr_target; /* enum coredump_tgt_code of zephyr/debug/coredump.h */
    const struct zephyr_block *zephyr_blocks;
    uint8_t zephyr_block_count;
    /*
     * The registers that the processor saves at SP when it takes a fault, in memory order: older
     * Zephyr's SP is still below them. NULL: it saves none.
     */
    const uint8_t *frame_regs;
    uint8_t frame_count;
    /* The bit of the last of these words that says that one more word above them is padding. */
    uint16_t frame_pad_bit;
    const struct reg_alias *aliases;
    uint8_t alias_count;
    const struct system_reg *system_regs; /* at most BOARD_SYSTEM_MAX */
    uint8_t system_count;
};

#define BOARD_SYSTEM_MAX 16

/* FORMAT.md, type 21. */
#define BOARD_PROFILE_OTHER 0
#define BOARD_PROFILE_ARM_M 1
#define BOARD_PROFILE_RISCV 2

#endif
