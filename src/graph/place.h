/* SPDX-License-Identifier: MIT */
/*
 * From a snapshot's PROCESS and MAP events to modules and their places: what every reader of events
 * does alike, whether it unwinds or only tells which modules there are.
 */
#ifndef GRAPH_PLACE_H
#define GRAPH_PLACE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * Lets the modules look at the process's memory, where the source has it (a core), until
 * place_end. Borrows the source until then.
 */
void place_process(struct module_set *modules, const struct snap_source *source,
                   const struct snap_process *process);
void place_end(struct module_set *modules);

/* What is kept of a board. */
static inline struct board_space board_space_of(const struct snap_board *board)
{
    return (struct board_space){.is_board = true,
                                .profile = board->profile,
                                .vectors_addr = board->vectors_addr,
                                .initial_sp = board->initial_sp,
                                .reset_addr = board->reset_addr};
}

/* The module of a map, and the mapping that it is; of the kernel only out->module is of use. */
MUST_CHECK enum status place_map(struct module_set *modules, const struct snap_source *source,
                                 const struct snap_map *map, struct mapping *out);

#endif
