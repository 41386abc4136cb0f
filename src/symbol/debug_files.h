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

/* Writes a build-id in lower-case hexadecimal, cut to 64 bytes of the id. Returns `hex`. */
const char *build_id_hex(const uint8_t *id, size_t size, char hex[BUILD_ID_HEX_MAX]);

/*
 * Returns where perf keeps its copy of a file: ~/.debug/.build-id/ab/cdef.../NAME. Does not look
 * whether it is there. malloc'ed, the caller's; NULL: build-id below 2 bytes, no $HOME, no memory.
 */
char *perf_cache_path(const uint8_t *id, size_t size, const char *name);

/*
 * Returns the path on this machine of the target's `path`: below `sysroot`, with symbolic links
 * resolved as if that were the root, or `path` itself (`sysroot` NULL). malloc'ed, the caller's;
 * NULL: no such file, or no memory.
 */
char *target_path(const char *sysroot, const char *path);

/*
 * Opens the separate debug file of `image`, the module's file. Searches: what the input brings
 * along, the debug directories by build-id, .gnu_debuglink beside the file and in the debug
 * directories, a debuginfod server. If module->is_live, tries each path in the process's root, too.
 * Passes over a file whose build-id differs, or, where one has none, its CRC. NOT_FOUND, NO_MEMORY.
 */
MUST_CHECK enum status debug_file_open(const struct module_options *options,
                                       const struct module *module, struct elf_image *image,
                                       struct elf_image **out);

/*
 * Opens the file that `debug` shares DWARF with (.gnu_debugaltlink, written by dwz). Searches: what
 * the input brings along, the path in the link, the debug directories by build-id, a server.
 * NOT_FOUND: no link, or no file with that build-id; NO_MEMORY.
 */
MUST_CHECK enum status debug_file_open_shared(const struct module_options *options,
                                              const struct module *module, struct elf_image *debug,
                                              struct elf_image **out);

#endif
