/* SPDX-License-Identifier: MIT */
/*
 * Reads .eh_frame_hdr, the linker's table of the FDEs in .eh_frame by address (LSB Core, 10.6.2).
 * The table may be wrong, as after a tool has changed the file: callers check the FDE that an entry
 * names.
 */
#ifndef UNWIND_SOURCES_EH_FRAME_HDR_H
#define UNWIND_SOURCES_EH_FRAME_HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

struct eh_frame_hdr {
    const uint8_t *entries; /* the table's entries; borrowed from the image */
    size_t count;           /* number of entries; 0: there is no table */
    uint64_t vaddr;         /* address of the section .eh_frame_hdr */
    uint64_t last_vaddr;    /* the highest address that the architecture has */
    uint64_t first_vaddr;   /* start of the first entry's function; 0: there are no entries */
};

struct eh_frame_hdr_entry {
    uint64_t start_vaddr; /* start of the entry's function */
    uint64_t fde_vaddr;
    uint64_t next_vaddr; /* start of the next entry's function; UINT64_MAX: there is none */
};

/*
 * Sets *out to the table of `image`, which must outlive it. *out has no entries if there is no
 * table, or the table has other encodings than linkers write.
 */
void eh_frame_hdr_open(struct elf_image *image, struct eh_frame_hdr *out);

/*
 * Sets *out to the entry with the nearest start_vaddr at or before `vaddr`. False: there is none,
 * or several have that start.
 */
bool eh_frame_hdr_find(const struct eh_frame_hdr *hdr, uint64_t vaddr,
                       struct eh_frame_hdr_entry *out);

#endif
