/* SPDX-License-Identifier: MIT */
/*
 * How the analysis of a function came to the row at an address, as text: for whom is to mend one.
 *
 * For each instruction: its text, its operations (insn.h), where control goes, what of the state of
 * the stack changes; where paths meet, what each brought and what was given up; then the row at the
 * address, what its CFA counts from and why. A place of the frame is written as rows have it,
 * counted from the CFA: c-16. docs/man/cgrules.1 describes the text.
 *
 * It is written from what the analysis ended with; memory and time are those of an analysis.
 */
#ifndef UNWIND_EXPLAIN_EXPLAIN_H
#define UNWIND_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "base/status.h"
#include "unwind/prologue/prologue_explain.h"

/* A function of at most so many instructions is shown whole. */
#define EXPLAIN_WHOLE_MAX 160

struct explain_request {
    struct code *code;
    struct prologue *prologue; /* of the function [start, end) */
    struct explain_entries entries;
    uint64_t start_vaddr, end_vaddr;
    uint64_t vaddr; /* the address in question */
    /* everything of states, not only what rows can be made of; and every instruction */
    bool verbose;
    /* The name of what is at `vaddr`, to be written behind its address; NULL: no names. */
    void (*write_name)(void *context, FILE *out, uint64_t vaddr);
    void *context;
};

/* Only NO_MEMORY fails. Nothing is known of what `out` had to say to it. */
MUST_CHECK enum status explain_write(const struct explain_request *request, FILE *out);

#endif
