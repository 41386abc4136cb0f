/* SPDX-License-Identifier: MIT */
/*
 * Numbers of perf.data that linux/perf_event.h lacks: those of perf itself
 * (tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h), and
 * those that newer kernels have added.
 */
#ifndef SNAPSHOT_IMPORT_PERF_FORMAT_H
#define SNAPSHOT_IMPORT_PERF_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define PERF_PIPE_HEADER_SIZE 16 /* bytes of a stream's header: magic, size */
/* Bytes of a file's header: magic, size, attr_size, three sections, 256 feature bits. */
#define PERF_FILE_HEADER_SIZE 104
#define PERF_RECORD_HEAD      8 /* bytes of a record's head: u32 type, u16 misc, u16 size */
#define PERF_BUILD_ID_MAX     20

/* perf's own record types, from PERF_USER_TYPE on; these records have no time. */
enum perf_user_type {
    PERF_USER_TYPE = 64,
    PERF_HEADER_ATTR = 64,
    PERF_HEADER_TRACING_DATA = 66,
    PERF_HEADER_BUILD_ID = 67,
    PERF_FINISHED_ROUND = 68,
    PERF_AUXTRACE = 71,
    PERF_HEADER_FEATURE = 80,
    PERF_COMPRESSED = 81,
    PERF_COMPRESSED2 = 83,
};

enum perf_feature {
    PERF_FEATURE_BUILD_ID = 2,
    PERF_FEATURE_HOSTNAME = 3,
    PERF_FEATURE_OSRELEASE = 4,
    PERF_FEATURE_ARCH = 6,
    PERF_FEATURE_CLOCK_DATA = 29,
    PERF_FEATURE_COUNT = 256,
};

/*
 * misc bit of a build-id record: the byte behind the 20 bytes of the id says how many of them count
 */
#define PERF_MISC_BUILD_ID_SIZE (1u << 15)
/* misc bit of a FORK record that perf made for a process that existed already: MMAPs follow */
#define PERF_MISC_FORK_EXEC (1u << 13)

/* Bits of branch_sample_type: a branch stack has one more word; one more word for each branch. */
#define PERF_BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define PERF_BRANCH_COUNTERS (UINT64_C(1) << 19)
#define PERF_READ_LOST       (UINT64_C(1) << 4) /* bit of read_format: the count of lost records */

#endif
