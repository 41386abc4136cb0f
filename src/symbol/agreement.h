/* SPDX-License-Identifier: MIT */
/*
 * Is a file the one that a process had at some place? By what the process's memory still has of it:
 *
 *     auxiliary vector    where the entry point and the program headers are, how many; the
 *                         executable's only
 *     program headers     PT_LOAD and PT_DYNAMIC, byte by byte
 *     dynamic section     tags and values, which the linker may have made addresses of
 *     code                AGREEMENT_CODE_MAX bytes at most of each segment; one byte in
 *                         AGREEMENT_TOLERANCE may differ, as debuggers put breakpoints there
 *
 * Neither strip nor a separate debug file changes any of these; another build changes most.
 */
#ifndef SYMBOL_AGREEMENT_H
#define SYMBOL_AGREEMENT_H

#include "base/diag.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"
#include "symbol/process_memory.h"

#define AGREEMENT_CODE_MAX  (UINT64_C(1) << 20)
#define AGREEMENT_TOLERANCE 256

enum agreement {
    AGREEMENT_UNKNOWN, /* the memory has nothing of the file, or it is not known where that is */
    AGREEMENT_FULL,    /* all that there is, which is something, agrees */
    AGREEMENT_BROKEN,  /* `why` says where it differs */
};

/* For the module's place, module->where. */
enum agreement agreement_find(const struct process_memory *memory, const struct module *module,
                              struct elf_image *image, struct diag *why);

#endif
