/* SPDX-License-Identifier: MIT */
/*
 * Finds the files of a module's debug information: the debug file, the file that dwz moved common
 * parts to, a package of split files beside the debug file (.dwp), and split files (.dwo) on
 * request.
 */
#ifndef VARIABLES_DWARF_SPLIT_FILES_H
#define VARIABLES_DWARF_SPLIT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "symbol/module.h"
#include "variables/dwarf/debug_file.h"

struct split_files {
    struct module_set *set;    /* the set of the module; borrowed */
    struct elf_image *main;    /* the file with the module's debug information; borrowed */
    const char *module_path;   /* path of the module; borrowed */
    struct debug_file *list;   /* owned; by number of the file (debug_file.h) */
    struct elf_image **images; /* by number of the file; owned from DEBUG_FILE_SPLIT on */
    size_t count, cap, image_cap;
    struct map tried;       /* set: ids of split files that were searched for */
    size_t missing;         /* number of split files that were not found */
    char missing_name[128]; /* name of the first of these */
};

/*
 * Opens all files of the module except .dwo files. NOT_FOUND: the module has no debug information;
 * NO_MEMORY. Call split_files_end whatever the status.
 */
MUST_CHECK enum status split_files_begin(struct split_files *files, struct module_set *set,
                                         struct module *module);
void split_files_end(struct split_files *files);

/*
 * Opens the split file with this id and sets *number to the file's number. `name` and `directory`
 * (either may be NULL) are those of the skeleton. NOT_FOUND: there is no such file, or the id was
 * asked for before; NO_MEMORY.
 */
MUST_CHECK enum status split_files_find(struct split_files *files, uint64_t id, const char *name,
                                        const char *directory, uint32_t *number);

#endif
