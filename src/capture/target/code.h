/* SPDX-License-Identifier: MIT */
/*
 * Writes copies of the target's code, so that stacks can be unwound by analysis where there is no
 * file: code made at run time, deleted files; with --with-code all code, for a machine without the
 * target's files.
 *
 * An unwinder needs the code before every address that control may return to: PC, LR, and words of
 * the stack. So every word of the stack that points into an executable mapping counts, a stale one
 * or a pointer to a function as well; this costs some pages, once. The caller looks only at stack
 * that changed since the thread's last sample.
 *
 *     mapping   |----|----|----|----|----|----|----|----|----|     units of 4 KiB
 *     address                                 ^
 *     written             [    16 KiB before | unit | next ]      each unit once, as a CODE record
 *
 * "Once" is as long as the mapping is the same: for a reader, code without a build-id belongs to
 * one mapping, and a mapping that has grown or shrunk is another. And as long as the bytes are the
 * same: every CODE_RENEW_NS units are read again, and written if their checksum has changed.
 *
 * What was written is remembered in blocks of 64 units, only where there is any: a mapping may be
 * as large as the address space.
 */
#ifndef CAPTURE_TARGET_CODE_H
#define CAPTURE_TARGET_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "snapshot/writer.h"

#define CODE_UNIT   4096u
#define CODE_BEFORE (16u << 10)
#define CODE_AFTER  CODE_UNIT

/* Blocks of one process (1.1 MB); code in further blocks is not written. */
#define CODE_BLOCKS_MAX 4096u
/* Units are read again when needed after this time. */
#define CODE_RENEW_NS UINT64_C(500000000)

#define CODE_BLOCK_UNITS 64u
#define CODE_BLOCK       (CODE_BLOCK_UNITS * CODE_UNIT)

struct code_block {
    uint64_t start_addr; /* a multiple of CODE_BLOCK */
    uint64_t written;    /* a bit for each unit: written, and not to be read again yet */
    uint32_t sums[CODE_BLOCK_UNITS]; /* CRC-32 of each written unit; 0: not written */
};

struct captured_code {
    struct exec_map *maps; /* owned; ascending; without the vDSO, which modules_update writes */
    size_t len;
    struct code_block *blocks; /* owned; ascending */
    size_t block_len, block_cap;
    uint64_t renewed_ns; /* when `written` was last cleared */
};

void code_deinit(struct captured_code *code);

/*
 * Notes which executable mappings of `maps`, with paths, have code to write: all, or only those
 * without a file. Keeps what is known of mappings that are the same. NO_MEMORY: `code` is as it
 * was.
 */
MUST_CHECK enum status code_update(struct captured_code *code, const struct maps *maps, bool all);

/*
 * Writes the units around `addr` that are not written yet, read through the live thread `tid`; none
 * if `addr` lies in no mapping. `runs`: a thread runs at `addr`, where code may have just been
 * made: reads its unit and the one before again. Returns the number of units written; the writer
 * keeps its error (snap_writer_error).
 */
unsigned code_write_around(struct captured_code *code, const struct target *target, pid_t pid,
                           pid_t tid, uint64_t addr, bool runs, struct snap_writer *writer);

#endif
