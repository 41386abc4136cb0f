/* SPDX-License-Identifier: MIT */
/* Private to symbol/: finds the separate debug files of modules. */
#ifndef SYMBOL_DEBUG_FILES_H
#define SYMBOL_DEBUG_FILES_H

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module_set.h"

/*
 * Opens the separate debug file of `image`, the module's file. Searches: the files that the input
 * contains, the debug directories by build-id, .gnu_debuglink beside the file and in the debug
 * directories, a debuginfod server. If the image is IMAGE_LIVE, tries each path in the process's
 * root, too. Passes over a file whose build-id or, if one of the two has none, CRC differs.
 * NOT_FOUND, NO_MEMORY.
 */
MUST_CHECK enum status debug_file_open(const struct module_options *options,
                                       const struct module *module, struct elf_image *image,
                                       struct elf_image **out);

/*
 * Opens the file to which dwz has moved DWARF that `debug` shares with others (.gnu_debugaltlink).
 * Searches: the files that the input contains, the path in the link, the debug directories by
 * build-id, a debuginfod server. NOT_FOUND: no link, or no file with the link's build-id;
 * NO_MEMORY.
 */
MUST_CHECK enum status debug_file_open_shared(const struct module_options *options,
                                              const struct module *module, struct elf_image *debug,
                                              struct elf_image **out);

#endif
