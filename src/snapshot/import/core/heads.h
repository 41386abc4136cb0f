/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: ELF headers in the core's memory, each at the beginning of a loaded
 * file (gABI, chapters 4 and 5). They show where the file's parts lie.
 *
 *     the file    | header, program headers |   code    |  data  |
 *     memory      ^ addr = bias + vaddr of the file's first byte
 */
#ifndef SNAPSHOT_IMPORT_CORE_HEADS_H
#define SNAPSHOT_IMPORT_CORE_HEADS_H

#include "snapshot/import/core/image.h"

#define CORE_HEADS_MAX      4096 /* headers beyond are left out */
#define CORE_HEAD_LOADS_MAX 16   /* PT_LOADs used per file */

struct core_head_load {
    uint64_t start_addr, end_addr, file_off; /* in whole pages */
};

struct core_head {
    uint64_t addr; /* run-time address of the ELF header */
    uint64_t bias; /* address minus vaddr, modulo the word size */
    uint64_t entry_addr;
    uint64_t dynamic_addr; /* 0: none */
    uint64_t debug_addr;   /* r_debug, by the dynamic section; 0: not known */
    const char *soname;    /* DT_SONAME; "": not known. modules.c fills debug_addr and soname */
    struct core_head_load loads[CORE_HEAD_LOADS_MAX];
    size_t load_count;
};

/* Returns the mask of an address's bits. */
static inline uint64_t core_addr_mask(const struct core_image *image)
{
    return image->is_64 ? UINT64_MAX : UINT32_MAX;
}

/*
 * Reads the ELF header at `addr`, the beginning of a page. False: no ELF header, or that of a file
 * which was not loaded here to run its code, but only mapped to be read.
 */
bool core_head_read(const struct core_image *image, uint64_t addr, uint64_t page_size,
                    struct core_head *out);

#endif
