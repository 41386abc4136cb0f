/* SPDX-License-Identifier: MIT */
/*
 * For boards' snapshots that name their programs: chooses the file for each, and checks that the
 * board ran it. Firmware mostly has no build-id, and is rebuilt at the same path.
 *
 * An --elf file of another name is taken for a program if its code lies at the program's addresses
 * and equals that of the program's own file, as far as that can be read. The only file given need
 * not equal it: it is then used with a warning.
 *
 * The file has to agree with the board's vector table and with code in the snapshot. A program's
 * own file that does not is refused; a given one is used, with a warning.
 */
#ifndef BOARDS_FIRMWARE_FIRMWARE_MATCH_H
#define BOARDS_FIRMWARE_FIRMWARE_MATCH_H

#include "snapshot/event.h"
#include "symbol/module.h"

/*
 * Chooses and opens files for programs that have none yet, and checks them by the vector table.
 * Findings are in the modules' `problem`.
 */
void firmware_match(struct module_set *modules, struct address_space *space);

/*
 * Returns whether the board's vector table differs from the image's, which lies where it was linked
 * for; if so fills *why.
 */
bool firmware_contradicts(const struct elf_image *image, const struct board_space *board,
                          struct diag *why);

/*
 * Compares code in the snapshot with the mapping's file. If they differ the file is refused, or
 * warned of, in the module's `problem`. `is_first`: nothing was derived from the file yet, so that
 * it can still be refused.
 */
void firmware_compare(struct module_set *modules, struct mapping *mapping,
                      const struct snap_range *code, bool is_first);

#endif
