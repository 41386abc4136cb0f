/* SPDX-License-Identifier: MIT */
/*
 * The field numbers of a pprof profile, for its writer (output/pprof.h) and its reader: those of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, and from 1000 on cgunwind's own.
 *
 * The own fields make a profile as good an input as the snapshots that it was made from. Other
 * readers skip them; a profile rewritten without them is read like other programs'. An absent field
 * is 0.
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
    /* cgunwind writes a program: "/bin/prog (pid 7)", or "/bin/prog" if it has several pids */
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
    PROFILE_ARCH = 1000,    /* string: "x86_64"; if present, the profile has the own fields */
    PROFILE_ACCOUNT = 1001, /* packed numbers, by enum account_number */
    PROFILE_RATE = 1002,    /* packed numbers, by enum rate_number */
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field {
    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    /* bytes: a letter of PPROF_TRUST_LETTERS per frame; upper case: its PC is a return address */
    SAMPLE_FRAMES = 1000,
    SAMPLE_OFFCPU = 1001, /* off-CPU time of the sample, in ns */
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
    MAPPING_OF_SEGMENTS = 1001, /* 1: start, limit and offset are of a segment, not of locations */
    MAPPING_DELETED = 1002,     /* 1: the file was gone when the process was captured */
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LOCATION_IN_FILE = 1000, /* 1: the address is a vaddr of the ELF file */
};
enum line_field {
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    LINE_SYSTEM_NAME = 1000, /* string: raw name of the inlined copy, if not its function's */
    LINE_BY_NAME = 1001,     /* 1: that it is a copy of the function is only known by the name */
};
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
    FUNCTION_START = 1000,   /* the function's first vaddr + 1; 0: not known */
    FUNCTION_MADE_UP = 1001, /* 1: the name is not from the file */
    /* string and number: source file and line of its start, if this is another file */
    FUNCTION_ENTRY_FILE = 1002,
    FUNCTION_ENTRY_LINE = 1003,
    /* string: the label of --split with which the name ends */
    FUNCTION_LABEL = 1004,
};

/*
 * Indexes of the numbers in PROFILE_ACCOUNT: facts of all samples together. Merging profiles adds
 * them up. New numbers go last.
 */
enum account_number {
    ACCOUNT_FLAGS, /* bits of enum account_flag; merging ors them */
    ACCOUNT_CHAINS_UNWOUND,
    ACCOUNT_CPU_USED, /* this and the next four: members of struct cpu_account */
    ACCOUNT_CPU_WAITED,
    ACCOUNT_CPU_PLACED,
    ACCOUNT_TICKS,
    ACCOUNT_CPU_CUT,
    ACCOUNT_LOST, /* the first of SNAP_LOSS_REASONS numbers, by enum snap_loss */
    ACCOUNT_PLACES = ACCOUNT_LOST + SNAP_LOSS_REASONS,
    ACCOUNT_SQUARES,
    ACCOUNT_NUMBERS,
};
/*
 * Indexes of the numbers in PROFILE_RATE: members of struct capture_rate, in mHz (0: not known);
 * number of captures.
 */
enum rate_number { RATE_ASKED, RATE_REACHED, RATE_CAPTURES };
enum account_flag { ACCOUNT_IS_CUT_SHORT = 1, ACCOUNT_IS_BY_CLOCK = 2, ACCOUNT_IS_UNTOLD = 4 };

/* PROFILE_ARCH of a profile made only from other programs' profiles, which tell none. */
#define PPROF_ARCH_ANY "any"

/* A letter for each enum trust, in its order. */
#define PPROF_TRUST_LETTERS "xkadeigpfls"

/* Keys of a sample's labels. */
#define PPROF_LABEL_THREAD    "thread"
#define PPROF_LABEL_THREAD_ID "thread_id"
#define PPROF_LABEL_STATE     "state" /* its value is a thread_state_name */
#define PPROF_LABEL_STOP      "stop"  /* a stop_reason_name; absent: the chain is complete */

#endif
