/* SPDX-License-Identifier: MIT */
/*
 * What a page was made of: each input, with the processes that it tells of.
 */
#ifndef OUTPUT_HTML_CAPTURES_H
#define OUTPUT_HTML_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "output/format.h"
#include "output/json_line.h"

#define CAPTURES_MAX 64 /* that are told of; the rest is counted */

struct page_capture {
    char *name, *exe, *command, *host, *kernel; /* owned; NULL: not known */
    const char *kind;                           /* static storage */
    uint32_t pid;                               /* 0: not known */
    bool is_base;
};

struct captures { /* zeroed: none */
    struct page_capture *list;
    size_t count, cap;
    size_t input;    /* the first of the input that is being read */
    size_t left_out; /* processes */
    bool has_sums;   /* an input that is no baseline was a profile (pprof) */
};

void captures_deinit(struct captures *captures);

/* As of struct output_format. Both fail only for memory. */
MUST_CHECK enum status captures_input(struct captures *captures, const struct output *output,
                                      const char *name);
MUST_CHECK enum status captures_process(struct captures *captures,
                                        const struct snap_process *process);

/* To the head. */
void captures_write(const struct captures *captures, struct json_line *head);

#endif
