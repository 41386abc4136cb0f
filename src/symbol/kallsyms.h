/* SPDX-License-Identifier: MIT */
/*
 * Looks up names of the kernel's functions in a list like /proc/kallsyms: `ADDRESS TYPE NAME
 * [MODULE]`; or in the symbols of the kernel's ELF file, vmlinux.
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
#include "symbol/elf/elf_image.h"

struct kallsyms;

struct kernel_facts { /* what is known of the kernel that was sampled; pointers are borrowed */
    const uint8_t *build_id;
    size_t build_id_size; /* bytes of build_id; 0: not known */
    const char *symbol;   /* name of one of its symbols; NULL or "": not known */
    uint64_t symbol_addr;
    /* host name and release are those of the kernel that runs here; used if build_id_size is 0 */
    bool is_this;
};

/*
 * Reads the list at `path` for this kernel; *out is the caller's. BAD_DATA with `diag` filled: the
 * file is no list, has no addresses, or lacks kernel->symbol; IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status kallsyms_read(const char *path, const struct kernel_facts *kernel,
                                     struct kallsyms **out, struct diag *diag);

/*
 * As kallsyms_read, of the functions in .symtab of the kernel's ELF file, which is borrowed for the
 * call. A function with a size ends by it. BAD_DATA also if there are none, or if kernel->symbol is
 * not known: the kernel need not have been where it was linked.
 */
MUST_CHECK enum status kallsyms_read_elf(struct elf_image *image, const struct kernel_facts *kernel,
                                         struct kallsyms **out, struct diag *diag);

/*
 * Checks, before a kernel is known, that the file at `path` is a list with addresses; fails as
 * kallsyms_read does. Returns OK unread for a pipe, or another file that is not regular.
 */
MUST_CHECK enum status kallsyms_check(const char *path, struct diag *diag);

/*
 * Reads the kernel's list from the file `given`, and only from that; if it is NULL, from perf's
 * copy `cached` (NULL: none), else, if that is unusable and this kernel runs here, /proc/kallsyms.
 * NOT_FOUND with `diag` filled: `given` is NULL, and no other list serves; otherwise as
 * kallsyms_read.
 */
MUST_CHECK enum status kallsyms_open(const char *given, const char *cached,
                                     const struct kernel_facts *kernel, struct kallsyms **out,
                                     struct diag *diag);
void kallsyms_destroy(struct kallsyms *kallsyms);

/*
 * Returns the name of the last function that begins at or below the run-time address `addr`, and
 * sets *start_addr to its start; NULL: the symbol there is no function, or ended or begins 1 MiB or
 * more below. The name is owned by the list.
 */
const char *kallsyms_find(const struct kallsyms *kallsyms, uint64_t addr, uint64_t *start_addr);

#endif
