/* SPDX-License-Identifier: MIT */
/*
 * What the files of cgrules share: main.c opens the ELF file and prints functions,
 * options.c reads the command line, rows.c prints rows, audit.c an audit,
 * explain.c how one row came about.
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

/* -1: go on; else the exit status, with everything said. */
int options_parse(struct cgrules_options *options, int argc, char **argv);

/* What all tasks work on. */
struct job {
    const struct cgrules_options *options;
    struct module_set *set;
    struct module *module; /* open; its problem is told of when a task has come to an end */
    struct module_rows *rows;
    const struct arch *arch;
};

/* The tasks; each returns the exit status and, when it is 1, has said why in one line. */
int print_rows(const struct job *job);
int answer_pcs(const struct job *job);
int print_audit(struct job *job);
int print_explanation(const struct job *job);

/*
 * Prints the line. fail returns 1; fail_absent too, for what is not found: the reason is the file's
 * damage where it has some.
 */
int fail(const struct diag *diag);
int fail_absent(const struct job *job, const struct diag *diag);
void warn(const struct diag *diag);

/*
 * Sets `diag` when some FDEs of .debug_frame or .eh_frame, whichever `source` says, are left out.
 */
bool tell_damaged_fdes(const struct job *job, enum trust source, struct diag *diag);

/* A name is a word: what could be taken for the end of a column or of a line is not printed. */
void print_name(const char *name);

/* A file's name, which may have blanks. */
void print_path(const char *path);

/* The symbol that begins at, or holds, `vaddr`. */
bool find_name(const struct job *job, uint64_t vaddr, struct symbol *out);

#endif
