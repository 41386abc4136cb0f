/* SPDX-License-Identifier: MIT */
/*
 * The target's files that go into a snapshot (--bundle): a backend keeps them while the target
 * runs; they are written when it has been let go (snapshot/FORMAT.md, FILE and FILE_PART).
 */
#ifndef CAPTURE_TARGET_KEPT_H
#define CAPTURE_TARGET_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/elf_file.h"
#include "snapshot/format.h"

#define KEPT_PATH_MAX 4096u
/* Most bytes of a part. A part that zstd would make larger is stored uncompressed. */
#define KEPT_BYTES_MAX SNAP_FILE_PART_MAX

enum kept_kind {
    KEPT_FILE, /* a file begins; its parts follow, ascending, without holes */
    KEPT_PART, /* a part of the file that began last */
    KEPT_END,  /* no more files; `count` tells how many there were */
};

struct bundled_file {
    enum snap_file_kind kind;
    struct build_id id;                             /* size 0: none */
    uint64_t size, written_ns;                      /* bytes; time of the last change */
    uint64_t dev, inode;                            /* the mapping's; only if it has no build-id */
    char path[KEPT_PATH_MAX], place[KEPT_PATH_MAX]; /* as in FORMAT.md, FILE */
};

struct bundled_part {
    uint64_t off;        /* byte offset of the part in the file */
    uint32_t size;       /* bytes of the file */
    uint32_t coded_size; /* length of `bytes` as used */
    enum snap_coding coding;
    uint8_t bytes[KEPT_BYTES_MAX];
};

struct kept_count {
    uint32_t files;   /* number of files that were kept */
    uint32_t missing; /* number of files that could not be opened or read wholly */
    uint64_t bytes;   /* size of all kept files */
};

struct kept {
    enum kept_kind kind;
    union {
        struct bundled_file file;
        struct bundled_part part;
        struct kept_count count; /* KEPT_END */
    };
};

#endif
