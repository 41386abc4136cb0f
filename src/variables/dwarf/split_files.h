/* SPDX-License-Identifier: MIT */
/*
 * The files of a module's debug information as they are found: the debug file, what dwz shared, a
 * package of split files beside it (.dwp), and split files (.dwo) as they are asked for.
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
    struct elf_image **images; /* the same, owned from DEBUG_FILE_SPLIT on */
    size_t count, cap, image_cap;
    struct map tried;       /* ids that were looked for */
    size_t missing;         /* how many were not found */
    char missing_name[128]; /* the first of them */
};

/* NOT_FOUND: the module has no debug information; NO_MEMORY. */
MUST_CHECK enum status split_files_begin(struct split_files *files, struct module_set *set,
                                         struct module *module);
void split_files_end(struct split_files *files);

/*
 * The split file with that id, of this name in that directory as the skeleton has them (may be
 * NULL): its number. NOT_FOUND; NO_MEMORY.
 */
MUST_CHECK enum status split_files_find(struct split_files *files, uint64_t id, const char *name,
                                        const char *directory, uint32_t *number);

#endif
