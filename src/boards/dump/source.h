/* SPDX-License-Identifier: MIT */
/*
 * A source around the source of a board's dump, which adds the threads of the RTOS: it passes on
 * the dump's events, says which task each context is, and adds the tasks that did not run, from the
 * dump's memory.
 *
 * A context whose number is the address of a control block is that task (as ESP-IDF writes them);
 * else the first context is the task that the first CPU runs, and so on; else the task whose stack
 * holds the context's SP. A task's tid is the lower half of its control block's address.
 */
#ifndef BOARDS_DUMP_SOURCE_H
#define BOARDS_DUMP_SOURCE_H

#include "base/status.h"
#include "snapshot/import/source.h"

/*
 * Replaces *source, which has given no event yet, by a new source that owns the old one. Does
 * nothing for a source that cannot read memory, or without ELF files. If the source turns out to be
 * a board, the first ELF file with a known RTOS is used, at load bias `bias`; `elf_files` is
 * borrowed until the source is closed. NO_MEMORY: *source stays.
 */
MUST_CHECK enum status rtos_source_wrap(struct snap_source **source, const char *const *elf_files,
                                        size_t elf_file_count, int64_t bias);

#endif
