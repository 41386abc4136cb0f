/* SPDX-License-Identifier: MIT */
/*
 * Copies of the target's code, so that stacks can be unwound by analysis of code where there is no
 * file of it: code that was made at run time, files that were deleted; with --with-code all, for a
 * machine that has none of the target's files.
 *
 * What an unwinder will need is the code before every address that control may return to. Of those
 * the PC and the link register are known, and the others are words of the stack: so is every word
 * of it that points into an executable mapping, a stale one or a pointer to a function as well;
 * that costs some pages, once. Only stack that changed since the thread's last sample is looked at.
 *
 *     mapping   |----|----|----|----|----|----|----|----|----|     units of 4 KiB
 *     address                                 ^
 *     written             [    16 KiB before | unit | next ]      each unit once, as a CODE record
 *
 * "Once" is for as long as the mapping is what it was: to a reader, code without a build-id belongs
 * to one mapping, and one that has grown or shrunk is another. And as long as it has the same
 * bytes: where code is made, it is made anew. Now and then a unit is read again, and written if its
 * checksum has changed.
 *
 * What was written is remembered in blocks of 64 units, and only where there is any: a mapping may
 * be as large as the address space.
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

/* Of one process, which makes 1.1 MB; code in further blocks is not written. */
#define CODE_BLOCKS_MAX 4096u
/* So often units are read again. */
#define CODE_RENEW_NS UINT64_C(500000000)

#define CODE_BLOCK_UNITS 64u
#define CODE_BLOCK       (CODE_BLOCK_UNITS * CODE_UNIT)

struct code_block {
    uint64_t start_addr; /* a multiple of CODE_BLOCK */
    uint64_t written;    /* a bit for each unit: as far as is known the bytes are what they were */
    uint32_t sums[CODE_BLOCK_UNITS]; /* of what was written; 0: nothing */
};

struct captured_code {
    struct exec_map *maps; /* owned; ascending, without the vDSO, which modules_update writes */
    size_t len;
    struct code_block *blocks; /* owned; ascending */
    size_t block_len, block_cap;
    uint64_t renewed_ns; /* when `written` was last cleared */
};

void code_deinit(struct captured_code *code);

/*
 * The process maps `maps`, with paths, now; `all`: not only code of which there is no file. What is
 * known of mappings that are the same is kept.
 * NO_MEMORY: `code` is as it was.
 */
MUST_CHECK enum status code_update(struct captured_code *code, const struct maps *maps, bool all);

/*
 * Writes the units around `addr` that are not written yet, reading them through the live thread
 * `tid`; none if it lies in no mapping. `runs`: what a thread is running may have been made a
 * moment ago, so that the unit and the one before are read again. Returns the number of units, or
 * the writer's error through snap_writer_error.
 */
unsigned code_write_around(struct captured_code *code, const struct target *target, pid_t pid,
                           pid_t tid, uint64_t addr, bool runs, struct snap_writer *writer);

#endif
