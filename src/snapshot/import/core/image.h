/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: an ELF core file as the memory of the process that it shows (gABI,
 * chapters 4 and 5; ET_CORE is the system's own matter, here Linux's). 32 and 64 bits,
 * little-endian, of the architectures of arch/arch.h.
 */
#ifndef SNAPSHOT_IMPORT_CORE_IMAGE_H
#define SNAPSHOT_IMPORT_CORE_IMAGE_H

#include "snapshot/elf_file.h"
#include "snapshot/import/core/file.h"

/* What is beyond is left out, with a note. */
#define CORE_SEGMENTS_MAX      1000000
#define CORE_NOTE_SEGMENTS_MAX 64

struct core_segment { /* a PT_LOAD */
    uint64_t start_addr, end_addr;
    uint64_t off, size; /* what the file has of it, from start_addr on, if it were whole */
    uint32_t flags;     /* PF_… */
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
    bool has_overlaps;                               /* of them: what came first is believed */
    struct core_range notes[CORE_NOTE_SEGMENTS_MAX]; /* the PT_NOTE segments */
    size_t note_count;
    uint64_t whole_size; /* of the file, as its headers want it */
};

/*
 * Reads the headers; `source` is for notes. UNSUPPORTED, BAD_DATA, IO with `diag` filled;
 * NO_MEMORY. Nothing is to be closed then.
 */
MUST_CHECK enum status core_image_open(struct source_input *input, struct snap_source *source,
                                       struct core_image *out, struct diag *diag);
void core_image_close(struct core_image *image);

/* The segment that holds the address, or NULL. O(log n). */
const struct core_segment *core_image_segment(const struct core_image *image, uint64_t addr);

/* Where what the file really has of a segment ends: its start_addr when it has nothing. */
uint64_t core_segment_captured(const struct core_image *image, const struct core_segment *segment);

/* True when all `size` bytes at `addr`, of one segment, are in the file. */
bool core_image_read(const struct core_image *image, uint64_t addr, void *buffer, size_t size);

#endif
