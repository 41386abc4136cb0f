/* SPDX-License-Identifier: MIT */
/*
 * Is a file the one that a process had at some place? By what the process's memory still has of it:
 *
 *     auxiliary vector    where the entry point and the program headers are, how many; the
 *                         executable's only
 *     program headers     PT_LOAD and PT_DYNAMIC, byte by byte
 *     dynamic section     tags and values, which the linker may have made addresses of
 *     constant data       AGREEMENT_DATA_MAX bytes of .data.rel.ro, .init_array and the like: words
 *                         that are not 0 in the file, which may have been made addresses; one in
 *                         AGREEMENT_DATA_TOLERANCE may differ
 *     code                AGREEMENT_CODE_MAX bytes at most of each segment; one byte in
 *                         AGREEMENT_TOLERANCE may differ, as debuggers put breakpoints there. Not
 *                         of files whose code the linker changes (DT_TEXTREL); of segments that
 *                         may be written sections of code only
 *
 * Neither strip nor a separate debug file changes any of these; another build changes most.
 */
#ifndef SYMBOL_AGREEMENT_H
#define SYMBOL_AGREEMENT_H

#include "base/diag.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"
#include "symbol/process_memory.h"

#define AGREEMENT_CODE_MAX          (UINT64_C(1) << 20)
#define AGREEMENT_TOLERANCE         256
#define AGREEMENT_CHANGED_TOLERANCE 4
#define AGREEMENT_DATA_MAX          (UINT64_C(1) << 16) /* of one section */
#define AGREEMENT_DATA_TOLERANCE    8

enum agreement {
    AGREEMENT_UNKNOWN, /* the memory has nothing of the file, or it is not known where that is */
    /*
     * Not one byte could be compared: the entry point, what is known of the program headers, or
     * the extents of the code are the file's; `why` says so
     */
    AGREEMENT_PLACE,
    /*
     * Code differs, if not more than one byte in AGREEMENT_CHANGED_TOLERANCE; all program headers
     * and the whole dynamic section do not: the process has changed its code, or the file is of a
     * build that is alike; `why` says so
     */
    AGREEMENT_CHANGED,
    AGREEMENT_FULL,   /* all that there is, which is something, agrees */
    AGREEMENT_BROKEN, /* `why` says where it differs */
};

/* For the module's place, module->where. */
enum agreement agreement_find(const struct process_memory *memory, const struct module *module,
                              struct elf_image *image, struct diag *why);

#endif
