/* SPDX-License-Identifier: MIT */
/*
 * A source around that of a board's dump, which adds the threads of its RTOS: it passes on the
 * dump's events, says which task each context is, and adds the tasks that did not run, from the
 * dump's memory.
 *
 * A context is the task whose control block its number is (as ESP-IDF writes them); else the first
 * context is what the first CPU runs, and so on; else the task in whose stack its SP is. A task's
 * number is the lower half of its control block's address.
 */
#ifndef BOARDS_DUMP_SOURCE_H
#define BOARDS_DUMP_SOURCE_H

#include "base/status.h"
#include "snapshot/import/source.h"

/*
 * Takes over *source, before its first event, and replaces it by the new source; does nothing for a
 * source without memory. Uses the first of the ELF files with a known RTOS, when the source turns
 * out to be a board; `elf_files` is borrowed until it is closed. NO_MEMORY: *source stays.
 */
MUST_CHECK enum status rtos_source_wrap(struct snap_source **source, const char *const *elf_files,
                                        size_t elf_file_count, int64_t bias);

#endif
