/* SPDX-License-Identifier: MIT */
/*
 * What dumps of boards without Linux need to know of a processor: whether a core is of such a
 * board at all, in which order Zephyr writes registers, and what else the registers are called.
 */
#ifndef ARCH_ANALYSIS_BOARD_H
#define ARCH_ANALYSIS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* What the registers of a core's thread tell of where it ran. */
enum board_sign {
    BOARD_NO,    /* as a program of Linux */
    BOARD_MAYBE, /* nothing: what else is in the core has to tell */
    BOARD_YES,   /* on a board, in a mode in which Linux runs no program */
};

/*
 * A block of registers in Zephyr's format: its version in dumps of that word size, and the numbers
 * of the registers in its order. Of a block with `may_lack` those registers are not known where all
 * of them are 0.
 */
struct zephyr_block {
    uint8_t version;
    uint8_t count;
    const uint8_t *regs;
    uint64_t may_lack; /* by number, as callee_saved */
};

struct reg_alias { /* "xpsr", "cpsr": as others call it, and as we do */
    const char *alias, *name;
};

/* A register of the system, by the number that it has in snapshots (FORMAT.md, type 22). */
struct system_reg {
    const char *name;
    uint32_t number;
};

struct board_arch {
    /* FORMAT.md, type 21: what boards of this architecture have, where nothing tells more */
    uint8_t profile;
    /* `profile`: of the board, where the registers tell. */
    enum board_sign (*sign)(const struct regs *regs, uint8_t *profile);
    uint16_t zephyr_target; /* enum coredump_tgt_code of zephyr/debug/coredump.h */
    const struct zephyr_block *zephyr_blocks;
    uint8_t zephyr_block_count;
    /*
     * Words at SP in which the processor has saved these registers when it took the fault, as far
     * as older Zephyr leaves them on the stack; NULL: it saves none.
     */
    const uint8_t *frame_regs;
    uint8_t frame_count;
    /* In the last of them: the bit that says that one more word was left free. */
    uint16_t frame_pad_bit;
    const struct reg_alias *aliases;
    uint8_t alias_count;
    const struct system_reg *system_regs; /* BOARD_SYSTEM_MAX at most */
    uint8_t system_count;
};

#define BOARD_SYSTEM_MAX 16

/* FORMAT.md, type 21. */
#define BOARD_PROFILE_OTHER 0
#define BOARD_PROFILE_ARM_M 1
#define BOARD_PROFILE_RISCV 2

#endif
