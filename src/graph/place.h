/* SPDX-License-Identifier: MIT */
/*
 * Turns PROCESS and MAP events into modules and mappings, for all readers of events, whether they
 * unwind or only list modules.
 */
#ifndef GRAPH_PLACE_H
#define GRAPH_PLACE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/address_space.h"

/*
 * If `source` is a core, lets `modules` read the process's memory from `source`, which is borrowed
 * until place_end; else does nothing.
 */
void place_process(struct module_set *modules, const struct snap_source *source,
                   const struct snap_process *process);
/* Ends the borrowing of place_process: modules read no process's memory any more. */
void place_end(struct module_set *modules);

/* Returns the parts of a BOARD event that an address space keeps. */
static inline struct board_space board_space_of(const struct snap_board *board)
{
    return (struct board_space){.is_board = true,
                                .profile = board->profile,
                                .vectors_addr = board->vectors_addr,
                                .initial_sp = board->initial_sp,
                                .reset_addr = board->reset_addr};
}

/*
 * Fills *out with the mapping of a MAP event and its module, which is added to `modules` if it is
 * new; for the kernel only out->module is valid. NO_MEMORY.
 */
MUST_CHECK enum status place_map(struct module_set *modules, const struct snap_source *source,
                                 const struct snap_map *map, struct mapping *out);

#endif
