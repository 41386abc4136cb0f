/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: finds which files were mapped where in a core without NT_FILE
 * (kernels before 3.7, qemu-user, many small dumpers). Makes lines in its place, each by the first
 * of these that the core has:
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
 * Fills the files of `notes`, in place of those it has. Adds a note to `source` if the linker's
 * list is damaged. Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_modules_find(const struct core_image *image, struct snap_source *source,
                                         struct core_notes *notes);

#endif
