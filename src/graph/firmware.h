/* SPDX-License-Identifier: MIT */
/*
 * Programs that are linked for their place, of processes that do not tell their modules: boards
 * without Linux, of which a snapshot has no file's name or another one, and dumps of such, whose
 * importers look at no file but their own. Each program among the --elf files is where its program
 * headers say, where no file is mapped there already.
 *
 * One that the memory at hand contradicts (symbol/agreement.h), or the vector table, is left out:
 * its module's problem says so.
 */
#ifndef GRAPH_FIRMWARE_H
#define GRAPH_FIRMWARE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * To be asked before a sample of the process is looked at; does nothing until something has changed
 * in its space. `pc`: where the sample's thread is, which tells where a program of Linux lies whose
 * core names no file at all.
 */
MUST_CHECK enum status firmware_place(struct module_set *modules, const struct snap_source *source,
                                      struct address_space *space, uint64_t pc);

#endif
