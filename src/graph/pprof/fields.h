/* SPDX-License-Identifier: MIT */
/*
 * The field numbers of a pprof profile, for its writer (output/pprof.h) and its reader: those of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, and from 1000 on our own.
 *
 * Our own make a profile as good an input as the snapshots it was made from. Other readers skip
 * them; a profile rewritten without them is read like other programs'. An absent field is 0.
 */
#ifndef GRAPH_PPROF_FIELDS_H
#define GRAPH_PPROF_FIELDS_H

#include "snapshot/format.h"

enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    /* ours: a program, "/bin/prog (pid 7)", or "/bin/prog" if of several pids */
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
    PROFILE_ARCH = 1000,    /* string: "x86_64"; present: the other fields of ours are, too */
    PROFILE_ACCOUNT = 1001, /* packed, enum account_number */
    PROFILE_RATE = 1002,    /* packed, enum rate_number */
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field {
    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    /* bytes: one of PPROF_TRUST_LETTERS per frame; upper case: a return address */
    SAMPLE_FRAMES = 1000,
    SAMPLE_OFFCPU = 1001, /* ns */
};
enum label_field { LABEL_KEY = 1, LABEL_STR = 2, LABEL_NUM = 3 };
enum mapping_field {
    MAPPING_ID = 1,
    MAPPING_MEMORY_START = 2,
    MAPPING_MEMORY_LIMIT = 3,
    MAPPING_FILE_OFFSET = 4,
    MAPPING_FILENAME = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES = 8,
    MAPPING_HAS_LINE_NUMBERS = 9,
    MAPPING_HAS_INLINE_FRAMES = 10,
    MAPPING_KIND = 1000,        /* enum module_kind */
    MAPPING_OF_SEGMENTS = 1001, /* start, limit and offset are a segment's, not its locations' */
    MAPPING_DELETED = 1002,     /* the file was gone when it was captured */
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LOCATION_IN_FILE = 1000, /* the address is a vaddr of the ELF file */
};
enum line_field {
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    LINE_SYSTEM_NAME = 1000, /* string: the inlined copy's, if it differs from its function's */
    LINE_BY_NAME = 1001,     /* only the name says that it is a copy of the function */
};
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
    FUNCTION_START = 1000,   /* vaddr + 1 */
    FUNCTION_MADE_UP = 1001, /* the name is not from the file */
    /* String, number: where it begins, if in another file than FILENAME. */
    FUNCTION_ENTRY_FILE = 1002,
    FUNCTION_ENTRY_LINE = 1003,
    /* String: the end of the name, a label of --split. */
    FUNCTION_LABEL = 1004,
};

/* Facts of all samples together; merging profiles adds them up. New numbers go last. */
enum account_number {
    ACCOUNT_FLAGS, /* ACCOUNT_IS_*: or-ed, not added */
    ACCOUNT_CHAINS_UNWOUND,
    ACCOUNT_CPU_USED, /* those of struct cpu_account */
    ACCOUNT_CPU_WAITED,
    ACCOUNT_CPU_PLACED,
    ACCOUNT_TICKS,
    ACCOUNT_CPU_CUT,
    ACCOUNT_LOST, /* SNAP_LOSS_REASONS numbers */
    ACCOUNT_PLACES = ACCOUNT_LOST + SNAP_LOSS_REASONS,
    ACCOUNT_SQUARES,
    ACCOUNT_NUMBERS,
};
/* Rate of the capture that reached the least of its own (0, 0: not known); number of captures. */
enum rate_number { RATE_ASKED, RATE_REACHED, RATE_CAPTURES };
enum account_flag { ACCOUNT_IS_CUT_SHORT = 1, ACCOUNT_IS_BY_CLOCK = 2, ACCOUNT_IS_UNTOLD = 4 };

/* PROFILE_ARCH of a profile made only from other programs' profiles, which lack it. */
#define PPROF_ARCH_ANY "any"

/* One letter per enum trust, in its order. */
#define PPROF_TRUST_LETTERS "xkadeigpfls"

/* Keys of labels. */
#define PPROF_LABEL_THREAD    "thread"
#define PPROF_LABEL_THREAD_ID "thread_id"
#define PPROF_LABEL_STATE     "state" /* thread_state_name */
#define PPROF_LABEL_STOP      "stop"  /* stop_reason_name; absent: the thread's start was reached */

#endif
