/* SPDX-License-Identifier: MIT */
/*
 * Names of the kernel's functions, as /proc/kallsyms lists them: `ADDRESS TYPE NAME [MODULE]`.
 *
 * A kernel may lie elsewhere in memory after each boot. Its samples come with the address of one of
 * its symbols; where the list has that symbol at another address the kernel proper is looked up by
 * the difference, and kernel modules are not.
 */
#ifndef SYMBOL_KALLSYMS_H
#define SYMBOL_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct kallsyms;

struct kernel_facts { /* which kernel it was; borrowed */
    const uint8_t *build_id;
    size_t build_id_size; /* 0: not known */
    const char *symbol;   /* NULL or empty: not known */
    uint64_t symbol_addr;
    bool is_this; /* the one that runs here, as far as names tell: for want of a build-id */
};

/*
 * Reads a list. BAD_DATA (no list, one without addresses or without the kernel's symbol), IO with
 * `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status kallsyms_read(const char *path, const struct kernel_facts *kernel,
                                     struct kallsyms **out, struct diag *diag);

/*
 * Whether the file is a list that has addresses, before it is needed; as kallsyms_read. What can be
 * read only once, as a pipe, is not looked at: OK.
 */
MUST_CHECK enum status kallsyms_check(const char *path, struct diag *diag);

/*
 * Finds and reads the list of a kernel: `given` when it is not NULL; else the copy that perf keeps
 * in `cached` (NULL: none), else /proc/kallsyms when that is of the same kernel. NOT_FOUND with
 * `diag` filled; otherwise as above.
 */
MUST_CHECK enum status kallsyms_open(const char *given, const char *cached,
                                     const struct kernel_facts *kernel, struct kallsyms **out,
                                     struct diag *diag);
void kallsyms_destroy(struct kallsyms *kallsyms);

/* The function at `addr`, and where it starts; NULL: none. Valid as long as the list. */
const char *kallsyms_find(const struct kallsyms *kallsyms, uint64_t addr, uint64_t *start_addr);

#endif
