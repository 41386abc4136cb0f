/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: finds the mapped files in a core without NT_FILE (kernels before
 * 3.7, qemu-user, many small dumpers). Makes lines (struct core_mapped_file) as NT_FILE has them,
 * each by the first of these sources that the core has:
 *
 *     ELF headers in memory      all of the file's parts, their offsets, the build-id
 *     the linker's list          the name, the bias: [bias, end of the dynamic section's page)
 *     AT_ENTRY of the executable the segment or gap around it; its name is AT_EXECFN's
 *     none of these              the first code, as of a program linked for a fixed address
 *
 * A line begins behind the dynamic section of the module below, and behind the line below.
 *
 * docs/decisions/0036-cores-without-lists.md
 */
#ifndef SNAPSHOT_IMPORT_CORE_MODULES_H
#define SNAPSHOT_IMPORT_CORE_MODULES_H

#include "snapshot/import/core/notes.h"

#define CORE_HEADS_LOOKED_AT 65536 /* segments that are searched for an ELF header */

/*
 * Replaces the files of `notes` by those found. Adds a message for the user to `source` if the
 * linker's list is damaged. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status core_modules_find(const struct core_image *image, struct snap_source *source,
                                         struct core_notes *notes);

#endif
