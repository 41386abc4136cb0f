/* SPDX-License-Identifier: MIT */
/*
 * Boards' snapshots that name their programs: which file is used for each, and whether that is what
 * the board ran. Firmware mostly has no build-id, and is built anew at the same path.
 *
 * An --elf file of another name is taken for the program at whose addresses its code is, if its
 * contents are those of the program's own file, where that can be read. The only one that is given
 * is taken in any case: whoever gives it means it.
 *
 * What is used has to agree with the board's vector table and with code of the snapshot. A
 * program's own file that does not is refused; one that was given is used, with a warning.
 */
#ifndef GRAPH_FIRMWARE_MATCH_H
#define GRAPH_FIRMWARE_MATCH_H

#include "snapshot/event.h"
#include "symbol/module.h"

/* Chooses files for the programs that have none yet, and looks at the vector table. */
void firmware_match(struct module_set *modules, struct address_space *space);

/*
 * Has the board the vector table where the image, which lies where it was linked for, has another
 * one? `why` then says so.
 */
bool firmware_contradicts(const struct elf_image *image, const struct board_space *board,
                          struct diag *why);

/*
 * Compares code that the snapshot has with the file at the mapping. `is_first`: nothing was found
 * out by the file so far, so that it can still be refused.
 */
void firmware_compare(struct module_set *modules, struct mapping *mapping,
                      const struct snap_range *code, bool is_first);

#endif
