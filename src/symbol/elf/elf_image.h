/* SPDX-License-Identifier: MIT */
/*
 * One ELF file (or the vDSO's bytes): mapped read-only, headers checked, sections on demand.
 *
 * The file is untrusted: a section's or segment's range is checked against the file's size before a
 * view is returned. Compressed sections (SHF_COMPRESSED, gABI; .zdebug_*) are inflated once and
 * kept, at most 1 GiB each. A file is refused if it has more than 1,024 segments to load, or
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

struct elf_segment { /* a segment to load (PT_LOAD) */
    uint64_t vaddr, mem_size, file_off, file_size;
    uint8_t prot; /* bits: 1 read, 2 write, 4 execute */
};

struct elf_section {
    const uint8_t *bytes; /* `size` bytes, owned by the image; NULL: SHT_NOBITS */
    uint64_t size, vaddr, file_off;
    uint32_t type;
    uint64_t flags;
};

/*
 * Opens a file. IO: the file cannot be read; BAD_DATA: it is no sound ELF file; UNSUPPORTED: it is
 * for an unknown machine, or big-endian; NO_MEMORY. `diag` (NULL: not wanted) says why.
 */
MUST_CHECK enum status elf_image_open(const char *path, struct elf_image **out, struct diag *diag);
/* Opens the ELF file in `bytes`, which are copied; else as elf_image_open. `name`: as its path. */
MUST_CHECK enum status elf_image_open_bytes(const void *bytes, size_t size, const char *name,
                                            struct elf_image **out, struct diag *diag);
/* Opens `fd`, and closes it in any case; else as elf_image_open. `name` serves as the path. */
MUST_CHECK enum status elf_image_open_fd(int fd, const char *name, struct elf_image **out,
                                         struct diag *diag);
/*
 * Opens the `size` bytes from page-aligned offset `off` of `fd` on, which stays open; else as
 * elf_image_open. `name` serves as the path.
 */
MUST_CHECK enum status elf_image_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                           struct elf_image **out, struct diag *diag);
/*
 * From now on large inflated sections are loaded from `cache`, and stored there when the image is
 * closed. The cache is borrowed until then. NULL: no cache.
 */
struct cache;
void elf_image_set_cache(struct elf_image *image, struct cache *cache);
void elf_image_close(struct elf_image *image);

const char *elf_image_path(const struct elf_image *image);
const struct arch *elf_image_arch(const struct elf_image *image);
uint32_t elf_image_flags(const struct elf_image *image); /* e_flags of the ELF header */
uint64_t elf_image_entry_vaddr(const struct elf_image *image);
/* Returns e_type: ET_EXEC, ET_DYN, ... */
uint16_t elf_image_type(const struct elf_image *image);
/* Returns the GNU build-id, of at most 64 bytes; *size 0: none. */
const uint8_t *elf_image_build_id(const struct elf_image *image, size_t *size);
const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *count);

/* Whether the loaded program can write at `vaddr` after PT_GNU_RELRO was write-protected. */
bool elf_image_may_change(const struct elf_image *image, uint64_t vaddr);

/*
 * Returns how many of the `size` bytes from `vaddr` on lie before a section that the program may
 * write to. A firmware's segment may have such sections, though its flags say that it is constant.
 */
uint64_t elf_image_count_unwritten(const struct elf_image *image, uint64_t vaddr, uint64_t size);

/*
 * Sets *out to the section with this name. Without section headers .eh_frame_hdr, .eh_frame (to the
 * end of its segment), .ARM.exidx and .dynamic are found by the program headers. NOT_FOUND;
 * BAD_DATA: the section is not all in the file, or its compression is damaged; UNSUPPORTED: an
 * unknown compression; NO_MEMORY.
 */
MUST_CHECK enum status elf_image_section(struct elf_image *image, const char *name,
                                         struct elf_section *out);

/*
 * Returns the file's bytes from `vaddr` on, owned by the image, and sets *avail to their number up
 * to the segment's end in the file; NULL: the file has no byte for `vaddr`.
 */
const uint8_t *elf_image_bytes_at(const struct elf_image *image, uint64_t vaddr, uint64_t *avail);

/* Tells the kernel that these bytes of a view may leave memory; they can be read as before. */
void elf_image_let_go(const struct elf_image *image, const uint8_t *bytes, uint64_t size);

/*
 * Returns the end of the part of [start_vaddr, end_vaddr) for which the file has bytes, from the
 * start on; start_vaddr: it has none.
 */
uint64_t elf_image_end_in_file(const struct elf_image *image, uint64_t start_vaddr,
                               uint64_t end_vaddr);

/* Whether the file has section headers that can be used. */
bool elf_image_has_sections(const struct elf_image *image);

/* Whether the file is a separate debug file: it has sections of code, but no bytes for them. */
bool elf_image_is_debug_only(const struct elf_image *image);

/*
 * Sets *written_ns and *changed_ns to the times when the file was written, and when it or its inode
 * was changed, in ns since the epoch; 0: the image is no file.
 */
void elf_image_times(const struct elf_image *image, uint64_t *written_ns, uint64_t *changed_ns);

/* Returns all *size bytes of the file, owned by the image. */
const uint8_t *elf_image_file_bytes(const struct elf_image *image, size_t *size);

/*
 * Sets *start_vaddr and *end_vaddr to the executable section (without section headers: segment)
 * that holds `vaddr`; overlapping sections count as one. NOT_FOUND: there is none.
 */
MUST_CHECK enum status elf_image_exec_range(const struct elf_image *image, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* Whether section number `index` (a symbol's st_shndx) is executable. */
bool elf_image_is_code_section(const struct elf_image *image, unsigned index);

struct vaddr_range {
    uint64_t start_vaddr, end_vaddr;
};

/* Returns all executable sections (else segments), ascending and merged. Owned by the image. */
const struct vaddr_range *elf_image_exec_ranges(const struct elf_image *image, size_t *count);

/* For symbol/ only: returns the libelf handle (Elf *), owned by the image. */
void *elf_image_libelf(struct elf_image *image);

#endif
