/* SPDX-License-Identifier: MIT */
/*
 * The inputs of a page, with an entry for each process of an input.
 */
#ifndef OUTPUT_HTML_CAPTURES_H
#define OUTPUT_HTML_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "output/format.h"
#include "output/json_line.h"

#define CAPTURES_MAX 64 /* most entries; processes without one are only counted */

struct page_capture {
    char *name, *exe, *command, *host, *kernel; /* owned; NULL: not known; name: the input's */
    const char *kind;                           /* kind of the input, "core", ...; static storage */
    uint32_t pid;                               /* 0: not known */
    bool is_base;                               /* the input is the baseline's */
};

struct captures { /* zeroed: empty */
    struct page_capture *list;
    size_t count, cap;
    size_t input;    /* index of the first entry of the input that is being read */
    size_t left_out; /* processes without an entry */
    bool has_sums;   /* an input other than the baseline was a profile (pprof) */
};

void captures_deinit(struct captures *captures);

/*
 * captures_input adds an entry for an input; captures_process adds a process to the input, or
 * replaces what is known of its pid. Called like `input` and `process` of struct output_format.
 * Fail only with NO_MEMORY.
 */
MUST_CHECK enum status captures_input(struct captures *captures, const struct output *output,
                                      const char *name);
MUST_CHECK enum status captures_process(struct captures *captures,
                                        const struct snap_process *process);

/* Puts "captures", the entries, and "captures_left_out" into the page's head. */
void captures_write(const struct captures *captures, struct json_line *head);

#endif
