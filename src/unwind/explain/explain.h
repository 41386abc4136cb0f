/* SPDX-License-Identifier: MIT */
/*
 * Explains as text how the analysis of a function came to the row at an address, for developers who
 * look for a mistake in that row.
 *
 * The text has for each instruction its disassembly, its operations (insn.h), where control goes
 * and the changes of the state; where paths meet, the state of each and what was given up; then the
 * row at the address, the register of its CFA and why. A place of the frame is written relative to
 * the CFA, as in rows: c-16. docs/man/cgrules.1 describes the text.
 *
 * Needs as much memory and time as an analysis.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_H
#define UNWIND_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "base/status.h"
#include "unwind/prologue/prologue_explain.h"

/* Functions of at most this many instructions are shown completely. */
#define EXPLAIN_WHOLE_MAX 160

struct explain_request {
    struct code *code;
    struct prologue *prologue; /* analysis of the function [start_vaddr, end_vaddr) */
    struct explain_entries entries;
    uint64_t start_vaddr, end_vaddr;
    uint64_t vaddr; /* the address whose row is explained */
    bool verbose;   /* write states completely, not only what rows use; show every instruction */
    /*
     * Writes the name of what is at `vaddr` to `out`, where its address was written just before;
     * NULL: no names are written.
     */
    void (*write_name)(void *context, FILE *out, uint64_t vaddr);
    void *context;
};

/*
 * Writes the text to `out`. Fails with NO_MEMORY only; the caller checks for write errors (ferror).
 */
MUST_CHECK enum status explain_write(const struct explain_request *request, FILE *out);

#endif
