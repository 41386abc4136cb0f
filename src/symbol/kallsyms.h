/* SPDX-License-Identifier: MIT */
/*
 * Names of the kernel's functions, as /proc/kallsyms lists them: `ADDRESS TYPE NAME [MODULE]`.
 *
 * A kernel may lie elsewhere in memory after each boot. Its samples come with the address of one of
 * its symbols. Where the list has that symbol at another address, look-ups in the kernel proper are
 * shifted by the difference, and addresses of kernel modules are not found.
 */
#ifndef SYMBOL_KALLSYMS_H
#define SYMBOL_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct kallsyms;

struct kernel_facts { /* of the kernel that was sampled; borrowed */
    const uint8_t *build_id;
    size_t build_id_size; /* 0: not known */
    const char *symbol;   /* NULL or empty: not known */
    uint64_t symbol_addr;
    /* by its names it is the kernel that runs here; used where there is no build-id */
    bool is_this;
};

/*
 * Reads the list at `path`. BAD_DATA with `diag` filled: no list, no addresses, or without the
 * kernel's symbol; IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status kallsyms_read(const char *path, const struct kernel_facts *kernel,
                                     struct kallsyms **out, struct diag *diag);

/*
 * Checks early that the file is a list with addresses; errors of kallsyms_read. OK without a look
 * for what can be read only once, such as a pipe.
 */
MUST_CHECK enum status kallsyms_check(const char *path, struct diag *diag);

/*
 * Finds and reads the list of a kernel: `given` (NULL: not given), else perf's copy `cached` (NULL:
 * none), else /proc/kallsyms when the kernel runs here. NOT_FOUND with `diag` filled: none of
 * these; otherwise as kallsyms_read.
 */
MUST_CHECK enum status kallsyms_open(const char *given, const char *cached,
                                     const struct kernel_facts *kernel, struct kallsyms **out,
                                     struct diag *diag);
void kallsyms_destroy(struct kallsyms *kallsyms);

/*
 * Returns the name of the function at `addr` and sets *start_addr; NULL: none within 1 MiB. Valid
 * as long as the list.
 */
const char *kallsyms_find(const struct kallsyms *kallsyms, uint64_t addr, uint64_t *start_addr);

#endif
