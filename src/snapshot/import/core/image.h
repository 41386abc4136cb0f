/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: an ELF core file as the memory of its process (gABI, chapters 4 and
 * 5; ET_CORE is defined by the system, here Linux). 32 and 64 bits, little-endian, of the
 * architectures of arch/arch.h.
 */
#ifndef SNAPSHOT_IMPORT_CORE_IMAGE_H
#define SNAPSHOT_IMPORT_CORE_IMAGE_H

#include "snapshot/elf_file.h"
#include "snapshot/import/core/file.h"

/* Most PT_LOADs and PT_NOTEs; others are left out, with a note to the user. */
#define CORE_SEGMENTS_MAX      1000000
#define CORE_NOTE_SEGMENTS_MAX 64

struct core_segment { /* a segment of memory (PT_LOAD) */
    uint64_t start_addr, end_addr;
    uint64_t off, size; /* file range of the bytes from start_addr on, if the file is not cut */
    uint32_t flags;     /* p_flags: PF_* of <elf.h> */
};

struct core_range { /* a range of file offsets */
    uint64_t off, size;
};

struct core_image {
    struct core_file file;
    const struct arch *arch;
    bool is_64;
    struct core_segment *segments; /* owned; sorted by address, disjoint */
    size_t count, cap;
    bool has_overlaps; /* segments overlapped: the one with the lower address kept the bytes */
    struct core_range notes[CORE_NOTE_SEGMENTS_MAX]; /* contents of the PT_NOTE segments */
    size_t note_count;
    uint64_t whole_size; /* size that the file has by its headers if it is not cut */
};

/*
 * Opens the core of `input`, which is borrowed, and reads the headers; adds messages for the user
 * to `source`. UNSUPPORTED, BAD_DATA, IO with `diag` filled; NO_MEMORY. On failure nothing is open.
 */
MUST_CHECK enum status core_image_open(struct source_input *input, struct snap_source *source,
                                       struct core_image *out, struct diag *diag);
void core_image_close(struct core_image *image);

/* Returns the segment that holds the address; NULL: none. O(log n). */
const struct core_segment *core_image_segment(const struct core_image *image, uint64_t addr);

/* Returns the end address of the segment's bytes that the file has; start_addr: it has none. */
uint64_t core_segment_captured(const struct core_image *image, const struct core_segment *segment);

/*
 * Copies `size` bytes of memory at `addr`. False: not all of them are in the file, or not in one
 * segment.
 */
bool core_image_read(const struct core_image *image, uint64_t addr, void *buffer, size_t size);

#endif
