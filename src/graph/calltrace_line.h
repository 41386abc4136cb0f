/* SPDX-License-Identifier: MIT */
/*
 * Parses a line of a trace of calls, as programs built with -finstrument-functions write it:
 *
 *     E0x401136                  entry of the function at that address
 *     X0x401136                  exit from it
 *     0x401136 0x401182          callee and call site: one call; "0x" may be absent
 *
 * Blanks may be anywhere but within a number; digits are of either case. Addresses are run-time
 * addresses of at most 64 bits. A call site is the result of __builtin_return_address: behind the
 * call instruction.
 */
#ifndef GRAPH_CALLTRACE_LINE_H
#define GRAPH_CALLTRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum calltrace_kind { CALLTRACE_NONE, CALLTRACE_ENTRY, CALLTRACE_EXIT, CALLTRACE_PAIR };

struct calltrace_record {
    enum calltrace_kind kind; /* CALLTRACE_NONE: the line is no record */
    uint64_t callee_addr;     /* run-time address of the function */
    uint64_t site_addr;       /* only of CALLTRACE_PAIR: run-time address behind the call */
};

/* Parses a line of `size` bytes, without its newline. */
struct calltrace_record calltrace_parse(const char *line, size_t size);

/* Whether the line of `size` bytes has only blanks. */
bool calltrace_is_empty(const char *line, size_t size);

/*
 * Whether a file that begins with the `size` bytes at `head` is a trace: these are ASCII text, and
 * one of their whole lines is a record.
 */
bool calltrace_begins(const uint8_t *head, size_t size);

#endif
