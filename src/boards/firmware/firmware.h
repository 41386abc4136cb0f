/* SPDX-License-Identifier: MIT */
/*
 * Maps programs that are linked for a fixed address, in processes that do not name their modules:
 * boards without Linux, whose snapshots name no file or another one, and dumps of such. Each
 * program among the --elf files is mapped where its program headers say, except where a file is
 * mapped already.
 *
 * A program that the memory at hand (symbol/agreement.h) or the vector table contradicts is left
 * out: its module's `problem` says so.
 */
#ifndef BOARDS_FIRMWARE_FIRMWARE_H
#define BOARDS_FIRMWARE_FIRMWARE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * Maps the programs of a process; to be called before each of its samples. Does nothing if the
 * space has not changed since. `pc`: the sample's PC; for a Linux core that names no file it
 * selects the program with code there. NO_MEMORY.
 */
MUST_CHECK enum status firmware_place(struct module_set *modules, const struct snap_source *source,
                                      struct address_space *space, uint64_t pc);

#endif
