/* SPDX-License-Identifier: MIT */
/*
 * The files that a snapshot brings along (FORMAT.md, FILE and FILE_PART). A pass over the snapshot
 * finds them; each is extracted when it is needed. Their contents are untrusted: sizes are checked
 * here, the ELF contents by whoever opens them.
 */
#ifndef SNAPSHOT_IMPORT_BUNDLE_H
#define SNAPSHOT_IMPORT_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/elf_file.h"

#define BUNDLE_FILES_MAX 65536u /* files beyond are left out */
#define BUNDLE_PARTS_MAX (UINT32_C(1) << 22)
#define BUNDLE_SIZE_MAX  (UINT64_C(1) << 46) /* bytes of a file; more than all parts may have */

/*
 * Extracted files together may have BUNDLE_RATIO_MAX bytes per byte that they take in the snapshot,
 * once they exceed BUNDLE_FREE_MAX: a small snapshot must not fill a disk.
 */
#define BUNDLE_FREE_MAX  (UINT64_C(64) << 20)
#define BUNDLE_RATIO_MAX 100

struct bundle;

struct bundle_file {
    enum snap_file_kind kind;
    struct build_id id;  /* size 0: path, dev and inode identify it */
    uint64_t dev, inode; /* those of its MAP */
    uint64_t size, coded_size;
    char *path, *place; /* owned by the bundle */
};

/* Returns whether a snapshot that begins with `head` announces files. */
bool bundle_is_promised(const uint8_t *head, size_t size);

/*
 * Finds the files in `fd`, which must be seekable and is duplicated. Passes over damaged records; a
 * file that lost a part cannot be extracted whole. NO_MEMORY; IO with `diag` filled.
 */
MUST_CHECK enum status bundle_open(int fd, const char *name, struct bundle **out,
                                   struct diag *diag);
void bundle_close(struct bundle *bundle);

size_t bundle_count(const struct bundle *bundle);
const struct bundle_file *bundle_at(const struct bundle *bundle, size_t index);

/*
 * Appends the file to `fd`, whose end is at `off`; zeroes become holes. BAD_DATA: the file is
 * incomplete, damaged, nearly all a hole, or no ELF file; IO: cannot write; both with `diag` filled
 * and possibly a part written. Not thread-safe.
 */
MUST_CHECK enum status bundle_extract(struct bundle *bundle, size_t index, int fd, uint64_t off,
                                      struct diag *diag);

#endif
