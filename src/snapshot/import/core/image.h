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

/* Headers beyond are left out, with a note to the user. */
#define CORE_SEGMENTS_MAX      1000000
#define CORE_NOTE_SEGMENTS_MAX 64

struct core_segment { /* a PT_LOAD */
    uint64_t start_addr, end_addr;
    uint64_t off, size; /* bytes from start_addr on that the whole file has */
    uint32_t flags;     /* PF_* of <elf.h> */
};

struct core_range {
    uint64_t off, size;
};

struct core_image {
    struct core_file file;
    const struct arch *arch;
    bool is_64;
    struct core_segment *segments; /* sorted by address, disjoint */
    size_t count, cap;
    bool has_overlaps; /* some overlapped: the one with the lower address kept the bytes */
    struct core_range notes[CORE_NOTE_SEGMENTS_MAX]; /* the PT_NOTE segments */
    size_t note_count;
    uint64_t whole_size; /* bytes that the file has if it is whole, by its headers */
};

/*
 * Reads the headers; adds notes to `source`. UNSUPPORTED, BAD_DATA, IO with `diag` filled;
 * NO_MEMORY. On failure nothing is open.
 */
MUST_CHECK enum status core_image_open(struct source_input *input, struct snap_source *source,
                                       struct core_image *out, struct diag *diag);
void core_image_close(struct core_image *image);

/* Returns the segment that holds the address; NULL: none. O(log n). */
const struct core_segment *core_image_segment(const struct core_image *image, uint64_t addr);

/* Returns the address where the segment's bytes in the file end; start_addr: the file has none. */
uint64_t core_segment_captured(const struct core_image *image, const struct core_segment *segment);

/* Copies `size` bytes at `addr`. False: they are not all in the file, and in one segment. */
bool core_image_read(const struct core_image *image, uint64_t addr, void *buffer, size_t size);

#endif
