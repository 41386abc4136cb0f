/* SPDX-License-Identifier: MIT */
/*
 * The files that a snapshot contains (FORMAT.md, FILE and FILE_PART). A pass over the snapshot
 * finds them; each is extracted when it is needed. Files are untrusted: sizes are checked here, the
 * ELF contents by the code that opens the extracted file.
 */
#ifndef SNAPSHOT_IMPORT_BUNDLE_H
#define SNAPSHOT_IMPORT_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/elf_file.h"

#define BUNDLE_FILES_MAX 65536u              /* most files; others are left out */
#define BUNDLE_PARTS_MAX (UINT32_C(1) << 22) /* most parts of all files; others are left out */
#define BUNDLE_SIZE_MAX  (UINT64_C(1) << 46) /* most bytes of a file */

/*
 * If the extracted files have more than BUNDLE_FREE_MAX bytes together, they may have at most
 * BUNDLE_RATIO_MAX times the bytes that they take in the snapshot: a small snapshot must not fill a
 * disk.
 */
#define BUNDLE_FREE_MAX  (UINT64_C(64) << 20)
#define BUNDLE_RATIO_MAX 100

struct bundle;

struct bundle_file {
    enum snap_file_kind kind;
    struct build_id id;        /* size 0: none; then path, dev and inode identify the file */
    uint64_t dev, inode;       /* device and inode in the MAPs of the mapped file */
    uint64_t size, coded_size; /* bytes of the file; bytes of its parts in the snapshot */
    /*
     * owned; path: the mapped file's, as in its MAPs; place: where the file was found, for messages
     */
    char *path, *place;
};

/*
 * Whether the header in a snapshot's first `size` bytes announces files. False: also if it is cut.
 */
bool bundle_is_promised(const uint8_t *head, size_t size);

/*
 * Finds the files of the snapshot in `fd`, which must be seekable and is duplicated; `name` is for
 * messages. Damaged records are passed over; bundle_extract fails for a file that lacks a part.
 * NO_MEMORY; IO with `diag` filled.
 */
MUST_CHECK enum status bundle_open(int fd, const char *name, struct bundle **out,
                                   struct diag *diag);
void bundle_close(struct bundle *bundle);

size_t bundle_count(const struct bundle *bundle);
const struct bundle_file *bundle_at(const struct bundle *bundle, size_t index);

/*
 * Writes file `index` to `fd` from offset `off`, the end of `fd`, on; zeroes become holes.
 * BAD_DATA: the file is incomplete, damaged, nearly all a hole, or no ELF file; IO: cannot write;
 * `diag` says why, and a part may have been written. Not thread-safe.
 */
MUST_CHECK enum status bundle_extract(struct bundle *bundle, size_t index, int fd, uint64_t off,
                                      struct diag *diag);

#endif
