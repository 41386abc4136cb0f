/* SPDX-License-Identifier: MIT */
/*
 * .eh_frame_hdr: the linker's table of the FDEs in .eh_frame by address (LSB Core, 10.6.2). It may
 * lie, as after a tool has changed the file: what it says is a hint, for the reader of the FDE to
 * check.
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
    uint64_t last_vaddr;    /* of the address space */
    uint64_t first_vaddr;   /* where the first function starts */
};

struct eh_frame_hdr_entry {
    uint64_t start_vaddr; /* of the function */
    uint64_t fde_vaddr;
    uint64_t next_vaddr; /* where the next function starts; UINT64_MAX: none */
};

/* *out has no entries when the file has no table, or one in another form than linkers write. */
void eh_frame_hdr_open(struct elf_image *image, struct eh_frame_hdr *out);

/* The entry with the nearest start at or before `vaddr`. False: there is none, or not one alone. */
bool eh_frame_hdr_find(const struct eh_frame_hdr *hdr, uint64_t vaddr,
                       struct eh_frame_hdr_entry *out);

#endif
