/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: which files were mapped where, of a core that has no list of them
 * (NT_FILE): of a kernel before 3.7, of qemu-user, of many a small dumper. In its place lines are
 * made, each by the best of these that the core has:
 *
 *     ELF headers in memory      all of the file's parts, their offsets, the build-id
 *     the linker's list          the name, the bias: [bias, end of the dynamic section's page)
 *     AT_ENTRY of the executable what lies around it; its name is AT_EXECFN's
 *     nothing of these           the first code there is, as of a program linked for its place
 *
 * A line begins behind the dynamic section of the module below, and behind the line below.
 *
 * docs/decisions/0036-cores-without-lists.md
 */
#ifndef SNAPSHOT_IMPORT_CORE_MODULES_H
#define SNAPSHOT_IMPORT_CORE_MODULES_H

#include "snapshot/import/core/notes.h"

#define CORE_HEADS_LOOKED_AT 65536 /* segments that may begin with an ELF header */

/*
 * Fills the files of `notes`, which has none; `source` is for one note where the linker's list is
 * damaged. Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_modules_find(const struct core_image *image, struct snap_source *source,
                                         struct core_notes *notes);

#endif
