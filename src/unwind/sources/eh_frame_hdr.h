/* SPDX-License-Identifier: MIT */
/*
 * .eh_frame_hdr: the linker's table of the FDEs in .eh_frame by address (LSB Core, 10.6.2). It may
 * be wrong, as after a tool has changed the file: callers check the FDE that it names.
 */
#ifndef UNWIND_SOURCES_EH_FRAME_HDR_H
#define UNWIND_SOURCES_EH_FRAME_HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

struct eh_frame_hdr {
    const uint8_t *entries; /* borrowed from the image */
    size_t count;           /* 0: there is no table */
    uint64_t vaddr;         /* of the section */
    uint64_t last_vaddr;    /* highest address of the architecture */
    uint64_t first_vaddr;   /* start of the first function; 0: no entries */
};

struct eh_frame_hdr_entry {
    uint64_t start_vaddr; /* of the function */
    uint64_t fde_vaddr;
    uint64_t next_vaddr; /* start of the next function; UINT64_MAX: none */
};

/*
 * Opens the table of `image`. *out has no entries when there is no table, or its encodings are
 * others than those that linkers write.
 */
void eh_frame_hdr_open(struct elf_image *image, struct eh_frame_hdr *out);

/*
 * Finds the entry with the nearest start at or before `vaddr`. False: there is none, or several
 * have that start.
 */
bool eh_frame_hdr_find(const struct eh_frame_hdr *hdr, uint64_t vaddr,
                       struct eh_frame_hdr_entry *out);

#endif
