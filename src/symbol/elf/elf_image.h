/* SPDX-License-Identifier: MIT */
/*
 * One ELF file (or the vDSO's bytes): mapped read-only, headers checked, sections on demand.
 *
 * The file is untrusted: a section's or segment's range is checked against the file's size before a
 * view is handed out. Compressed sections (SHF_COMPRESSED, gABI; .zdebug_*) are inflated once and
 * kept, at most 1 GiB each. A file is refused with more than 1,024 segments to load, or with
 * segments that load more than twice its bytes, so that a bound on the file's bytes bounds its
 * code. libelf is used in symbol/ only. base/mapped.h handles truncation of a mapped file.
 */
#ifndef SYMBOL_ELF_ELF_IMAGE_H
#define SYMBOL_ELF_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"

struct elf_image;

struct elf_segment { /* PT_LOAD */
    uint64_t vaddr, mem_size, file_off, file_size;
    uint8_t prot; /* 1 read, 2 write, 4 execute */
};

struct elf_section {
    const uint8_t *bytes; /* NULL: SHT_NOBITS; valid as long as the image */
    uint64_t size, vaddr, file_off;
    uint32_t type;
    uint64_t flags;
};

/*
 * Opens a file. IO: cannot be read; BAD_DATA: no sound ELF file; UNSUPPORTED: another machine, or
 * big-endian; NO_MEMORY. Fills `diag` (may be NULL).
 */
MUST_CHECK enum status elf_image_open(const char *path, struct elf_image **out, struct diag *diag);
/* The same from bytes, which are copied. `name` serves as the path. */
MUST_CHECK enum status elf_image_open_bytes(const void *bytes, size_t size, const char *name,
                                            struct elf_image **out, struct diag *diag);
/* The same from an open file, which it closes, also on failure. */
MUST_CHECK enum status elf_image_open_fd(int fd, const char *name, struct elf_image **out,
                                         struct diag *diag);
/* The same from a part of an open file, as file_map_open_part. */
MUST_CHECK enum status elf_image_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                           struct elf_image **out, struct diag *diag);
/*
 * From now on loads large inflated sections from the cache, and stores them there when the image is
 * closed. The cache is borrowed until then. NULL: none.
 */
struct cache;
void elf_image_set_cache(struct elf_image *image, struct cache *cache);
void elf_image_close(struct elf_image *image);

const char *elf_image_path(const struct elf_image *image);
const struct arch *elf_image_arch(const struct elf_image *image);
uint32_t elf_image_flags(const struct elf_image *image); /* e_flags */
uint64_t elf_image_entry_vaddr(const struct elf_image *image);
/* ET_EXEC, ET_DYN, … */
uint16_t elf_image_type(const struct elf_image *image);
/* Returns the GNU build-id, of at most 64 bytes; *size 0: none. */
const uint8_t *elf_image_build_id(const struct elf_image *image, size_t *size);
const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *count);

/* May the program write at `vaddr` once it is loaded and PT_GNU_RELRO is write-protected? */
bool elf_image_may_change(const struct elf_image *image, uint64_t vaddr);

/*
 * Finds a section by name. Without section headers .eh_frame_hdr, .eh_frame (to the end of its
 * segment), .ARM.exidx and .dynamic are found by the program headers. NOT_FOUND; BAD_DATA: not all
 * inside the file, or damaged compression; UNSUPPORTED: another compression; NO_MEMORY.
 */
MUST_CHECK enum status elf_image_section(struct elf_image *image, const char *name,
                                         struct elf_section *out);

/* Returns the file's bytes at `vaddr`, *avail of them up to its segment's end; NULL: none. */
const uint8_t *elf_image_bytes_at(const struct elf_image *image, uint64_t vaddr, uint64_t *avail);

/* Allows these bytes of a view to leave memory for now. They can be read as before. */
void elf_image_let_go(const struct elf_image *image, const uint8_t *bytes, uint64_t size);

/* Returns where the file's bytes of [start, end) end; start: none. Headers may claim more. */
uint64_t elf_image_end_in_file(const struct elf_image *image, uint64_t start_vaddr,
                               uint64_t end_vaddr);

/* Are there usable section headers? */
bool elf_image_has_sections(const struct elf_image *image);

/* Is it a separate debug file: have all sections of code no bytes in the file? */
bool elf_image_is_debug_only(const struct elf_image *image);

/* When the file was written, and when it or its inode was changed; ns; 0: the image is no file. */
void elf_image_times(const struct elf_image *image, uint64_t *written_ns, uint64_t *changed_ns);

/* Returns the whole file; valid as long as the image. */
const uint8_t *elf_image_file_bytes(const struct elf_image *image, size_t *size);

/*
 * Finds the executable section (without section headers: segment) that holds `vaddr`; overlapping
 * ones count as one. NOT_FOUND.
 */
MUST_CHECK enum status elf_image_exec_range(const struct elf_image *image, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* Is section number `index` (a symbol's st_shndx) executable? */
bool elf_image_is_code_section(const struct elf_image *image, unsigned index);

struct vaddr_range {
    uint64_t start_vaddr, end_vaddr;
};

/* Returns all executable sections (else segments), ascending and merged. Owned by the image. */
const struct vaddr_range *elf_image_exec_ranges(const struct elf_image *image, size_t *count);

/* For symbol/ only: returns the libelf handle (Elf *), owned by the image. */
void *elf_image_libelf(struct elf_image *image);

#endif
