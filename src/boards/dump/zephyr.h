/* SPDX-License-Identifier: MIT */
/*
 * Zephyr's core dumps (zephyr/debug/coredump.h, CONFIG_DEBUG_COREDUMP): little-endian, no padding.
 *
 *     'Z' 'E'  u16 version (1, 2)  u16 target  u8 log2 of the bits of a pointer  u8 flags
 *              u32 reason (enum k_fatal_error_reason)
 *     'A'      u16 version  u16 size   registers: arch/analysis/board.h
 *     'T'      u16 version  u16 size   struct z_kernel: of the debug information's layout
 *     'M'      u16 version  start  end, of a pointer's size   the bytes of that memory
 *
 * A log has the same bytes as hexadecimal digits behind "#CD:" in lines with any prefix:
 *
 *     [00:00:01.234] <err> coredump: #CD:BEGIN#
 *     [00:00:01.235] <err> coredump: #CD:5a4501000300050000000000
 *     [00:00:01.300] <err> coredump: #CD:END#
 */
#ifndef BOARDS_DUMP_ZEPHYR_H
#define BOARDS_DUMP_ZEPHYR_H

#include "snapshot/import/source.h"

#define ZEPHYR_HEAD_SIZE 12u
#define ZEPHYR_FILE_MAX  (UINT64_C(256) << 20) /* most bytes of a dump */
#define ZEPHYR_LOG_MAX   (UINT64_C(256) << 20) /* most bytes of a log */

/*
 * Decodes the dump in a log in place: `text` of *size bytes becomes the dump, and *size its size.
 * Lines behind the first dump's end are ignored. *is_whole: the log has the dump's end. `name` is
 * for messages. BAD_DATA with `diag` filled: the log has no dump, or says that Zephyr could not
 * dump its memory.
 */
MUST_CHECK enum status zephyr_log_decode(uint8_t *text, size_t *size, bool *is_whole,
                                         const char *name, struct diag *diag);

#endif
