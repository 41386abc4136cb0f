/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of cgrules: main.c opens the ELF file and prints functions, options.c parses
 * the command line, rows.c prints rows, audit.c an audit, explain.c the origin of one row.
 */
#ifndef TOOLS_CGRULES_CGRULES_H
#define TOOLS_CGRULES_CGRULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "symbol/module.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/sandbox_options.h"
#include "unwind/module_rows.h"

#define DEBUG_DIRS_MAX 64

enum task { TASK_ROWS, TASK_PCS, TASK_FUNCTIONS, TASK_AUDIT, TASK_EXPLAIN };

struct cgrules_options {
    enum task task;
    enum trust method;
    bool method_given, code_only;
    unsigned verbose;
    const char *pcs;
    const char *explain; /* an address, or a function's name */
    const char *debug_dirs[DEBUG_DIRS_MAX];
    size_t debug_dir_count;
    const char *elf;
    struct sandbox_options sandbox;
};

/* Parses the command line. -1: go on; else the exit status: all messages have been printed. */
int options_parse(struct cgrules_options *options, int argc, char **argv);

/* The input of all tasks. */
struct job {
    const struct cgrules_options *options;
    struct module_set *set;
    struct module *module; /* open; its problem is reported when the task is done */
    struct module_rows *rows;
    const struct arch *arch;
};

/* The tasks. Each returns the exit status; if it is 1, a line that says why has been printed. */
int print_rows(const struct job *job);
int answer_pcs(const struct job *job);
int print_audit(struct job *job);
int print_explanation(const struct job *job);

/*
 * Print `diag` as an error, or warning, on standard error. fail and fail_absent return 1;
 * fail_absent is for things that are not found, and prints instead that code cannot be decoded, or
 * the module's problem, if there is one.
 */
int fail(const struct diag *diag);
int fail_absent(const struct job *job, const struct diag *diag);
void warn(const struct diag *diag);

/*
 * Says whether FDEs of the section `source` (TRUST_DEBUG_FRAME or TRUST_EH_FRAME) are left out as
 * damaged, and sets `diag` then.
 */
bool tell_damaged_fdes(const struct job *job, enum trust source, struct diag *diag);

/* Prints a name as one word: control characters and blanks become '?'. */
void print_name(const char *name);

/* Prints a file's name, which may have blanks. */
void print_path(const char *path);

/*
 * Finds the function at `vaddr`: a symbol with a size that contains it, else Go's tables, else a
 * symbol without size. False: none.
 */
bool find_name(const struct job *job, uint64_t vaddr, struct symbol *out);

#endif
