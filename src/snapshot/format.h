/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the snapshot format, shared by writer and reader. FORMAT.md says what each means.
 */
#ifndef SNAPSHOT_FORMAT_H
#define SNAPSHOT_FORMAT_H

#include <stdint.h>

#define SNAP_MAGIC                                                                                 \
    "\x89"                                                                                         \
    "CGSNAP\n"
#define SNAP_MAGIC_SIZE     8
#define SNAP_MAJOR          1
#define SNAP_HEADER_SIZE    32
#define SNAP_RECORD_HEAD    12
#define SNAP_PAYLOAD_MAX    (UINT32_C(32) << 20)
#define SNAP_REGION_MAX     4
#define SNAP_STACK_MAX      (UINT32_C(16) << 20) /* most bytes of a region */
#define SNAP_BUILD_ID_MAX   64
#define SNAP_TICK_STACK_MAX (UINT32_C(64) << 10)  /* most bytes of a region of a TICK */
#define SNAP_POINTEES_MAX   (UINT32_C(64) << 10)  /* most bytes of a POINTEES */
#define SNAP_POINTEE_COUNT  1024u                 /* most pieces of a POINTEES */
#define SNAP_FILE_PART_MAX  (UINT32_C(128) << 10) /* most bytes of a file in one FILE_PART */
#define SNAP_REQUIRED       1                     /* record flag: readers must know the type */
#define SNAP_HAS_FILES      1                     /* feature flag: FILEs follow the samples */
#define SNAP_FEATURES_OFF   24 /* offset of the feature flags in the file header */

#define SNAP_MINOR 9 /* the minor version that the writer writes */

enum snap_type {
    SNAP_PROCESS = 1,
    SNAP_MAP = 2,
    SNAP_UNMAP = 3,
    SNAP_CODE = 4,
    SNAP_THREAD = 5,
    SNAP_THREAD_END = 6,
    SNAP_SAMPLE = 7,
    SNAP_REPEAT = 8,
    SNAP_IDLE = 9,
    SNAP_LOSS = 10,
    SNAP_SUMMARY = 11,
    SNAP_CREATION = 12,
    SNAP_WAIT = 13,
    SNAP_UNCHANGED = 14,
    SNAP_TICK = 15,
    SNAP_NAMES = 16,
    SNAP_FILE = 17,
    SNAP_SYMBOL_FILE = 18,
    SNAP_FILE_PART = 19,
    SNAP_POINTEES = 20,
    SNAP_BOARD = 21,
    SNAP_SYSTEM = 22,
    SNAP_TASK = 23,
    SNAP_USAGE = 24,
};

enum snap_map_kind {
    SNAP_MAP_FILE = 1,
    SNAP_MAP_VDSO = 2,
    SNAP_MAP_ANON = 3,
    SNAP_MAP_SPECIAL = 4
};

enum snap_file_kind { SNAP_FILE_MAPPED = 1, SNAP_FILE_DEBUG = 2, SNAP_FILE_SHARED = 3 };

enum snap_coding { SNAP_CODING_PLAIN = 0, SNAP_CODING_ZSTD = 1 };

enum snap_pointee_kind { SNAP_POINTEE_NEW = 0, SNAP_POINTEE_KNOWN = 1 };

enum snap_wait_kind { SNAP_WAIT_MEMORY = 1, SNAP_WAIT_FD = 2 };

enum snap_place {
    SNAP_PLACE_UNKNOWN = 0,
    SNAP_PLACE_FILE = 1,
    SNAP_PLACE_HEAP = 2,
    SNAP_PLACE_ANON = 3,
    SNAP_PLACE_STACK = 4
};

/*
 * PROCESS flags. WHOLE: all threads of the process are captured. READY: SNAP_SAMPLE_READY marks
 * samples of runnable threads without a CPU. TICKS: the process's CPU time is in TICKs.
 */
#define SNAP_PROCESS_WHOLE 1
#define SNAP_PROCESS_READY 2
#define SNAP_PROCESS_TICKS 4

enum snap_profile { SNAP_PROFILE_NONE = 0, SNAP_PROFILE_ARM_M = 1, SNAP_PROFILE_RISCV = 2 };

#define SNAP_SYSTEM_MAX 64u /* most registers of a SYSTEM */

enum snap_task_state {
    SNAP_TASK_UNKNOWN = 0,
    SNAP_TASK_RUNNING = 1,
    SNAP_TASK_READY = 2,
    SNAP_TASK_BLOCKED = 3,
    SNAP_TASK_SUSPENDED = 4,
    SNAP_TASK_ENDED = 5
};
enum snap_task_wait {
    SNAP_TASK_WAIT_NONE = 0,
    SNAP_TASK_WAIT_DELAY = 1,
    SNAP_TASK_WAIT_RECEIVE = 2,
    SNAP_TASK_WAIT_SEND = 3,
    SNAP_TASK_WAIT_MUTEX = 4,
    SNAP_TASK_WAIT_SEMAPHORE = 5,
    SNAP_TASK_WAIT_EVENT = 6,
    SNAP_TASK_WAIT_OTHER = 7
};
/* TASK flags. LOW_FIRST: smaller numbers are higher priorities. TIMED: the wait times out. */
#define SNAP_TASK_LOW_FIRST 1
#define SNAP_TASK_TIMED     2

#define SNAP_WAIT_MAX        16   /* most WAITs of a sample */
#define SNAP_WAIT_MEMORY_MAX 4096 /* most bytes of memory in a WAIT */

#define SNAP_MAP_DELETED    1 /* MAP flag: the file has been deleted */
#define SNAP_SAMPLE_SYSCALL 1 /* SAMPLE flag: system call number and arguments are present */
/* SAMPLE flag: a signal, or the end of the thread, kept parts of the sample from being read */
#define SNAP_SAMPLE_DISTURBED 2
/* SAMPLE flag: taken while all threads with a held sample of the same time were stopped */
#define SNAP_SAMPLE_HELD 4
/* SAMPLE flag: the thread was runnable, and not known to have a CPU when asked to stop */
#define SNAP_SAMPLE_READY 8

enum snap_loss {
    SNAP_LOSS_LATE = 1,
    SNAP_LOSS_GONE = 2,
    SNAP_LOSS_UNREADABLE = 3,
    SNAP_LOSS_ROUND = 4,
    SNAP_LOSS_OUTPUT = 5,
    SNAP_LOSS_TICK = 6
};
#define SNAP_LOSS_REASONS 7u /* number of enum snap_loss's reasons and 0 (unknown) */

enum snap_end {
    SNAP_END_FAILED = 0, /* the capture ended by an error of its own */
    SNAP_END_LIMIT = 1,
    SNAP_END_SIGNAL = 2,
    SNAP_END_EXIT = 3,
    SNAP_END_WRITE = 4
};

#endif
