/* SPDX-License-Identifier: MIT */
/*
 * While a snapshot is read, keeps the address space of each process as its records tell it:
 * mappings, code, and what a board is. Events of processes that are not known are ignored. Private
 * to ingest.c.
 */
#ifndef GRAPH_INGEST_MEMORY_H
#define GRAPH_INGEST_MEMORY_H

#include "graph/ingest.h"

/* Each takes a record of the name. NO_MEMORY, or the status of the address space. */
MUST_CHECK enum status ingest_memory_map(struct ingest *in, const struct snap_source *source,
                                         const struct snap_map *map);
MUST_CHECK enum status ingest_memory_unmap(struct ingest *in, const struct snap_range *range);
MUST_CHECK enum status ingest_memory_board(struct ingest *in, const struct snap_board *board);
/* Code is for use where a file is missing; that of a board is first compared with its file. */
MUST_CHECK enum status ingest_memory_code(struct ingest *in, const struct snap_source *source,
                                          const struct snap_range *code);

#endif
