/* SPDX-License-Identifier: MIT */
/*
 * Explains as text how the analysis of a function came to the row at an address, for developers who
 * look for a mistake in it.
 *
 * The text has for each instruction its disassembly, its operations (insn.h), where control goes
 * and the changes of the state; where paths meet, the state of each and what was given up; then the
 * row at the address, the register of its CFA and why. A place of the frame is written relative to
 * the CFA, as in rows: c-16. docs/man/cgrules.1 describes the text.
 *
 * Memory and time are those of an analysis.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_H
#define UNWIND_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "base/status.h"
#include "unwind/prologue/prologue_explain.h"

/* Functions of at most so many instructions are shown completely. */
#define EXPLAIN_WHOLE_MAX 160

struct explain_request {
    struct code *code;
    struct prologue *prologue; /* of the function [start, end) */
    struct explain_entries entries;
    uint64_t start_vaddr, end_vaddr;
    uint64_t vaddr; /* the address in question */
    bool verbose;   /* write all of states, not only what rows use; show every instruction */
    /* Writes the name of what is at `vaddr`, behind its address; NULL: no names. */
    void (*write_name)(void *context, FILE *out, uint64_t vaddr);
    void *context;
};

/* Writes the text to `out`. Only NO_MEMORY fails; write errors are left to the caller (ferror). */
MUST_CHECK enum status explain_write(const struct explain_request *request, FILE *out);

#endif
