/* SPDX-License-Identifier: MIT */
/*
 * The files of a module's debug information by their numbers (debug_file.h): the debug file, the
 * file that dwz moved common parts to, a package of split files, and split files on request.
 */
#ifndef VARIABLES_DWARF_NUMBERED_FILES_H
#define VARIABLES_DWARF_NUMBERED_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"
#include "symbol/split_files.h"
#include "variables/dwarf/debug_file.h"

struct numbered_files {
    struct elf_image *main;     /* the file with the module's debug information; borrowed */
    struct split_files *splits; /* owned; has the images of split files */
    struct debug_file *list;    /* owned; by number of the file */
    size_t count, cap;
};

/*
 * Opens all files of the module except .dwo files. NOT_FOUND: the module has no debug information;
 * NO_MEMORY. Call numbered_files_end whatever the status.
 */
MUST_CHECK enum status numbered_files_begin(struct numbered_files *files, struct module_set *set,
                                            struct module *module);
void numbered_files_end(struct numbered_files *files);

/*
 * Finds the split file with a unit, and sets *number to the file's number. NOT_FOUND: as
 * split_files_find, or there are DEBUG_FILES_MAX files; NO_MEMORY.
 */
MUST_CHECK enum status numbered_files_find(struct numbered_files *files,
                                           const struct split_wanted *wanted, uint32_t *number);

#endif
