/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers of dumps: a source from a board's memory and the registers of its one
 * context. zephyr.c and raw.c parse formats into a struct dump; dump.c yields the events, all of
 * one moment:
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
    struct dump_system system_regs; /* system registers; count 0: not known */
    struct snap_board board;
    char system[96]; /* the board's system and why it ended, for --info; "": not known */
    /* Private to dump.c: */
    unsigned stage;
    size_t index;                /* block that the next event is about */
    bool code_is_due;            /* that event is the CODE of the block, whose MAP was given */
    struct snap_region *regions; /* owned; one per block */
};

/*
 * Makes *out, a source that owns `dump` (malloc'ed). The caller has set the public members: regs
 * with PC and SP, memory by dump_memory_add; of `base` only `format`, cut_short and cut_off. On
 * failure (NO_MEMORY) `dump` is freed.
 */
MUST_CHECK enum status dump_open(struct dump *dump, const struct arch *arch,
                                 struct snap_source **out);

/* Frees a dump for which dump_open was not called; NULL is allowed. */
void dump_free(struct dump *dump);

#endif
