/* SPDX-License-Identifier: MIT */
/*
 * The files of a module's debug information, as they are found: the debug file, the one that dwz
 * shared, a package of split files beside it (.dwp), and split files (.dwo) on request.
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
    struct module_set *set;    /* borrowed */
    struct elf_image *main;    /* borrowed */
    const char *module_path;   /* borrowed */
    struct debug_file *list;   /* owned; by number */
    struct elf_image **images; /* owned from DEBUG_FILE_SPLIT on */
    size_t count, cap, image_cap;
    struct map tried;       /* ids that were searched for */
    size_t missing;         /* not found */
    char missing_name[128]; /* the first of these */
};

/* Opens all but .dwo files. NOT_FOUND: the module has no debug information; NO_MEMORY. */
MUST_CHECK enum status split_files_begin(struct split_files *files, struct module_set *set,
                                         struct module *module);
void split_files_end(struct split_files *files);

/*
 * Opens the split file with this id and sets *number. `name` and `directory` (may be NULL) are the
 * skeleton's. NOT_FOUND, also at a second call for the id; NO_MEMORY.
 */
MUST_CHECK enum status split_files_find(struct split_files *files, uint64_t id, const char *name,
                                        const char *directory, uint32_t *number);

#endif
