/* SPDX-License-Identifier: MIT */
/*
 * The table of an architecture for dumps of boards without Linux: tells whether a core is of such a
 * board, and has the order of registers in Zephyr's dumps, and other tools' names of registers.
 */
#ifndef ARCH_ANALYSIS_BOARD_H
#define ARCH_ANALYSIS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* Tells by a thread's registers in a core whether the core is of a board without Linux. */
enum board_sign {
    BOARD_NO,    /* the thread ran in a program of Linux */
    BOARD_MAYBE, /* not known: the rest of the core has to tell */
    BOARD_YES,   /* the thread ran on a board, in a mode in which Linux runs no program */
};

/*
 * The layout of one version of the register block in Zephyr's dumps. If all registers in `may_lack`
 * are 0 in a block, they are not known.
 */
struct zephyr_block {
    uint8_t version;     /* the dump's number for this layout */
    uint8_t count;       /* length of regs */
    const uint8_t *regs; /* register numbers, in the block's order */
    uint64_t may_lack;   /* mask by register number */
};

struct reg_alias { /* another tool's name of a register, and arch_reg_names': "xpsr", "cpsr" */
    const char *alias, *name;
};

/* A system register, with its number in snapshots (FORMAT.md, type 22). */
struct system_reg {
    const char *name;
    uint32_t number;
};

struct board_arch {
    uint8_t profile; /* BOARD_PROFILE_...: of a board of which nothing tells more */
    /*
     * Tells by a thread's registers whether it ran on a board, and sets *profile to the board's
     * BOARD_PROFILE_... (BOARD_PROFILE_OTHER: no board, or of a kind that is not known).
     */
    enum board_sign (*sign)(const struct regs *regs, uint8_t *profile);
    uint16_t zephyr_target; /* enum coredump_tgt_code of zephyr/debug/coredump.h */
    const struct zephyr_block *zephyr_blocks;
    uint8_t zephyr_block_count;
    /*
     * Numbers of the registers that the processor saves at SP when it takes a fault, in memory
     * order. The SP in older Zephyr's dumps is the one below these words. NULL: it saves none.
     */
    const uint8_t *frame_regs;
    uint8_t frame_count; /* length of frame_regs */
    /* Number of the bit in the last saved word that says: one word of padding lies above it. */
    uint16_t frame_pad_bit;
    const struct reg_alias *aliases;
    uint8_t alias_count;
    const struct system_reg *system_regs; /* the board's; at most BOARD_SYSTEM_MAX */
    uint8_t system_count;
};

#define BOARD_SYSTEM_MAX 16

/* Kinds of boards, by their numbers in snapshots (FORMAT.md, type 21). */
#define BOARD_PROFILE_OTHER 0
#define BOARD_PROFILE_ARM_M 1
#define BOARD_PROFILE_RISCV 2

#endif
