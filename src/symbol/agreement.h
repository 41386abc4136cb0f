/* SPDX-License-Identifier: MIT */
/*
 * Compares an ELF file with the memory of the process that may have run it:
 *
 *     auxiliary vector    for the executable only: entry point, address and number of
 *                         the program headers
 *     program headers     PT_LOAD and PT_DYNAMIC, byte by byte
 *     dynamic section     tags and values; a value in memory may have the load bias added
 *     constant data       .data.rel.ro, .init_array, .fini_array: AGREEMENT_DATA_MAX bytes of each;
 *                         words that are not 0 in the file; a word in memory may have the load bias
 *                         added; one word in AGREEMENT_DATA_TOLERANCE may differ
 *     code                AGREEMENT_CODE_MAX bytes at most of each executable segment, of a
 *                         writable one sections of code only; one byte in AGREEMENT_TOLERANCE may
 *                         differ, for breakpoints. Not in files with DT_TEXTREL, whose code the
 *                         dynamic linker changes
 *
 * Neither strip nor a separate debug file changes any of these; another build changes most.
 */
#ifndef SYMBOL_AGREEMENT_H
#define SYMBOL_AGREEMENT_H

#include "base/diag.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"
#include "symbol/process_memory.h"

#define AGREEMENT_CODE_MAX          (UINT64_C(1) << 20) /* most bytes compared of a segment */
#define AGREEMENT_TOLERANCE         256
#define AGREEMENT_CHANGED_TOLERANCE 4
#define AGREEMENT_DATA_MAX          (UINT64_C(1) << 16) /* most bytes compared of a section */
#define AGREEMENT_DATA_TOLERANCE    8

enum agreement {
    AGREEMENT_UNKNOWN, /* nothing could be compared, or the module's load bias is not known */
    /* No byte was compared, but the auxiliary vector or the code's extent fits; `why` says so. */
    AGREEMENT_PLACE,
    /*
     * At most one byte of code in AGREEMENT_CHANGED_TOLERANCE differs; all program headers and the
     * whole dynamic section agree. The process has changed its code, or the file is of a similar
     * build; `why` says so.
     */
    AGREEMENT_CHANGED,
    AGREEMENT_FULL,   /* bytes were compared, and all agree but for the tolerances */
    AGREEMENT_CODE,   /* AGREEMENT_FULL, and code is among these bytes */
    AGREEMENT_BROKEN, /* file and memory differ; `why` says what, and where */
};

/*
 * Compares `image` with `memory` at the mapping module->place.where, and sets *why for the values
 * that say so. A separate debug file is AGREEMENT_UNKNOWN.
 */
enum agreement agreement_find(const struct process_memory *memory, const struct module *module,
                              struct elf_image *image, struct diag *why);

#endif
