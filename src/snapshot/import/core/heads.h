/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: ELF headers in the core's memory, each at the beginning of a loaded
 * file (gABI, chapters 4 and 5). They show at which addresses the file's parts are.
 *
 *     the file    | header, program headers |   code    |  data  |
 *     memory      ^ addr = bias + vaddr of the file's first byte
 */
#ifndef SNAPSHOT_IMPORT_CORE_HEADS_H
#define SNAPSHOT_IMPORT_CORE_HEADS_H

#include "snapshot/import/core/image.h"

#define CORE_HEADS_MAX      4096 /* most headers; others are left out */
#define CORE_HEAD_LOADS_MAX 16   /* PT_LOADs used per file */

struct core_head_load {
    uint64_t start_addr, end_addr, file_off; /* rounded to whole pages */
    bool is_code;
};

struct core_head {
    uint64_t addr;         /* run-time address of the ELF header */
    uint64_t bias;         /* run-time address minus vaddr, modulo 2^bits of a word */
    uint64_t entry_addr;   /* run-time address of the entry point */
    uint64_t dynamic_addr; /* run-time address of the dynamic section; 0: none */
    uint64_t debug_addr;   /* address of r_debug; 0: not known; set by modules.c */
    const char *soname;    /* DT_SONAME; "": not known; set by modules.c */
    struct core_head_load loads[CORE_HEAD_LOADS_MAX];
    size_t load_count;
};

/* Returns a mask with the bits that an address has: 32 or 64. */
static inline uint64_t core_addr_mask(const struct core_image *image)
{
    return image->is_64 ? UINT64_MAX : UINT32_MAX;
}

/*
 * Fills *out, but debug_addr and soname, from the ELF header at `addr`, the beginning of a page.
 * False: no ELF header of this architecture is there, or its file was not loaded at this place to
 * run, but only mapped to be read.
 */
bool core_head_read(const struct core_image *image, uint64_t addr, uint64_t page_size,
                    struct core_head *out);

#endif
