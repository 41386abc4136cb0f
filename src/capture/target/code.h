/* SPDX-License-Identifier: MIT */
/*
 * Writes copies of the target's code, so that stacks can be unwound by analysis where there is no
 * file: code made at run time, deleted files; with --with-code all code, for a machine without the
 * target's files.
 *
 * An unwinder needs the code before every address that control may return to: PC, LR, and words of
 * the stack. So code is written around every word of the stack that points into an executable
 * mapping, also a stale one or a pointer to a function; this costs some pages, once. The caller
 * looks only at bytes of stacks that changed since the thread's last sample.
 *
 *     mapping   |----|----|----|----|----|----|----|----|----|     units of 4 KiB
 *     address                                 ^
 *     written             [    16 KiB before | unit | next ]      each unit once, as a CODE record
 *
 * Each unit is written once as long as the mapping is the same: for a reader, code without a
 * build-id belongs to one mapping, and a mapping that has grown or shrunk is another. It is written
 * again if the bytes have changed: at most every CODE_RENEW_NS units are read again.
 *
 * Written units are remembered in blocks of 64, only where there are any: a mapping may be as large
 * as the address space.
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

/* Most blocks of one process (1.1 MB); code in further blocks is not written. */
#define CODE_BLOCKS_MAX 4096u
/* Units that a sample refers to are read again if this time has passed since their last reading. */
#define CODE_RENEW_NS UINT64_C(500000000)

#define CODE_BLOCK_UNITS 64u
#define CODE_BLOCK       (CODE_BLOCK_UNITS * CODE_UNIT)

struct code_block {
    uint64_t start_addr;             /* a multiple of CODE_BLOCK */
    uint64_t written;                /* bit u: unit u was read, and is not to be read again yet */
    uint32_t sums[CODE_BLOCK_UNITS]; /* CRC-32 of each written unit; 0: not written */
};

struct captured_code {
    struct exec_map *maps; /* mappings whose code is written; owned; ascending; not the vDSO */
    size_t len;
    struct code_block *blocks; /* owned; ascending */
    size_t block_len, block_cap;
    uint64_t renewed_ns; /* time at which `written` of all blocks was last cleared */
};

void code_deinit(struct captured_code *code);

/*
 * Sets the mappings whose code is to be written: all executable ones of `maps` (which has its
 * paths), or, unless `all`, those whose file is deleted or that have none. Units of mappings that
 * were there before stay marked as written. NO_MEMORY: `code` is as it was.
 */
MUST_CHECK enum status code_update(struct captured_code *code, const struct maps *maps, bool all);

/*
 * Writes CODE records of the units around `addr` that are not written yet, read through the live
 * thread `tid` of process `pid`; none if `addr` lies in no mapping of code->maps. `runs`: a thread
 * runs at `addr`, where code may have just been made: reads its unit and the unit before again.
 * Returns the number of units written; the writer keeps its error (snap_writer_error).
 */
unsigned code_write_around(struct captured_code *code, const struct target *target, pid_t pid,
                           pid_t tid, uint64_t addr, bool runs, struct snap_writer *writer);

#endif
