/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers of dumps: a source from a board's memory and the registers of its one
 * context. zephyr.c and raw.c parse formats into it; dump.c yields the events, all of one moment:
 *
 *     PROCESS, BOARD, MAP and CODE of memory that has code, THREAD, SAMPLE
 *
 * docs/decisions/0047-dumps-of-boards.md
 */
#ifndef BOARDS_DUMP_DUMP_H
#define BOARDS_DUMP_DUMP_H

#include "boards/dump/memory.h"
#include "boards/dump/registers.h"
#include "snapshot/import/source.h"

struct dump {
    struct snap_source base;
    struct dump_memory memory;
    struct regs regs;
    struct dump_system system_regs; /* count 0: not known */
    struct snap_board board;
    char system[96]; /* system and reason of its end, for --info; "": not known */
    /* Private to dump.c: */
    unsigned stage;
    size_t index;                /* index of a block */
    bool code_is_due;            /* CODE of the block with the last MAP comes next */
    struct snap_region *regions; /* owned; one per block */
};

/*
 * Makes a source of `dump`, whose public members but `base` are filled: regs with PC and SP, memory
 * by dump_memory_add. Fills `base` except `format` and cut_*, and *out. On failure (NO_MEMORY)
 * frees `dump`.
 */
MUST_CHECK enum status dump_open(struct dump *dump, const struct arch *arch,
                                 struct snap_source **out);

/* Frees `dump`; only for one that dump_open has not made a source. */
void dump_free(struct dump *dump);

#endif
