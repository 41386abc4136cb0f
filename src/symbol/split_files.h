/* SPDX-License-Identifier: MIT */
/*
 * Finds the files with a module's split units (dwarf/dwarf_file.h): a package beside the file with
 * the skeletons, or beside the module's file, else the .dwo file that the skeleton names:
 *
 *     app.dwp                            beside app
 *     /build/obj/a.dwo                   where the compiler wrote it, on the target
 *     obj/a.dwo, a.dwo                   beside app
 *
 * A file without the wanted unit is of another build, or damaged, and passed over. Each file is
 * read once, however many skeletons and paths name it, and kept if it has a unit.
 */
#ifndef SYMBOL_SPLIT_FILES_H
#define SYMBOL_SPLIT_FILES_H

#include "base/diag.h"
#include "base/status.h"
#include "symbol/dwarf/split_unit.h"
#include "symbol/module.h"

/*
 * Most files that are kept for a module, and most bytes of those that are read for it, kept or not;
 * the units of others are missing.
 */
#define SPLIT_FILES_MAX 8192
#define SPLIT_BYTES_MAX (UINT64_C(4) << 30)

struct split_files;

/*
 * Prepares the search for the split units of `main`, which has the module's .debug_info. All are
 * borrowed. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status split_files_create(const struct module_set *set, const struct module *module,
                                          struct elf_image *main, struct split_files **out);
void split_files_destroy(struct split_files *files);

/* Returns the module's package; NULL: none. The files own it. */
struct elf_image *split_files_package(struct split_files *files);

/* A split_find_fn; `context` is a struct split_files, which owns what is found. */
MUST_CHECK enum status split_files_find(void *context, const struct split_wanted *wanted,
                                        struct split_found *out);

/* Sets *problem to which units were not found; false: none. */
bool split_files_problem(const struct split_files *files, struct diag *problem);

#endif
