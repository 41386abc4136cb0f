/* SPDX-License-Identifier: MIT */
/*
 * What the files of cgrules have in common: main.c opens the ELF file and prints functions,
 * options.c parses the command line, rows.c prints rows, audit.c an audit, explain.c the origin of
 * one row.
 */
#ifndef TOOLS_CGRULES_CGRULES_H
#define TOOLS_CGRULES_CGRULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "symbol/elf/symtab.h"
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
    const char *explain; /* TASK_EXPLAIN: the address or the function's name that was given */
    const char *debug_dirs[DEBUG_DIRS_MAX];
    size_t debug_dir_count;
    const char *elf;
    struct sandbox_options sandbox;
};

/*
 * Fills *options from the command line; texts are borrowed from `argv`. Returns -1: go on; else end
 * with this exit status, as all messages have been printed.
 */
int options_parse(struct cgrules_options *options, int argc, char **argv);

/* The input of all tasks: the options, and the ELF file with its rows. */
struct job {
    const struct cgrules_options *options;
    struct module_set *set;
    struct module *module; /* the ELF file's module, open; its problem is reported after the task */
    struct module_rows *rows;
    const struct arch *arch;
};

/*
 * Do one task of enum task each (ROWS, PCS, AUDIT, EXPLAIN), and print its result. Return the exit
 * status; if it is 1, a message that says why has been printed.
 */
int print_rows(const struct job *job);
int answer_pcs(const struct job *job);
int print_audit(struct job *job);
int print_explanation(const struct job *job);

/*
 * Print a message on standard error. fail: `diag` as an error. warn: `diag` as a warning.
 * fail_absent, for things that are not found: the reason, as an error, if that is known (code
 * cannot be decoded, or the module has a problem), else `diag`. fail and fail_absent return 1.
 */
int fail(const struct diag *diag);
int fail_absent(const struct job *job, const struct diag *diag);
void warn(const struct diag *diag);

/*
 * Whether FDEs of the section `source` (TRUST_DEBUG_FRAME or TRUST_EH_FRAME) are left out as
 * damaged; if so, fills `diag` with how many. False also if the section cannot be checked.
 */
bool tell_damaged_fdes(const struct job *job, enum trust source, struct diag *diag);

/*
 * Prints a name on standard output as one word: control characters and blanks become '?'; a name
 * that is too long is cut, with "..." at its end.
 */
void print_name(const char *name);

/* Prints a file's name as print_name does, but leaves blanks as they are. */
void print_path(const char *path);

/*
 * Sets *out to the function at `vaddr`: a symbol with a size that contains it, else Go's tables,
 * else the symbol without size at or before it. False: none. The name is owned by the module.
 */
bool find_name(const struct job *job, uint64_t vaddr, struct symbol *out);

#endif
