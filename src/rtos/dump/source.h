/* SPDX-License-Identifier: MIT */
/*
 * A dump of a board together with the threads of its RTOS: a source around that of the dump, which
 * passes on its events, tells of each context which task it is, and adds the tasks that did not
 * run, from the dump's memory.
 *
 * A context is the task whose control block its number is (as ESP-IDF writes them); otherwise the
 * first one is what the first CPU runs, and so on; otherwise the one in whose stack its SP is.
 * Tasks have the lower half of their control block's address as their number.
 */
#ifndef RTOS_DUMP_SOURCE_H
#define RTOS_DUMP_SOURCE_H

#include "base/status.h"
#include "snapshot/import/source.h"

/*
 * Takes *source over, whose events begin, and puts the new one in its place; for a source without
 * memory nothing changes. The first of the ELF files with an RTOS that is known is looked at when
 * the source turns out to be a board; they are borrowed until it is closed.
 */
MUST_CHECK enum status rtos_source_wrap(struct snap_source **source, const char *const *elf_files,
                                        size_t elf_file_count, int64_t bias);

#endif
