/* SPDX-License-Identifier: MIT */
/*
 * Identifies the file that a process has mapped, as far as its target tells:
 *
 *     with a build-id       path and build-id
 *     without, is_exact     path, deleted or not; device, inode, process and build
 *     without               path, deleted or not
 *
 * Where it lies and what is in it is not known here: module.h, finder.h.
 */
#ifndef SYMBOL_FILE_IDENTITY_H
#define SYMBOL_FILE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define BUILD_ID_MAX     64 /* bytes */
#define BUILD_ID_HEX_MAX (2 * BUILD_ID_MAX + 1)

/* One mapping of the file: its process and addresses, the device and inode of its file. */
struct mapping_origin {
    uint32_t pid; /* pid of the process; 0: not known */
    uint64_t start_addr, end_addr, dev, inode;
};

struct file_identity {
    const char *path;        /* as the target sees it; "[vdso]"; "[anon]" */
    const uint8_t *build_id; /* build_id_size bytes, at most BUILD_ID_MAX */
    size_t build_id_size;    /* 0: no build-id */
    bool deleted;
    bool is_exact;    /* see above */
    uint64_t process; /* if is_exact: number of its process, whose memory is known; 0: it is not */
    struct mapping_origin origin;
    uint32_t build; /* if is_exact: 0, 1, ...; of files that had this place one after the other */
};

/* Sets *copy to a copy that owns path and build-id, for file_identity_deinit. NO_MEMORY. */
MUST_CHECK enum status file_identity_copy(const struct file_identity *from,
                                          struct file_identity *copy);
void file_identity_deinit(struct file_identity *owned);

/* Whether both identify the same file. Equal identities of equal `seed` have equal hashes. */
bool file_identity_equals(const struct file_identity *a, const struct file_identity *b);
uint64_t file_identity_hash(const struct file_identity *identity, uint64_t seed);

/*
 * Writes the id's `size` bytes, at most BUILD_ID_MAX, as lower-case hexadecimal to `hex`, and
 * returns `hex`.
 */
const char *build_id_hex(const uint8_t *id, size_t size, char hex[BUILD_ID_HEX_MAX]);

#endif
