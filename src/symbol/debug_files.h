/* SPDX-License-Identifier: MIT */
/* Private to symbol/: finds the target's files on this machine, and their separate debug files. */
#ifndef SYMBOL_DEBUG_FILES_H
#define SYMBOL_DEBUG_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"

#define BUILD_ID_HEX_MAX 129

/*
 * Writes the id's `size` bytes, at most 64, as lower-case hexadecimal to `hex`, and returns `hex`.
 */
const char *build_id_hex(const uint8_t *id, size_t size, char hex[BUILD_ID_HEX_MAX]);

/*
 * Returns the path at which perf keeps its copy of a file with this build-id, whether there is one
 * or not: ~/.debug/.build-id/ab/cdef.../NAME; malloc'ed, for the caller to free. NULL: `size` is
 * below 2, no $HOME, or no memory.
 */
char *perf_cache_path(const uint8_t *id, size_t size, const char *name);

/*
 * Returns the path on this machine of the target's file `path`: below `sysroot`, with symbolic
 * links resolved as if `sysroot` were the root, or `path` itself (`sysroot` NULL); malloc'ed, for
 * the caller to free. NULL: there is no such file, or no memory.
 */
char *target_path(const char *sysroot, const char *path);

/*
 * Opens the separate debug file of `image`, the module's file. Searches: the files that the input
 * contains, the debug directories by build-id, .gnu_debuglink beside the file and in the debug
 * directories, a debuginfod server. If module->is_live, tries each path in the process's root, too.
 * Passes over a file whose build-id or, if one of the two has none, CRC differs. NOT_FOUND,
 * NO_MEMORY.
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
