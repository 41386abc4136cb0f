/* SPDX-License-Identifier: MIT */
/*
 * Files that a capture takes along (--bundle): kept by a backend while the target ran, written when
 * it has been let go (snapshot/FORMAT.md, FILE and FILE_PART).
 */
#ifndef CAPTURE_TARGET_KEPT_H
#define CAPTURE_TARGET_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/elf_file.h"
#include "snapshot/format.h"

#define KEPT_PATH_MAX 4096u
/* A part that zstd would make larger is stored uncompressed. */
#define KEPT_BYTES_MAX SNAP_FILE_PART_MAX

enum kept_kind {
    KEPT_FILE, /* a file begins; its parts follow, ascending, without holes */
    KEPT_PART, /* a part of the file that began last */
    KEPT_END,  /* the last */
};

struct bundled_file {
    enum snap_file_kind kind;
    struct build_id id; /* as FORMAT.md has it */
    uint64_t size, written_ns;
    uint64_t dev, inode; /* of the mapping; only where there is no build-id */
    char path[KEPT_PATH_MAX], place[KEPT_PATH_MAX];
};

struct bundled_part {
    uint64_t off;
    uint32_t size; /* uncompressed */
    uint32_t coded_size;
    enum snap_coding coding;
    uint8_t bytes[KEPT_BYTES_MAX];
};

struct kept_count {
    uint32_t files;
    uint32_t missing; /* files that could not be opened or read wholly */
    uint64_t bytes;   /* of the files */
};

struct kept {
    enum kept_kind kind;
    union {
        struct bundled_file file;
        struct bundled_part part;
        struct kept_count count; /* END */
    };
};

#endif
