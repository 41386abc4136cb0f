/* SPDX-License-Identifier: MIT */
/*
 * Private to the importers of dumps: a board's memory and the registers of what ran there, as a
 * source. zephyr.c and raw.c read formats to this; dump.c gives the events, which are those of one
 * moment:
 *
 *     PROCESS, BOARD, MAP and CODE of memory that has code, THREAD, SAMPLE
 *
 * docs/decisions/0047-dumps-of-boards.md
 */
#ifndef SNAPSHOT_IMPORT_DUMP_DUMP_H
#define SNAPSHOT_IMPORT_DUMP_DUMP_H

#include "snapshot/import/dump/memory.h"
#include "snapshot/import/dump/registers.h"
#include "snapshot/import/source.h"

struct dump {
    struct snap_source base;
    struct dump_memory memory;
    struct regs regs;
    struct dump_system system_regs; /* none: they are not known */
    struct snap_board board;
    char system[96]; /* what ran there, and why it ended: for --info; "" */
    /* Private to dump.c: */
    unsigned stage;
    size_t index;                /* of a block */
    bool code_is_due;            /* of the block whose MAP was given last */
    struct snap_region *regions; /* owned; one for each block */
};

/*
 * All but what is private is filled: regs with PC and SP, memory by dump_memory_add. Fills `base`
 * but for `format` and what is of the file, and *out. If it fails all is freed: NO_MEMORY.
 */
MUST_CHECK enum status dump_open(struct dump *dump, const struct arch *arch,
                                 struct snap_source **out);

/* Before dump_open has succeeded. */
void dump_free(struct dump *dump);

#endif
