/* SPDX-License-Identifier: MIT */
/*
 * Chooses the file of each program that a board's snapshot names, and checks that the board ran
 * this file. Firmware mostly has no build-id, and is rebuilt at the same path.
 *
 * An --elf file of another name is taken for a program if its code lies at the program's addresses
 * and equals that of the program's own file, as far as that can be read. If it is the only --elf
 * file and its code differs, it is used all the same, with a warning.
 *
 * The chosen file has to agree with the board's vector table and with code in the snapshot. A
 * program's own file that does not agree is refused; an --elf file is used, with a warning.
 */
#ifndef BOARDS_FIRMWARE_FIRMWARE_MATCH_H
#define BOARDS_FIRMWARE_FIRMWARE_MATCH_H

#include "snapshot/event.h"
#include "symbol/address_space.h"

/*
 * Chooses and opens files for programs in `space` that have no file yet, and checks the files by
 * the board's vector table. Warnings and refusals are in the modules' `problem`.
 */
void firmware_match(struct module_set *modules, struct address_space *space);

/*
 * Whether the board's vector table differs from the bytes of `image` at the table's address; if so,
 * fills *why. False also if the board's table is not known.
 */
bool firmware_contradicts(const struct elf_image *image, const struct board_space *board,
                          struct diag *why);

/*
 * Compares code in the snapshot with the mapping's file. If they differ, the module's `problem`
 * says so, and the file is refused, if it is no --elf file and `is_first`: nothing was derived from
 * it yet.
 */
void firmware_compare(struct module_set *modules, struct mapping *mapping,
                      const struct snap_range *code, bool is_first);

#endif
