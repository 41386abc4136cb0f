/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: where on this machine the target's files are, and the separate debug files
 * that go with them.
 */
#ifndef SYMBOL_DEBUG_FILES_H
#define SYMBOL_DEBUG_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"

#define BUILD_ID_HEX_MAX 129

/* Lower-case hexadecimal; build-ids longer than 64 bytes are cut. Returns `hex`. */
const char *build_id_hex(const uint8_t *id, size_t size, char hex[BUILD_ID_HEX_MAX]);

/*
 * Where perf keeps its copy of a file with that build-id: ~/.debug/.build-id/ab/cdef…/NAME.
 * malloc'ed, the caller's; NULL: no build-id, no home directory, no memory.
 */
char *perf_cache_path(const uint8_t *id, size_t size, const char *name);

/*
 * The path on this machine of the target's `path`: below `sysroot` when there is one, with symbolic
 * links resolved as if it were the root. malloc'ed, the caller's; NULL: no such file (or no
 * memory).
 */
char *target_path(const char *sysroot, const char *path);

/*
 * The debug file of `image`, which is the module's: by build-id, then by .gnu_debuglink; of a file
 * of a live process in its root, too.
 * NOT_FOUND; NO_MEMORY. A file that is there but does not belong to `image` is passed over.
 */
MUST_CHECK enum status debug_file_open(const struct module_options *options,
                                       const struct module *module, struct elf_image *image,
                                       struct elf_image **out);

/*
 * The file that `debug` shares DWARF with (.gnu_debugaltlink, written by dwz): checked by build-id.
 * NOT_FOUND when there is none or it does not match.
 */
MUST_CHECK enum status debug_file_open_shared(const struct module_options *options,
                                              const struct module *module, struct elf_image *debug,
                                              struct elf_image **out);

#endif
