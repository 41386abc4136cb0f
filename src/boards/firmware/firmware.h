/* SPDX-License-Identifier: MIT */
/*
 * Maps programs that are linked for a fixed address, in processes that do not name their modules:
 * boards without Linux, whose snapshots name no file or another one, and dumps of boards. Each
 * program among the --elf files is mapped at the addresses of its program headers, except where a
 * file is mapped already.
 *
 * A program that contradicts the captured memory (symbol/agreement.h) or vector table is left out:
 * its module's `problem` says so.
 */
#ifndef BOARDS_FIRMWARE_FIRMWARE_H
#define BOARDS_FIRMWARE_FIRMWARE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/address_space.h"

/*
 * Maps the programs of the process with the address space `space`; to be called before each of its
 * samples. Does nothing if `space` has not changed since the last call. `pc`: the sample's PC; for
 * a Linux core that names no file, only a program with code there is mapped. NO_MEMORY.
 */
MUST_CHECK enum status firmware_place(struct module_set *modules, const struct snap_source *source,
                                      struct address_space *space, uint64_t pc);

#endif
