/* SPDX-License-Identifier: MIT */
/*
 * The fields of a pprof profile, for who writes it (output/pprof.h) and who reads it: those of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, and from 1000 on our own.
 *
 * Our own are what a profile needs to be as good an input as the snapshots that it was made of.
 * Other readers skip fields that they do not know, and who writes a profile anew without them
 * leaves a profile as other programs write it, which is read as well. A field that is absent is 0.
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
    PROFILE_COMMENT = 13, /* ours: a program, "/bin/prog (pid 7)" or "/bin/prog" of several */
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
    PROFILE_ARCH = 1000,    /* string: "x86_64"; whoever has it has written the other ones, too */
    PROFILE_ACCOUNT = 1001, /* packed, enum account_number */
    PROFILE_RATE = 1002,    /* packed, by enum rate_number */
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field {
    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    SAMPLE_FRAMES = 1000, /* bytes: a PPROF_TRUST_LETTERS each, upper case: a return address */
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
    MAPPING_OF_SEGMENTS = 1001, /* start, limit and offset are the file's, not its locations' */
    MAPPING_DELETED = 1002,     /* the file was gone when it was captured */
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LOCATION_IN_FILE = 1000, /* the address is one of the ELF file */
};
enum line_field {
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    LINE_SYSTEM_NAME = 1000, /* string: the inlined copy's, where it differs from its function's */
    LINE_BY_NAME = 1001,     /* that it is a copy of the function is known by the name alone */
};
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
    FUNCTION_START = 1000,   /* address in the file, and 1 more */
    FUNCTION_MADE_UP = 1001, /* the name is none of the file's */
    /* String, number: where it begins when that is in another file than FILENAME. */
    FUNCTION_ENTRY_FILE = 1002,
    FUNCTION_ENTRY_LINE = 1003,
    /* String: the end of the name that says which part it is of one that was divided by values. */
    FUNCTION_LABEL = 1004,
};

/* What is known of all samples together. Profiles that are merged add it up; new ones go last. */
enum account_number {
    ACCOUNT_FLAGS, /* ACCOUNT_IS_…: these are or-ed */
    ACCOUNT_CHAINS_UNWOUND,
    ACCOUNT_CPU_USED, /* as in struct cpu_account */
    ACCOUNT_CPU_WAITED,
    ACCOUNT_CPU_PLACED,
    ACCOUNT_TICKS,
    ACCOUNT_CPU_CUT,
    ACCOUNT_LOST, /* SNAP_LOSS_REASONS numbers from here */
    ACCOUNT_PLACES = ACCOUNT_LOST + SNAP_LOSS_REASONS,
    ACCOUNT_SQUARES,
    ACCOUNT_NUMBERS,
};
/* Of the capture that reached the least part of its rate; of how many; 0, 0: not known. */
enum rate_number { RATE_ASKED, RATE_REACHED, RATE_CAPTURES };
enum account_flag { ACCOUNT_IS_CUT_SHORT = 1, ACCOUNT_IS_BY_CLOCK = 2, ACCOUNT_IS_UNTOLD = 4 };

/* For PROFILE_ARCH of what was made of other programs' profiles alone, which do not say. */
#define PPROF_ARCH_ANY "any"

/* By enum trust. */
#define PPROF_TRUST_LETTERS "xkadeigpfls"

/* The keys of labels. */
#define PPROF_LABEL_THREAD    "thread"
#define PPROF_LABEL_THREAD_ID "thread_id"
#define PPROF_LABEL_STATE     "state" /* thread_state_name */
#define PPROF_LABEL_STOP      "stop"  /* stop_reason_name; none: the thread's start was reached */

#endif
