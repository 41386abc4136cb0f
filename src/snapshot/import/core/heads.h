/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the ELF headers that are in the core's memory, each at the
 * beginning of a file that was loaded (gABI, chapters 4 and 5). They tell where its parts are.
 *
 *     the file    | header, program headers |   code    |  data  |
 *     memory      ^ addr = bias + vaddr of the file's first byte
 */
#ifndef SNAPSHOT_IMPORT_CORE_HEADS_H
#define SNAPSHOT_IMPORT_CORE_HEADS_H

#include "snapshot/import/core/image.h"

#define CORE_HEADS_MAX      4096 /* what is beyond is left out */
#define CORE_HEAD_LOADS_MAX 16   /* PT_LOADs of a file that are used */

struct core_head_load {
    uint64_t start_addr, end_addr, file_off; /* whole pages */
};

struct core_head {
    uint64_t addr; /* of the ELF header */
    uint64_t bias; /* address minus vaddr, modulo the word size */
    uint64_t entry_addr;
    uint64_t dynamic_addr; /* 0: none */
    uint64_t debug_addr;   /* r_debug, by the dynamic section; 0: not known */
    const char *soname;    /* by it as well; "": not known. Both are modules.c's to fill */
    struct core_head_load loads[CORE_HEAD_LOADS_MAX];
    size_t load_count;
};

/* Addresses are of so many bits. */
static inline uint64_t core_addr_mask(const struct core_image *image)
{
    return image->is_64 ? UINT64_MAX : UINT32_MAX;
}

/*
 * Reads what is at `addr`, the beginning of a page. False: no ELF header, or none of a file that
 * was loaded there for its code to be run; one that was only read, say, which is elsewhere mapped.
 */
bool core_head_read(const struct core_image *image, uint64_t addr, uint64_t page_size,
                    struct core_head *out);

#endif
