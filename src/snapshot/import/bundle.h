/* SPDX-License-Identifier: MIT */
/*
 * The files that a snapshot brings along (FORMAT.md, FILE and FILE_PART): found by a pass over it,
 * and taken out one by one when somebody needs them. Nothing of them is to be trusted: sizes are
 * checked here, and what the files are is for whoever opens them to see.
 */
#ifndef SNAPSHOT_IMPORT_BUNDLE_H
#define SNAPSHOT_IMPORT_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/elf_file.h"

#define BUNDLE_FILES_MAX 65536u /* what is beyond is left out */
#define BUNDLE_PARTS_MAX (UINT32_C(1) << 22)
#define BUNDLE_SIZE_MAX  (UINT64_C(1) << 46) /* bytes of a file; more than all parts may have */

/*
 * What is taken out of a snapshot, all together, may have so many bytes for each that it has there,
 * once it is more than this: what takes no room there must not fill a disk.
 */
#define BUNDLE_FREE_MAX  (UINT64_C(64) << 20)
#define BUNDLE_RATIO_MAX 100

struct bundle;

struct bundle_file {
    enum snap_file_kind kind;
    struct build_id id;  /* size 0: it is known by its path and these: */
    uint64_t dev, inode; /* of the mapping */
    uint64_t size, coded_size;
    char *path, *place; /* owned by the bundle */
};

/* Does a file that begins so bring files along? */
bool bundle_is_promised(const uint8_t *head, size_t size);

/*
 * Finds them in `fd`, which can be sought, and is duplicated. Damaged records are passed over: then
 * a file is not all there. NO_MEMORY; IO: `diag` says why.
 */
MUST_CHECK enum status bundle_open(int fd, const char *name, struct bundle **out,
                                   struct diag *diag);
void bundle_close(struct bundle *bundle);

size_t bundle_count(const struct bundle *bundle);
const struct bundle_file *bundle_at(const struct bundle *bundle, size_t index);

/*
 * Writes the file's bytes to `fd` from `off` on, where it ends; of zeroes holes are made. BAD_DATA:
 * it is not all there, damaged, or no ELF file; IO: it cannot be written; both with `diag` filled,
 * and `fd` may have part of it. NO_MEMORY. One thread at a time.
 */
MUST_CHECK enum status bundle_extract(struct bundle *bundle, size_t index, int fd, uint64_t off,
                                      struct diag *diag);

#endif
